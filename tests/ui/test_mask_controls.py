"""The mask's controls say what hides, who is left with nothing, and take a matrix away again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_mask, with_mask_cells_toggled, with_tokens
from mha_core.changing.rules import with_rules
from mha_core.checks.shapes import BoolArray
from mha_core.examples import load_example
from mha_core.reading.sentences import setting_notes
from mha_core.scenario.mask_functions import MASKS
from mha_core.scenario.masks import Mask, Rule
from tests.running_page import RunningPart, undo
from ui.controls import fields
from ui.controls.markdown import plain
from ui.controls.sidebar import mask
from ui.state import Session

Change = Callable[[Scenario, Any], Scenario]

CAUSAL = (Rule("causal"),)
DRAWN = np.array([[1, 1, 1, 1]] * 3 + [[0, 1, 1, 1]], bool)
ADDED = np.where(DRAWN, 0.5, -np.inf)


def script() -> None:
    from ui.controls.sidebar.mask import mask_section
    from ui.state import open_session

    mask_section(open_session())


class Controls(RunningPart):
    """The mask's part of the sidebar."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(script, scenario=scenario)

    @property
    def says(self) -> list[str]:
        return [c.value.replace("\\", "").replace("\u2060", "") for c in self.at.caption]


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
        (Mask(additive=np.ones((4, 4))), "Hides nothing, but adds to scores."),
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
    captions = [caption.value for caption in Controls(s).at.caption]
    assert captions == [plain(note) for note in setting_notes(attend(s))[:2]]
    assert plain(token) in captions[1]
    assert "may attend to nothing" in captions[1]


def test_what_is_drawn_and_what_is_added_can_be_cleared() -> None:
    controls = masked(Mask(CAUSAL, DRAWN, ADDED))
    before = controls.scenario
    assert controls.buttons == ["Clear the drawn mask", "Clear the additive mask"]
    controls.press("Clear the drawn mask")
    assert controls.scenario == replace(before, mask=Mask(CAUSAL, additive=ADDED))
    assert "causal and additive" in controls.says[0]
    controls.press("Clear the additive mask")
    assert controls.scenario == replace(before, mask=Mask(CAUSAL))
    assert controls.buttons == []


def test_what_is_cleared_comes_back_with_undo() -> None:
    controls = masked(Mask(custom=DRAWN))
    before = controls.scenario
    controls.press("Clear the drawn mask")
    assert controls.says == ["Hides nothing."]
    undo(controls.session)
    assert controls.scenario == before


def test_a_second_change_through_one_widget_before_the_next_run_is_made_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changes: dict[str, Change] = {}
    bond = mask.bound

    def noted(session: Session, key: str, shown: Any, change: Change) -> dict[str, Any]:
        changes[key] = change
        return bond(session, key, shown, change)

    for module in (mask, fields):
        monkeypatch.setattr(module, "bound", noted)
    window = Rule("sliding_window", {"left": 1, "right": 1})
    controls = masked(Mask((Rule("causal"), window)))
    once = changes["sliding_window left"](controls.scenario, 2.0)
    twice = changes["sliding_window left"](once, 3.0)
    assert twice.mask.rules[1].options["left"] == 3


def dilated(
    n_q: int,
    n_k: int,
    *,
    every: int,
    except_tokens: Sequence[int] = (),
    counted_from: str = "key",
    rows: slice = slice(None),
) -> BoolArray:
    """Dilated: only every n-th key is seen."""
    open_keys = np.arange(n_k) % every == 0
    open_keys[list(except_tokens)] = True
    return np.broadcast_to(open_keys, (n_q, n_k))[rows]


@pytest.fixture
def new_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mask that nothing but its function and its words says anything about."""
    monkeypatch.setitem(MASKS, "dilated", dilated)
    monkeypatch.setitem(mask.TITLES, "dilated", "Dilated")
    monkeypatch.setitem(mask.MEANINGS, "dilated", "Only every n-th key is seen.")
    monkeypatch.setattr(mask, "RARE", (*mask.RARE, "dilated"))


@pytest.mark.usefixtures("new_mask")
def test_each_option_of_a_new_mask_has_a_control_by_its_type() -> None:
    controls = masked(Mask())
    session: Session = controls.at.session_state["session"]
    session.attempt("rule dilated", True, lambda s: with_rules(s, ["dilated"]))
    assert session.refusals == {}
    assert session.scenario.mask.rules == (Rule("dilated", every=2),)
    controls.run()
    number = next(field for field in controls.at.number_input if field.label == "Every")
    number.set_value(3.0)
    controls.run()
    texts = {field.label: field for field in controls.at.text_input}
    assert set(texts) == {"Except tokens", "Counted from"}
    texts["Except tokens"].set_value("1 2")
    controls.run()
    next(f for f in controls.at.text_input if f.label == "Counted from").set_value("query")
    controls.run()
    (rule,) = controls.scenario.mask.rules
    assert rule.options == {"every": 3, "except_tokens": (1, 2), "counted_from": "query"}
