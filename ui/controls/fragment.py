"""Parts of the page that run alone, and when the whole page has to run instead.

A busy browser may send several events at once, such as a click on a cell and the number that was
typed after it. Streamlit then calls the callbacks of all of them, but runs only the fragment that
one of them came from. Nobody would answer the others.

Streamlit also forgets the end of a run of the whole page, if an event of a fragment arrives in the
moment in which that run ends: what it sent last never leaves the server, and the browser takes it
off the page. Nothing tells the server so, but that the browser has no receipt for that run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.state import Kept, Session, View, has_receipt
from ui.state.line import LINE

P = ParamSpec("P")


def fragment(body: Callable[P, None]) -> Callable[P, None]:
    """Streamlit's fragment. Where it runs alone, it waits for its turn as a whole page does."""

    @st.fragment
    @wraps(body)
    def in_turn(*args: P.args, **others: P.kwargs) -> None:
        with LINE.turn():
            body(*args, **others)

    return in_turn


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
    """The first line of a fragment: the whole page runs if it must.

    It must where more has happened than the fragment answers, and where the browser may not have
    got all of its last run.
    """
    has_more = answered(session, *own) != known or session.is_asked_to_step
    if has_more or (_runs_alone() and not has_receipt(session)):
        LINE.stay_next()
        st.rerun()


def _runs_alone() -> bool:
    """Whether this is a run of fragments, not one of the whole page, which sends them too."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(context and context.fragment_ids_this_run)
