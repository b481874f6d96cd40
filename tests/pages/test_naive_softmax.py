"""A naive softmax that overflows, on every page: it is told, and nothing breaks."""

from __future__ import annotations

import math

import pytest

from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from mha_core.io.scenario.link import decode_link
from tests.pages.comparison import Comparison
from tests.pages.test_walkthrough import Walk
from tests.pages.visitor import Visitor, unmarked

LOST = "example=saturated&softmax=naive"
LOSING = ("exponentials", "row_sums", "weights", "head_outputs", "concat", "output")
NOTE = (
    "3 of 32 exponentials are too large for float64. What is computed from them is not a number. "
    "The stable softmax subtracts the row's maximum first."
)


def test_the_page_says_what_is_lost_and_shows_it() -> None:
    visitor = Visitor(LOST)
    assert visitor.errors == []
    assert "3 of 4 rows are not numbers: exp overflowed." in visitor.words
    assert NOTE in visitor.words
    assert math.isnan(visitor.matrices["weights/1"][0][0])


def test_the_choice_heals_it_and_undo_takes_that_back() -> None:
    visitor = Visitor(LOST).enter("softmax", "stable")
    assert visitor.scenario == load_example("saturated")
    assert NOTE not in visitor.words
    assert "softmax" not in visitor.address
    visitor.press("Undo")
    assert visitor.scenario.scores.softmax == "naive"
    assert decode_link(visitor.address) == visitor.scenario


@pytest.mark.parametrize(
    "view",
    [
        "head=2&cell=weights/1:1.1&influence=x&open=into",
        "head=2&cell=exponentials/1:1.1",
        "rows=exponentials,row_sums,weights,outputs&order=effect&moved=example",
        "cell=output:1.1&moved=before&dtype=float32",
        "scale=-300&mask=causal&order=focus",
        "temperature=0.001&example=pizza&off=0",
    ],
)
def test_no_view_of_it_breaks(view: str) -> None:
    visitor = Visitor(f"{LOST}&{view}" if "example=" not in view else f"softmax=naive&{view}")
    assert visitor.errors == []
    assert visitor.scenario.scores.softmax == "naive"
    assert "nan" not in visitor.words.lower().split()


def test_what_is_picked_says_what_happened() -> None:
    visitor = Visitor(f"{LOST}&cell=weights/1:1.1")
    assert visitor.scenario == with_scores(load_example("saturated"), softmax="naive")
    assert visitor.errors == []


def test_two_sides_are_compared_where_one_is_lost() -> None:
    comparison = Comparison().ask("naive")
    assert not comparison.at.exception
    written = " ".join(node.value for node in comparison.at.get("html"))
    assert "In B, 3 of 8 rows of weights are lost to a naive softmax." in written
    assert "3 numbers lost" in written
    assert "nan%" not in written


@pytest.mark.parametrize("step", LOSING)
def test_every_step_that_loses_numbers_can_be_compared(step: str) -> None:
    a, b = "a.example=saturated", "b.example=saturated&b.softmax=naive"
    comparison = Comparison(f"{a}&{b}&a.step={step}")
    assert not comparison.at.exception
    assert "lost on one side" in " ".join(each.value for each in comparison.at.caption)


@pytest.mark.parametrize("screen", ["exponentials", "sums", "weights", "blend", "output"])
def test_the_walkthrough_passes_the_maximum_over(screen: str) -> None:
    walk = Walk(f"{LOST}&screen={screen}")
    assert not walk.at.exception
    assert walk.screen == screen
    said = " ".join(unmarked(node.value) for node in walk.at.caption)
    assert "nothing is subtracted: the softmax is naive" in said
