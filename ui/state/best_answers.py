"""A visitor's answers to each puzzle, the best and the last, as long as the tab is open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from mha_core import Stack
from mha_core.io.scenario.stack_link import decode_stack
from mha_core.puzzles.checking import check
from mha_core.puzzles.ladder import PUZZLES
from ui.edits.own_puzzle_form import is_own_puzzle
from ui.edits.puzzle_entries import puzzle_named
from ui.reports import reports
from ui.state.in_words import params_of_stack
from ui.state.refusals import REFUSES

KEY: Final = "best answers"
LEFT: Final = "answers left"
MOST_LEFT: Final = 40
MOST_CHARS: Final = 100_000  # that a tab gives back


class Best(NamedTuple):
    """Its stars, and what a link to the answer says; "" if no link can hold it."""

    stars: int
    query: str


Kept = dict[str, Best]  # by the names of the puzzles


def best_answers() -> Kept:
    """For a run of the page: a callback gets them from it."""
    kept: Kept = st.session_state.setdefault(KEY, {})
    return kept


def note_answer(kept: Kept, name: str, stars: int, stack: Stack) -> None:
    """Keep it if none has had as many stars."""
    if stars and (name not in kept or stars > kept[name].stars):
        kept[name] = Best(stars, urlencode(params_of_stack(stack) or {}))


def keep_answer(name: str, stack: Stack) -> None:
    """What a visitor has written last; it is there when they come back to the puzzle."""
    left: dict[str, Stack] = st.session_state.setdefault(LEFT, {})
    left.pop(name, None)
    left[name] = stack
    if len(left) > MOST_LEFT:
        del left[next(iter(left))]


def kept_answer(name: str) -> Stack | None:
    """What was written last, else the best answer; for a callback."""
    state = reports()
    if name in state.get(LEFT, {}):
        stack: Stack = state[LEFT][name]
        return stack
    best = state.get(KEY, {}).get(name)
    with suppress(*REFUSES):
        return decode_stack(dict(parse_qsl(best.query))) if best and best.query else None
    return None


def as_text(kept: Kept) -> str | None:
    """What the tab keeps; None while there is nothing."""
    return json.dumps({name: best.query for name, best in kept.items()}) if kept else None


def bring_back(kept: Kept, text: str) -> None:
    """What a tab has kept. Each answer is checked again: anyone can send anything."""
    for name, query in _answers_in(text):
        with suppress(*REFUSES):
            stack, puzzle = decode_stack(dict(parse_qsl(query))), puzzle_named(name)
            note_answer(kept, name, check(puzzle, puzzle.answer_in(stack)).stars, stack)


def _answers_in(text: str) -> Iterator[tuple[str, str]]:
    with suppress(ValueError, RecursionError):
        said = json.loads(text) if len(text) <= MOST_CHARS else None
        if isinstance(said, Mapping):
            yield from ((n, q) for n, q in said.items() if _is_puzzle(n) and isinstance(q, str))


def _is_puzzle(name: str) -> bool:
    return name in PUZZLES or is_own_puzzle(name)
