"""The best answers to puzzles: what is kept, and what a tab may bring back."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.puzzles.ladder import PUZZLES
from ui.edits.puzzle_entries import begun, solved
from ui.state.best_answers import Kept, as_text, bring_back, note_answer

SOLVED = solved(PUZZLES["first"])


def stars(kept: Kept) -> dict[str, int]:
    return {name: best.stars for name, best in kept.items()}


def test_the_one_with_most_stars_is_kept() -> None:
    kept: Kept = {}
    note_answer(kept, "first", 0, begun("first"))
    assert as_text(kept) is None
    for its_stars in (2, 1, 3, 2):
        note_answer(kept, "first", its_stars, SOLVED)
    assert stars(kept) == {"first": 3}


def test_what_the_tab_keeps_comes_back() -> None:
    kept: Kept = {}
    note_answer(kept, "first", 3, SOLVED)
    again: Kept = {}
    bring_back(again, as_text(kept) or "")
    assert again == kept


def test_an_answer_that_is_wrong_or_none_has_no_stars() -> None:
    sent = {
        "first": urlencode(stack_parameters(SOLVED)),
        "itself": urlencode(stack_parameters(begun("itself"))),
        "before": urlencode(stack_parameters(SOLVED)),
        "copy": "tokens=%00",
        "mean": 5,
        "chess": "x",
    }
    kept: Kept = {}
    bring_back(kept, json.dumps(sent))
    assert stars(kept) == {"first": 3}


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", "[" * 90_000, '{"first": {}}', "7" * 200_000]
)
def test_nonsense_brings_nothing(text: str) -> None:
    kept: Kept = {}
    bring_back(kept, text)
    assert not kept
