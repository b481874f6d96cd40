"""The mask's controls say what hides, who is left with nothing, and take a matrix away again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_mask, with_mask_cells_toggled, with_tokens
from mha_core.examples import load_example
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask, Rule
from tests.running_page import undo
from ui.controls.form import Field, Said
from ui.controls.sidebar import enter_in_sidebar
from ui.controls.sidebar.mask import mask_section
from ui.state import Session

CAUSAL = (Rule("causal"),)
DRAWN = np.array([[1, 1, 1, 1]] * 3 + [[0, 1, 1, 1]], bool)
ADDED = np.where(DRAWN, 0.5, -np.inf)


class Controls:
    """The mask's part of the sidebar."""

    def __init__(self, scenario: Scenario) -> None:
        self.session = Session(scenario)

    @property
    def scenario(self) -> Scenario:
        return self.session.scenario

    @property
    def says(self) -> list[str]:
        return [item.text for item in mask_section(self.session).often if isinstance(item, Said)]

    @property
    def fields(self) -> dict[str, Field]:
        return {field.label: field for field in mask_section(self.session).fields}

    @property
    def buttons(self) -> list[str]:
        return [label for label, field in self.fields.items() if field.kind == "press"]

    def enter(self, label: str, value: Any) -> None:
        enter_in_sidebar(self.session, self.fields[label].key, value)
        assert self.session.refusals == {}


def masked(mask: Mask) -> Controls:
    return Controls(with_mask(load_example("pizza"), mask))


@pytest.mark.parametrize(
    ("mask", "by"),
    [
        (Mask(CAUSAL), "causal"),
        (Mask(CAUSAL, custom=DRAWN), "causal and drawn"),
        (Mask(custom=DRAWN), "drawn"),
        (Mask(additive=ADDED), "additive"),
        (Mask(CAUSAL, DRAWN, ADDED), "causal, drawn and additive"),
    ],
)
def test_the_caption_says_by_what_cells_are_hidden(mask: Mask, by: str) -> None:
    s = with_mask(load_example("pizza"), mask)
    says = Controls(s).says
    assert says == [setting_notes(attend(s))[0]]
    assert f"The {by} mask" in says[0]
    assert f"{16 - mask.allowed(4, 4).sum()} of 16 cells" in says[0]


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (Mask(), "Hides nothing."),
        (Mask(additive=np.ones((4, 4))), "Hides nothing; it adds to the scores."),
    ],
)
def test_what_hides_nothing_says_so(mask: Mask, sentence: str) -> None:
    assert masked(mask).says == [sentence]


@pytest.mark.parametrize(
    "token", ["I", "<img src=x>", "**b** :red[x]", "[a](http://x.example)", "$x$"]
)
def test_a_query_that_sees_nothing_is_named_in_plain_text(token: str) -> None:
    named = with_tokens(load_example("pizza"), [token, "LOVE", "PEPPERONI", "PIZZA"])
    s = with_mask_cells_toggled(named, [(0, 0)])
    says = Controls(s).says  # the browser writes it as text
    assert says == [*setting_notes(attend(s))[:2]]
    assert token in says[1]
    assert "may attend to nothing" in says[1]


def test_what_is_drawn_and_what_is_added_can_be_cleared() -> None:
    controls = masked(Mask(CAUSAL, DRAWN, ADDED))
    before = controls.scenario
    assert controls.buttons == ["Clear the drawn mask", "Clear the additive mask"]
    controls.enter("Clear the drawn mask", True)
    assert controls.scenario == replace(before, mask=Mask(CAUSAL, additive=ADDED))
    assert "causal and additive" in controls.says[0]
    controls.enter("Clear the additive mask", True)
    assert controls.scenario == replace(before, mask=Mask(CAUSAL))
    assert controls.buttons == []


def test_what_is_cleared_comes_back_with_undo() -> None:
    controls = masked(Mask(custom=DRAWN))
    before = controls.scenario
    controls.enter("Clear the drawn mask", True)
    assert controls.says == ["Hides nothing."]
    undo(controls.session)
    assert controls.scenario == before


def test_a_second_change_in_one_field_before_the_next_run_is_made_too() -> None:
    window = Rule("sliding_window", {"left": 1, "right": 1})
    controls = masked(Mask((Rule("causal"), window)))
    change = controls.fields["Keys before"].change
    twice = change(change(controls.scenario, "2"), "3")
    assert twice.mask.rules[1].options["left"] == 3
