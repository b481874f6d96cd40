"""A run of numbers: where a change has moved nothing but numbers, only what they are shown in runs.

Most changes do. The tools, switches and folds of the page are more than half of its elements, and
stay as they are. What follows numbers are fragments: `follows_numbers` of ui/controls/fragment.py.
All that stands outside of them is what `_outside` says. Where that has changed since the last run
of the whole page, the whole page runs again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from ui.blocks.about import notes_that_hold
from ui.blocks.cell_entries import answer_entries
from ui.blocks.top import title_of
from ui.controls.fragment import LAST, follows_numbers, run_what_follows_numbers
from ui.reports import reports
from ui.state import (
    Refusal,
    Session,
    View,
    ask_for_receipt,
    fits_a_link,
    has_seen_whole_page,
    note_run_of_numbers,
)

# What opens over the page or in it, by the keys of its buttons. It shows numbers, and no fragment
# of ours.
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
    """All that is shown where nothing follows numbers."""

    view: View
    title: str
    example: str | None
    sizes: Any
    labels: Any
    heads_off: frozenset[int]
    notes: tuple[str, ...]
    refusals: tuple[Refusal, ...]


def run_numbers_alone(session: Session) -> None:
    """To be called last in a callback: if nothing else has changed, no more runs than must."""
    is_shown = session.outside is not None and has_seen_whole_page(session)
    if is_shown and not session.is_asked_to_step and session.outside == _outside(session):
        note_run_of_numbers(session)
        run_what_follows_numbers()


@follows_numbers(LAST)
def end_of_page(session: Session) -> None:
    """What became of the entries, and the receipt of the run."""
    is_whole = not session.follows_numbers
    answer_entries(session)
    ask_for_receipt(session)
    if is_whole:
        session.outside = _outside(session)


def _outside(session: Session) -> _Outside | None:
    """None where something is shown that may change with any number."""
    s, view = session.scenario, session.view
    opened = reports()
    is_open = any(opened.get(session.key(name)) for name in OPENS)
    if view.tour or session.blocks or session.offers or is_open or not fits_a_link(session):
        return None
    example = session.example_shown
    return _Outside(
        replace(view, cell=None, page=1),
        title_of(session),
        example.name if example else None,
        s.sizes,
        (s.tokens, s.context_tokens),
        frozenset(s.heads_off),
        notes_that_hold(session),
        tuple(session.refusals.values()),
    )
