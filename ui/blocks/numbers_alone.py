"""A run of numbers: if a change has moved only numbers, only the parts that show them run.

Most changes do. The tools, switches and folds of the page are more than half of its elements, and
stay as they are. The parts that follow numbers are fragments: `follows_numbers` of
ui/controls/fragment.py. `_outside` describes all else. If that has changed since the last run of
the whole page, the whole page runs again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import streamlit as st

from mha_core.examples import Example
from ui.blocks.cell_entries import answer_entries
from ui.blocks.top import title_of
from ui.controls.fragment import LAST, NOTES, TITLE, follows_numbers, run_what_follows_numbers
from ui.reports import reports
from ui.state import (
    Refusal,
    Session,
    View,
    ask_for_receipt,
    asks_to_step,
    fits_a_link,
    last_run_seen,
)

# What opens over the page or in it, by the keys of its buttons. It is in none of these fragments:
# while it is open, the whole page runs.
OPENS: Final = (
    "added",
    "download",
    "editors",
    "examples",
    "mask-picture",
    "moved-options",
    "share",
    "to-compare",
    "view-options",
)


class _Outside(NamedTuple):
    """All that decides what stands outside of these fragments."""

    view: View
    title: str
    example: Example | None
    labels: tuple[Sequence[str], ...]
    stream: tuple[int, bool]  # how many layers, and whether each adds to its X
    sizes: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    refusals: Sequence[Refusal]


def run_numbers_alone(session: Session) -> None:
    """Call it last in a callback: if only numbers have changed, only their parts run.

    An undo may have come before the entry that it takes back, and waits for it: then all runs.
    """
    talk = session.conversation
    before = talk.outside
    is_asked_to_step = talk.is_asked_to_step or asks_to_step(session)
    if is_asked_to_step or not isinstance(before, _Outside):
        return
    now, seen = _outside(session), last_run_seen(session)
    if not now or now._replace(title=before.title) != before:
        return
    if seen >= talk.last_whole_run:
        is_known = seen >= talk.run  # else a run was stopped that may have shown something else
        title = [] if is_known and now.title == before.title else [TITLE]
        talk.begin_run_of_numbers()
        run_what_follows_numbers(*title, NOTES)


@follows_numbers(LAST)
def end_of_page(session: Session) -> None:
    """The address, what became of the entries, and the receipt of the run.

    Whether all fits a link is asked only here: people look at the pictures first.
    """
    talk = session.conversation
    if talk.follows_numbers and not fits_a_link(session):
        st.rerun()
    talk.write_address()  # also where all pictures, which write it too, are folded
    answer_entries(session)
    ask_for_receipt(session)
    talk.outside = _outside(session) if fits_a_link(session) else None


def _outside(session: Session) -> _Outside | None:
    """None where something is shown that may change with any number."""
    s = session.scenario
    says_more = session.view.tour or s.heads_off
    asks = session.blocks or session.offers
    if says_more or asks or _is_anything_open(session):
        return None
    return _Outside(
        view=replace(session.view, cell=None, page=1),
        title=title_of(session),
        example=session.example_shown,
        labels=(s.tokens, s.context_tokens, session.stack.words),
        stream=(len(session.stack.layers), session.stack.residual),
        sizes=s.sizes,
        shapes={name: array.shape for name, array in s.given().items()},
        refusals=tuple(session.refusals.values()),
    )


def _is_anything_open(session: Session) -> bool:
    opened = reports()
    return any(opened.get(session.key(name)) for name in OPENS)
