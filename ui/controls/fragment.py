"""Parts of the page that run alone, and when the whole page has to run instead.

A busy browser may send several events at once, such as a click on a cell and the number that was
typed after it. Streamlit then calls the callbacks of all of them, but runs only the fragment that
one of them came from. Nobody would answer the others.

Streamlit also loses the end of a run of the whole page if an event of a fragment arrives just as
that run ends: its last elements never leave the server, and the browser takes them off the page.
The server sees this only because the browser has no receipt for that run.

Most changes are numbers. Some fragments follow them: together they show all that a number changes,
and run without the rest of the page. See ui/blocks/numbers_alone.py.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Concatenate, Final, ParamSpec

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.machine.line import LINE
from ui.state import Answered, Session, View, answered_now, has_receipt, last_run_seen

P = ParamSpec("P")
Draw = Callable[Concatenate[Session, P], None]

# Groups of what follows a number, in this order: people look at the pictures first.
PICTURES: Final = "pictures that follow a number"
WORDS: Final = "words that follow a number"
TITLE: Final = "the title"  # this runs only if a number has changed it
NOTES: Final = "the notes"
LAST: Final = "the end of what follows a number"


def fragment(body: Callable[P, None]) -> Callable[P, None]:
    """Streamlit's fragment. Where it runs alone, it waits for its turn as a whole page does."""

    @st.fragment
    @wraps(body)
    def in_turn(*args: P.args, **others: P.kwargs) -> None:
        with LINE.turn():
            body(*args, **others)

    return in_turn


def follows_numbers(group: str) -> Callable[[Draw[P]], Draw[P]]:
    """A fragment that also runs when a number has changed, as one of a `group` above.

    All such runs of one change take one turn. If one fails, the whole page runs next.
    """

    @st.fragment(key=group)
    def run(body: Draw[P], session: Session, *args: P.args, **others: P.kwargs) -> None:
        with LINE.turn(goes_on=session.conversation.follows_numbers and group != LAST):
            try:
                body(session, *args, **others)
            except Exception:
                session.conversation.follows_numbers = False
                raise

    def decorate(body: Draw[P]) -> Draw[P]:
        @wraps(body)
        def begin(session: Session, /, *args: P.args, **others: P.kwargs) -> None:
            run(body, session, *args, **others)

        return begin

    return decorate


def run_what_follows_numbers(*also: str) -> None:
    """Call it last in a callback: then only these fragments run.

    TITLE and NOTES run if they are in `also`, after the pictures. All pictures may be folded. If
    other events came with this one, or another page has come meanwhile, the whole page runs.
    """
    words = [WORDS, *also, LAST]
    for groups in ([PICTURES, *words], words):
        with suppress(StreamlitAPIException):  # of a group that is not there
            st.rerun(groups)


def run_pictures(session: Session) -> None:
    """Call it last in a callback: then only the pictures run, if the browser has the rest."""
    if last_run_seen(session) >= session.conversation.last_whole_run:
        with suppress(StreamlitAPIException):  # all are folded
            st.rerun([PICTURES])


def leave_to_whole_page(session: Session, *own: str) -> None:
    """The first line of a fragment: the whole page runs if it must.

    A fragment answers picks of cells, and its `own` fields of the view. The whole page must run
    where more has happened, and where the browser may not have got all of its last run.
    """
    talk = session.conversation
    if not _runs_alone() or talk.follows_numbers:
        return
    has_more = _without(talk.answered, *own) != _without(answered_now(session), *own)
    if has_more or talk.is_asked_to_step or not has_receipt(session):
        LINE.stay_next()
        st.rerun()
    talk.answered = answered_now(session)


def _without(answered: Answered | None, *own: str) -> Answered | None:
    """The same without picks of cells, and without these fields of the view."""
    if answered is None:
        return None
    usual = {name: getattr(View(), name) for name in ("cell", *own)}
    return answered._replace(view=replace(answered.view, **usual))


def _runs_alone() -> bool:
    """Whether this is a run of fragments, and no other one has called this fragment."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(context and context.fragment_ids_this_run) and not LINE.is_within_another
