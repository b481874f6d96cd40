"""Make what a page shows a stop of a person's own tour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.language import say
from ui.blocks.presenting.parts import SEEN_AT_STOPS
from ui.blocks.share import why_no_link
from ui.blocks.tours.bar import LIST_OF_TOURS
from ui.blocks.tours.own import (
    DRAFT,
    FIRST_TEXT,
    IS_BEGUN,
    OWN,
    TEXT,
    keep_own_tour,
    own_tour_is_known,
)
from ui.controls.kept_typing import keep_typing
from ui.controls.markdown import plain
from ui.edits.tour_text import (
    FIRST_TITLE,
    LONGEST_SENTENCE,
    PAGES,
    LinkedStop,
    read_tour,
    with_stop,
)
from ui.reports import note, reported, reports
from ui.state import Session, View, fits_a_link, link_of, sessions_of_page

ASKED: Final = "sentences of stops to add"  # until a run shows what they are about
WAITING: Final = "stops to add"  # until it is known to which tour
SENTENCE: Final = "stop-sentence"
TAKEN: Final = "sentences taken"  # how many
PLACE: Final = ("tour", "stop", "present")  # in an address: where in a tour it is


def add_to_own_tour(session: Session, parts: Mapping[str, str] | None = None) -> None:
    """A sentence, and a button that adds what is on the page.

    `parts` are those that the page can present, by name, with their titles. The stop presents one
    of them: at first the one that the page shows, or is about.
    """
    if not all(map(fits_a_link, sessions_of_page(session))):
        st.markdown(why_no_link(*sessions_of_page(session)))
        return
    st.markdown(say("**A tour of your own**, to be presented or made into slides"))
    st.text_input(say("What you say here"), max_chars=LONGEST_SENTENCE, key=session.key(SENTENCE))
    keep_typing(session.key(SENTENCE), st.session_state.get(TAKEN, 0))
    view = replace(session.view, part=_part(session, parts)) if parts else session.view
    place = st.container()  # above the button: below it nobody would see what is said
    st.button(
        say("Add what I see to my tour"),
        on_click=partial(_ask, session),
        key=session.key("add-stop"),
    )
    page = (st.context.url or "").partition("?")[0].rpartition("/")[2]
    asked, waiting = (st.session_state.setdefault(name, []) for name in (ASKED, WAITING))
    while asked:  # changed in place: a newer event may end the run wherever it touches the state
        stop = LinkedStop(asked.pop(0), page if page in PAGES else "", _query(session, view))
        waiting.append(stop)
    if own_tour_is_known():
        with place:
            while waiting:
                _add_first(waiting)
    keep_own_tour(session)


def _ask(session: Session) -> None:
    """Take the sentence as it is typed, and leave the field empty for the next stop."""
    key = session.key(SENTENCE)
    said = " ".join((reported(key) or "").split()) or say("Look at this.")
    before = reports()
    asked, taken = [*before.get(ASKED, ()), said], before.get(TAKEN, 0) + 1
    note({ASKED: asked, TAKEN: taken, key: ""})


def _part(session: Session, parts: Mapping[str, str]) -> str:
    """The part that the stop presents. A person may choose another."""
    names = list(parts)
    first = next(name for name in (session.view.part, SEEN_AT_STOPS, *names) if name in parts)
    return st.selectbox(
        say("It presents"),
        names,
        index=names.index(first),
        format_func=lambda name: parts[name],
        key=session.key("stop-part"),
    )


def _query(session: Session, view: View) -> str:
    params = parse_qsl(link_of(session, view), keep_blank_values=True)
    return urlencode([(name, text) for name, text in params if name not in PLACE])


def _add_first(waiting: list[LinkedStop]) -> None:
    before = st.session_state.get(f"{OWN}-{DRAFT}") or ""
    begun = before if before not in ("", FIRST_TEXT) else f"# {FIRST_TITLE}\n"
    text = with_stop(begun, waiting.pop(0))
    try:
        count = len(read_tour(text).stops)
    except MhaError as error:
        st.error(plain(str(error)))
        return
    written = dict.fromkeys((f"{OWN}-{DRAFT}", f"{OWN}-{TEXT}"), text)
    note({**written, f"{OWN}-{IS_BEGUN}": True})
    st.caption(say("It is stop {number} of your tour.").format(number=count))
    st.page_link(LIST_OF_TOURS, label=say("See your tour, and save it"))
