"""A person's own tour: written as a text, kept as a file and as a link."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.language import say
from ui.blocks.tours.begin import begin_button
from ui.controls.address_of_page import keep_in_address
from ui.controls.copy_text import copy_text
from ui.controls.drop_file import take_dropped_file
from ui.controls.file_field import file_field
from ui.controls.file_names import as_file_name
from ui.controls.kept_text import has_told, keep_text
from ui.controls.markdown import plain
from ui.controls.order_list import order_list
from ui.controls.save_button import save_button
from ui.controls.to_the_top import to_the_top
from ui.edits.tour_text import (
    FIRST_TITLE,
    MOST_CHARS,
    OR_A_TITLE,
    LinkedStop,
    OwnTour,
    pack_tour,
    read_tour,
    unpack_tour,
    write_tour,
)
from ui.reports import note, reported, reports
from ui.state import Session, opened_at, parts_of
from ui.state.tour_stops import SESSIONS, TourOnPages, tour_on_pages

FIRST_TEXT: Final = """\
# {title}

{large}
/walkthrough?example=wide-head&screen=scores

{small}
/walkthrough?example=wide-head&screen=scale

{without}
/compare?a.example=wide-head&b.example=wide-head&b.scale=none
""".format(
    title=say("Why scores are divided by the square root of d_k"),
    large=say("The scores of a wide head are large."),
    small=say("Divided by the square root of 64, they are small."),
    without=say("Without the division, one key would get nearly all weight."),
)
TEXT: Final = "tour-text"
FILE: Final = "tour-file"
DRAFT: Final = "tour-draft"
BEFORE: Final = "tour-before"
IS_BEGUN: Final = "tour-is-begun"  # by stops that were added on other pages
PAGE: Final = "tours"
ANCHOR: Final = "own"  # below our tours, to which a link above them leads
KEPT: Final = "tour"  # the name of what the tab keeps
OWN: Final = "t"  # the name of the page's session
SEVERAL: Final = 500  # stops that have been checked


class TourInALink(NamedTuple):
    """A tour that can be begun."""

    title: str
    packed: str


def own_tour(session: Session) -> None:
    """The text of a tour, what is wrong with it, and what can be done with it."""
    to_the_top(session, PAGE)
    st.header(say("A tour of your own"), anchor=ANCHOR)
    links = say("Put each address of a page on a line of its own, and write a sentence above it.")
    notes = say("Lines below a link that begin with > are your notes.")
    st.markdown(f"{links} {plain(f'{OR_A_TITLE} {notes}')}")
    text = _text(session)
    tour, wrong = _read(text)
    if wrong:
        st.error(plain(wrong))
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("own-tour")):
        begun = tour_on_pages(tour.packed) if tour else None
        begin_button(begun, session.key("begin-tour"), "primary")
        title = tour.title if tour else FIRST_TITLE
        save_button(
            say("Save as a file"),
            lambda: text,
            f"{as_file_name(title, 'tour')}.txt",
            key=session.key("save-tour"),
        )
        if before := st.session_state.get(session.key(BEFORE)):
            st.button(
                say("Bring my text back"),
                on_click=partial(_write, session, before),
                key=session.key("bring-back"),
            )
    _link(session, begun)
    _order(session, text)
    if tour and text != FIRST_TEXT:
        keep_in_address(session, PAGE, {"tour": tour.packed})
    _field_for_a_saved_tour(session)
    keep_own_tour(session)


def own_tour_is_begun() -> bool:
    """Whether a person has added stops to it on other pages. They come to see it."""
    return f"{OWN}-{IS_BEGUN}" in st.session_state


def keep_own_tour(session: Session) -> None:
    """Let the tab keep it over a reload. Call this after all that may change it."""
    draft = st.session_state.get(f"{OWN}-{DRAFT}")
    key = session.key("kept-tour")
    text = None if draft in (None, FIRST_TEXT) else draft
    keep_text(key, KEPT, text, _bring_back, always_tells=True)


def own_tour_is_known() -> bool:
    """Whether nothing that the tab has kept from before a reload may still come."""
    return has_told(KEPT) or st.session_state.get(f"{OWN}-{DRAFT}") not in (None, FIRST_TEXT)


def _bring_back(text: str) -> None:
    """Take what the tab has kept, unless something was written since."""
    if reports().get(f"{OWN}-{DRAFT}") in (None, FIRST_TEXT):
        note(dict.fromkeys((f"{OWN}-{DRAFT}", f"{OWN}-{TEXT}"), text[:MOST_CHARS]))


def own_tour_of(name: str) -> TourInALink | None:
    """The tour that a person has written on the page of tours, for other pages; None if none."""
    text = st.session_state.get(f"{name}-{DRAFT}") or ""
    return _read(text)[0] if text != FIRST_TEXT else None


def _text(session: Session) -> str:
    """What a person has written. It stays while other pages are looked at."""
    key, kept = session.key(TEXT), session.key(DRAFT)
    st.session_state.setdefault(key, st.session_state.get(kept) or _text_of_address())
    text = st.text_area(
        say("Sentences and links"),
        height=320,
        max_chars=MOST_CHARS,
        key=key,
        on_change=partial(_keep, session),
    )
    st.session_state[kept] = text
    return text


def _keep(session: Session) -> None:
    """Keep the text even if the person goes to another page next."""
    note({session.key(DRAFT): reported(session.key(TEXT))})


def _read(text: str) -> tuple[TourInALink | None, str]:
    """The tour, or what is wrong with its text."""
    try:
        tour = read_tour(text)
        wrong = _first_wrong_stop(tour)
        return (None, wrong) if wrong else (TourInALink(tour.title, pack_tour(tour)), "")
    except MhaError as error:
        return None, str(error)


def take_as_text(session: Session, name: str) -> None:
    """Let a person change one of our tours. What was written before can be brought back."""
    tour = tour_on_pages(name)
    stops = (
        LinkedStop(stop.sentence, stop.page, urlencode(_without_place(stop.params)))
        for stop in tour.stops
    )
    _write(session, write_tour(OwnTour(tour.title, tuple(stops))))


def _write(session: Session, text: str, *, keeps_before: bool = True) -> None:
    """Put a text in the place of what a person has written, and keep that."""
    written = reported(session.key(TEXT)) or ""
    keeps_before &= written not in (FIRST_TEXT, text, "")
    note({session.key(TEXT): text, **({session.key(BEFORE): written} if keeps_before else {})})


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
            return say("Line {line}: {reason}").format(line=stop.line, reason=wrong)
    return ""


@lru_cache(SEVERAL)
def _wrong_with(page: str, query: str) -> str:
    params = dict(parse_qsl(query, keep_blank_values=True))
    names = SESSIONS[page]
    refusals = [opened_at(part).refusals for part in parts_of(params, names).values()]
    return " ".join(refused["address"].reason for refused in refusals if refused)


def _link(session: Session, tour: TourOnPages | None) -> None:
    """The link to the first stop, to be copied; while the text is wrong, there is none."""
    link = ""
    if tour:
        begin = tour.stops[0]
        here = (st.context.url or "").partition("?")[0].rpartition("/")[0]
        link = f"{here}/{begin.page}?{urlencode(begin.params)}"
    copy_text(say("Link to the tour"), link, session.key("tour-link"))


def _order(session: Session, text: str) -> None:
    """The stops in a list, to be dragged into another order; where the text can be read."""
    try:
        tour = read_tour(text)
    except MhaError:
        return

    def take(order: Sequence[int]) -> None:
        stops = tuple(tour.stops[place] for place in order)
        _write(session, write_tour(OwnTour(tour.title, stops)), keeps_before=False)

    if len(tour.stops) > 1:
        lines = [stop.sentence for stop in tour.stops]
        order_list(say("Stops, in their order"), lines, session.key("order-of-stops"), take)


def _field_for_a_saved_tour(session: Session) -> None:
    def take(data: bytes, name: str) -> None:
        _write(session, data[: 4 * MOST_CHARS].decode("utf-8", "replace"))

    label = say("Open a tour that was saved")
    file_field(session, FILE, label, (".txt", ".md"), take, take_away=lambda: None, width=480)
    take_dropped_file(session, FILE)
