"""Parts of the page that run alone, and when the whole page has to run instead.

A busy browser may send several events at once, such as a click on a cell and the number that was
typed after it. Streamlit then calls the callbacks of all of them, but runs only the fragment that
one of them came from. Nobody would answer the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from ui.state import Kept, Session, View


class Answered(NamedTuple):
    """What a run of the whole page has answered, of all that may happen beside a fragment."""

    kept: Kept
    view: View
    taken: int
    is_asked_for_inputs: bool
    refusals: tuple[Any, ...]


def answered(session: Session, *own: str) -> Answered:
    """To be handed to a fragment. It answers picks of cells, and its `own` fields of the view."""
    view = replace(session.view, cell=None, **{name: getattr(View(), name) for name in own})
    refusals = tuple(session.refusals.values())
    return Answered(session.now.kept, view, session.taken, session.is_asked_for_inputs, refusals)


def leave_to_whole_page(session: Session, known: Answered, *own: str) -> None:
    """The first line of a fragment: if more has happened than it answers, the whole page runs."""
    if answered(session, *own) != known or session.is_asked_to_step:
        st.rerun()
