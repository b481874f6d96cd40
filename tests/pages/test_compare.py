"""The page that compares two layers: what it opens with, and what changes either side."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mha_core.comparing.questions import READY_QUESTIONS
from tests.pages.comparison import BOTH, PIZZA, Comparison, matrices
from ui import plot
from ui.blocks import heads_picture
from ui.blocks.cell_entries import take_entries
from ui.blocks.comparing import titles, words
from ui.blocks.comparing.words import THE_SAME
from ui.plot import Entry


def test_it_opens_on_a_question_with_its_answer() -> None:
    page = Comparison()
    causal = READY_QUESTIONS["causal"]
    assert page.question_shown == [causal.question]
    assert (page.a.stack, page.b.stack) == causal.sides
    assert all(claim.sentence in page.words for claim in causal.claims)
    assert len(page.plots) == 3


@pytest.mark.parametrize("address", ["present=1", "a.present=1&a.part=b"])
def test_an_address_that_only_presents_opens_on_the_same_question(address: str) -> None:
    page = Comparison(address)
    assert (page.a.stack, page.b.stack) == READY_QUESTIONS["causal"].sides
    assert page.a.view.present
    assert page.a.view.part == ("b" if "part" in address else "")


def test_an_address_opens_both_sides_and_what_is_compared() -> None:
    page = Comparison(f"{BOTH}&a.step=output&a.decimals=4")
    assert page.a.scenario == PIZZA
    assert page.b.scenario.mask.rules == ()
    assert [list(matrices(picture)) for picture in page.plots] == [["output"]] * 3
    assert page.b.view.decimals == 4
    again = Comparison("&".join(f"{name}={text}" for name, text in page.address.items()))
    assert (again.a.scenario, again.b.scenario) == (page.a.scenario, page.b.scenario)
    assert (again.a.view, again.b.view) == (page.a.view, page.b.view)


def test_the_pictures_are_sent_before_what_is_said_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many heads, distances and titles take as long to make as the pictures."""
    order: list[str] = []

    def noted(module: Any, name: str) -> None:
        of_module = getattr(module, name)

        def note(*given: Any, **named: Any) -> Any:
            order.append(name)
            return of_module(*given, **named)

        monkeypatch.setattr(module, name, note)

    noted(plot, "show")
    noted(words, "all_distances")
    noted(titles, "differences")
    monkeypatch.setattr(
        heads_picture, "time", SimpleNamespace(sleep=lambda _: order.append("sleep"))
    )
    Comparison(BOTH)
    assert order[:4] == [*["show"] * 3, "sleep"]
    assert {"all_distances", "differences"} < set(order)


def test_the_browser_has_time_to_paint_when_either_side_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    page = Comparison(BOTH)
    assert len(pauses) == 1
    page.enter("b-enter-scale", "abc")
    assert len(pauses) == 1
    page.enter("b-enter-scale", "0.5")
    assert len(pauses) == 2
    page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    assert len(pauses) == 3


def test_many_numbers_have_longer_to_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads_picture, "CELLS_A_SLEEP", 10)
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    page = Comparison(BOTH)
    cells = sum(
        np.size(matrix["values"]) for each in page.plots for matrix in matrices(each).values()
    )
    assert cells > 10
    assert len(pauses) == 1 + cells // 10


def test_a_wrong_address_is_said_in_words() -> None:
    page = Comparison(f"{BOTH}&a.step=nonsense")
    (error,) = page.errors
    assert error.startswith("step in the address must be one of ")
    assert page.a.view.step == "weights"


def test_a_cell_that_is_not_there_is_outlined_nowhere() -> None:
    page = Comparison(f"{BOTH}&a.cell=weights/7:99.99&b.cell=output:1.1&a.step=output")
    assert len(page.plots) == 3
    assert page.outlined["b"] == ["output", 0, 0]


def test_the_controls_change_the_side_that_is_chosen() -> None:
    page = Comparison(BOTH)
    page.enter("b-enter-scale", "0.5")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == ("1/sqrt(d_k)", 0.5)
    page.enter("a-side", "A").enter("a-enter-scale", "2")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == (2.0, 0.5)
    page.enter("a-side", "B").enter("b-enter-scale", "3")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == (2.0, 3.0)
    assert page.errors == []


def test_b_becomes_a_and_they_change_places() -> None:
    page = Comparison(BOTH)
    b = page.b.scenario
    page.click("a-swap")
    assert (page.a.scenario, page.b.scenario) == (b, PIZZA)
    page.click("a-copy")
    assert page.a.scenario is page.b.scenario
    assert THE_SAME in page.words


def test_a_number_entered_on_one_side_changes_that_side_and_the_difference() -> None:
    page = Comparison("a.example=pizza&b.example=pizza&a.step=x")
    take_entries(page.b, [Entry(1, "x", 0, 0, "7")])
    page.run()
    in_a, in_b, difference = (matrices(picture)["x"] for picture in page.plots)
    assert (in_a["values"][0, 0], in_b["values"][0, 0], difference["values"][0, 0]) == (1, 7, 7)
    assert difference["before"][0, 0] == 1
    assert in_a["high"] == in_b["high"] == 7
    assert "X 1 of 32 numbers differ" in page.words


def test_how_numbers_are_shown_is_chosen_for_both_sides() -> None:
    page = Comparison(BOTH)
    page.a.change_view(decimals=5, palette="teal")
    page.run()
    assert (page.b.view.decimals, page.b.view.palette) == (5, "teal")
    assert page.b.history.last == 0  # no step of B


def test_what_moved_in_the_explorer_is_not_what_the_sides_show() -> None:
    page = Comparison("a.example=pizza&a.scale=0.9&a.moved=example&b.example=pizza&b.moved=example")
    befores = [["before" in m for m in matrices(p).values()] for p in page.plots]
    assert befores == [[False] * 2, [False] * 2, [True] * 2]
