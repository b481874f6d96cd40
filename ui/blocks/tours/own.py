"""A tour of one's own: written as a text, kept as a file and as a link."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from mha_core.checks.errors import MhaError
from ui.blocks.tours.stops import FILES, SESSIONS, tour_on_pages
from ui.controls.copy_text import copy_text
from ui.controls.fields import show_refusal
from ui.controls.markdown import plain
from ui.edits.tour_text import (
    MOST_CHARS,
    LinkedStop,
    OwnTour,
    pack_tour,
    read_tour,
    unpack_tour,
    write_tour,
)
from ui.reports import reported
from ui.state import Session, opened_at, parts_of

FIRST_TEXT: Final = """\
# Why scores are divided by the square root of d_k

The scores of a wide head are large.
/walkthrough?example=wide-head&screen=scores

Divided by the square root of 64, they are small.
/walkthrough?example=wide-head&screen=scale

Without the division, one key would get nearly all weight.
/compare?a.example=wide-head&b.example=wide-head&b.scale=none
"""
TEXT: Final = "tour-text"
FILE: Final = "tour-file"
SEVERAL: Final = 500  # stops that have been checked


def own_tour(session: Session) -> None:
    """The text of a tour, what is wrong with it, and what can be done with it."""
    st.subheader("A tour of your own", anchor=False)
    st.markdown(
        "Copy the addresses of pages, one below the other, and write a sentence above each."
    )
    show_refusal(session, "address")
    key = session.key(TEXT)
    st.session_state.setdefault(key, _text_of_address())
    text = st.text_area("Sentences and links", height=320, max_chars=MOST_CHARS, key=key)
    try:
        tour = read_tour(text)
        packed = pack_tour(tour)
    except MhaError as error:
        st.error(plain(str(error)))
    else:
        if wrong := _first_wrong_stop(tour):
            st.error(plain(wrong))
        else:
            _ways_to_keep(session, tour, packed)
    st.file_uploader(
        "Open a tour that was saved",
        type=["txt", "md"],
        key=session.key(FILE),
        on_change=partial(_open_file, session),
        width=480,
    )


def take_as_text(session: Session, name: str) -> None:
    """Let a person change one of our tours."""
    tour = tour_on_pages(name)
    stops = (
        LinkedStop(stop.sentence, stop.page, urlencode(_without_place(stop.params)))
        for stop in tour.stops
    )
    st.session_state[session.key(TEXT)] = write_tour(OwnTour(tour.title, tuple(stops)))


def _without_place(params: dict[str, str]) -> dict[str, str]:
    return {param: text for param, text in params.items() if param not in ("tour", "stop")}


def _text_of_address() -> str:
    """The tour that the address names, else a short one, to begin with."""
    try:
        return write_tour(unpack_tour(st.query_params.get("tour", "")))
    except MhaError:
        return FIRST_TEXT


def _first_wrong_stop(tour: OwnTour) -> str:
    """What is wrong with the first stop that does not open; nothing, if all do."""
    for stop in tour.stops:
        if wrong := _wrong_with(stop.page, stop.query):
            return f"Line {stop.line}: {wrong}"
    return ""


@lru_cache(SEVERAL)
def _wrong_with(page: str, query: str) -> str:
    params = dict(parse_qsl(query, keep_blank_values=True))
    names = SESSIONS[page]
    refusals = [opened_at(part).refusals for part in parts_of(params, names).values()]
    return " ".join(refused["address"].reason for refused in refusals if refused)


def _ways_to_keep(session: Session, tour: OwnTour, packed: str) -> None:
    """Begin it, keep it as a file, copy its link. The address keeps it for a reload.

    It begins by a button: a link would lead to the tour as it was before the last change.
    """
    begin = tour_on_pages(packed).stops[0]
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("own-tour")):
        if st.button(
            f"Begin: {len(tour.stops)} stops", type="primary", key=session.key("begin-tour")
        ):
            st.switch_page(FILES[begin.page], query_params=begin.params)
        st.download_button(
            "Save as a file", write_tour(tour), "tour.txt", key=session.key("save-tour")
        )
    here = (st.context.url or "").partition("?")[0].rpartition("/")[0]
    link = f"{here}/{begin.page}?{urlencode(begin.params)}"
    copy_text("Link to the tour", link, session.key("tour-link"))
    if write_tour(tour) != FIRST_TEXT:
        st.query_params["tour"] = packed


def _open_file(session: Session) -> None:
    if file := reported(session.key(FILE)):
        text = file.getvalue()[: 4 * MOST_CHARS].decode("utf-8", "replace")
        st.session_state[session.key(TEXT)] = text
