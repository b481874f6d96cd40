"""A score of a head of a trained model, in parts, where the head is opened.

Takes long: a model runs, and whole pages without a browser.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import attend
from mha_core.changing.layers import as_stack
from mha_core.layer.cells import Cell
from mha_core.models import Text, open_model
from mha_core.scenario.scenario import Scenario
from tests.core.models.recorded_models import IDS, Recorded
from tests.pages.test_score_parts import CELLS
from tests.pages.visitor import Visitor
from ui.state.models_here import OpenedModel
from ui.state.x_of_model import XOfModel

TEXT = "a text of seven tokens"
PICKED = Cell("weights", 1, 5, 2)


def opened(name: str) -> OpenedModel:
    """A small model that reads every text as the same seven tokens."""
    model = open_model(Recorded(name).file)
    read: Text = model.text_of(IDS)
    model.read_text = lambda *_: read  # type: ignore[method-assign] # it has no tokenizer
    return OpenedModel(name, model)


class Asking(Visitor):
    """A visitor who has opened a layer of a model, picked a weight, and asks why."""

    def __init__(self, model: OpenedModel, layer: int = 1) -> None:
        super().__init__("example=the-cat&decimals=6")
        self.at.session_state["parts-heads"] = True
        s = model.on(TEXT).layer(layer)
        self.session.open(as_stack(s), replace(self.session.view, cell=PICKED))
        self.session.x_of_model = XOfModel(model, TEXT, layer, s)
        self.run()

    def with_layer(self, s: Scenario) -> Asking:
        self.session.go_to(s)
        self.run()
        return self

    @property
    def table(self) -> str:
        tables = [node.value for node in self.at.get("html") if "query \\ key" in node.value]
        return tables[0] if tables else ""

    @property
    def total(self) -> float:
        return sum(float(text.replace("−", "-")) for text in CELLS.findall(self.table)[1:])


def score_of(page: Asking) -> float:
    trace = attend(page.scenario)
    return float(trace.scaled_scores[1, 5, 2])


@pytest.mark.parametrize(
    ("name", "norms", "what", "parts"),
    [
        ("bert", "3 norms on the way are held", "1 / σ", ("place 6", "what every token has")),
        ("gpt2", "A norm on the way is held", "1 / σ", ("place 6", "MLP of layer 1")),
        ("llama", "A norm on the way is held", "1 / rms", ("MLP of layer 1", "head 2 of layer 1")),
        ("qwen3", "The norm of queries and keys is held", "1 / rms", ("MLP of layer 1",)),
    ],
)
def test_a_score_of_a_model_is_told_by_what_x_was_made_of(
    name: str, norms: str, what: str, parts: tuple[str, ...]
) -> None:
    page = Asking(opened(name))
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    assert norms in page.words
    assert f"{what} = " in page.words or f"{what} is " in page.words
    for part in parts:
        assert part in page.table
    assert "Then come" not in page.words


def test_an_x_that_a_person_has_changed_is_no_sum_any_more() -> None:
    page = Asking(opened("gpt2"))
    page.with_layer(replace(page.scenario, x=page.scenario.x + 1))
    assert "X is no longer what the model made" in page.words
    assert "MLP of layer 1" not in page.words


def test_of_keys_from_elsewhere_nothing_is_said_of_the_model() -> None:
    page = Asking(opened("llama"))
    s = page.scenario
    page.with_layer(replace(s, context=np.ones_like(s.x), context_tokens=()))
    assert "of layer 1" not in page.table


def test_a_model_that_was_let_go_is_named() -> None:
    model = opened("llama")
    page = Asking(model)
    page.session.look_at(cell=replace(PICKED, row=6))
    del model
    page.run()
    assert "The model that made X is no longer open." in page.words
