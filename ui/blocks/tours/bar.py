"""The bar of a tour, above the page that a stop is about: what is said there, and the way on."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from mha_core import Trace
from mha_core.guide.tours import Stop
from mha_core.language import say
from ui.blocks.claims import NOT_TRUE
from ui.blocks.tours.printed import printed_beside_ours
from ui.controls.to_the_top import to_the_top
from ui.controls.walk_keys import walk_keys
from ui.state import SHOWN_ALIKE, Moment, Session, View, opened, parts_of, sessions_of_page
from ui.state.tour_stops import FILES, SESSIONS, StopOnPage, TourOnPages, tour_on_pages

# The keys of the ways to the stop before, and to the next one.
TOUR_BACK: Final = "tour-back"
TOUR_ON: Final = "tour-on"
WALKTHROUGH: Final = "walkthrough"
LIST_OF_TOURS: Final = "tours.py"
ELSEWHERE: Final = say(
    "The page no longer shows what this stop is about. “Show again” brings it back."
)

# What a person looks at on a page, as fields of the view.
LOOKED_AT: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("layer",),
    WALKTHROUGH: ("screen", "layer", "head"),
    "compare": ("step", "layer", "head"),
    "patterns": (),
    "build": ("puzzle",),
}


def tour_bar(session: Session, page: str = "") -> None:
    """Where we are in the tour that the page's address names; nothing if it names none."""
    if not session.view.tour:
        return
    tour = tour_on_pages(session.view.tour)
    number = session.view.stop
    stop = tour.stops[number - 1]
    with st.container(gap="xsmall", key=session.key("tour")):
        with st.container(
            horizontal=True, vertical_alignment="center", key=session.key("tour-way")
        ):
            place = say("Stop {number} of {count}").format(number=number, count=len(tour.stops))
            st.html(f'<p class="tour-title">{html.escape(tour.title)}<span>{place}</span></p>')
            _way(session, page, tour, number)
        st.html(_said(session, page, stop), width="stretch")
    to_the_top(session, f"{tour.name} {number}")
    if page != WALKTHROUGH:  # which has keys of its own
        walk_keys(session, TOUR_BACK, TOUR_ON, of_remote_alone=True)


def way_behind(session: Session, page: str) -> dict[str, str] | None:
    """The ways to the stops before and after this one, unseen, for keys that press them.

    Returns their keys in the page; "" if there is no such stop. None if no tour is running.
    """
    if not session.view.tour:
        return None
    stops, number = tour_on_pages(session.view.tour).stops, session.view.stop
    back, on = session.key(TOUR_BACK), session.key(TOUR_ON)
    if number > 1:
        _to(session, page, say("Previous stop"), TOUR_BACK, stops[number - 2])
    if number < len(stops):
        _to(session, page, say("Next stop"), TOUR_ON, stops[number])
    return {"back": back if number > 1 else "", "on": on if number < len(stops) else ""}


def sentence_of_stop(session: Session, page: str) -> str:
    """The sentence of the tour's stop, if a tour is running and still shows what the stop did.

    It says so if what a person changed made it false.
    """
    if not session.view.tour:
        return ""
    stop = tour_on_pages(session.view.tour).stops[session.view.stop - 1]
    if _is_elsewhere(session, page, stop):
        return ""
    holds = not stop.ours or stop.ours.holds(*_traces_of(session, stop.ours))
    return stop.sentence if holds else f"{NOT_TRUE}: {stop.sentence}"


def part_of_stop(session: Session, page: str) -> str:
    """The part that the link of the running tour's stop presents; "" where it names none."""
    stop = tour_on_pages(session.view.tour).stops[session.view.stop - 1]
    return _view_of(session, page, stop).part


def place_of_stop(session: Session) -> str:
    """Which of how many stops of the running tour this is; "" where it is the only one."""
    count = len(tour_on_pages(session.view.tour).stops)
    says = say("({number} of {count})") if count > 1 else ""
    return says.format(number=session.view.stop, count=count)


def _way(session: Session, page: str, tour: TourOnPages, number: int) -> None:
    """The ways to the stop before, to the next, to this one as it was, and out of the tour."""
    stops = tour.stops
    with st.container(
        horizontal=True,
        width="content",
        vertical_alignment="center",
        gap="xsmall",
        key=session.key("tour-tools"),
    ):
        _to(
            session,
            page,
            say("Previous stop"),
            TOUR_BACK,
            stops[number - 2] if number > 1 else None,
        )
        if number < len(stops):
            _to(session, page, say("Next stop"), TOUR_ON, stops[number])
        else:
            with st.container(width="content", key=session.key(TOUR_ON)):
                st.page_link(LIST_OF_TOURS, label=say("The end: all tours"))
        _to(session, page, say("Show again"), "tour-again", stops[number - 1])
        if st.button(say("Leave"), key=session.key("tour-leave"), type="tertiary"):
            _leave(session)


def _to(session: Session, page: str, label: str, key: str, stop: StopOnPage | None) -> None:
    """A way to a stop: a button where it is on this page, a link where it is on another."""
    if stop and stop.page != page:
        with st.container(width="content", key=session.key(key)):
            st.page_link(FILES[stop.page], label=label, query_params=params_at(session, stop))
        return
    st.button(
        label,
        disabled=stop is None,
        on_click=partial(_go, session, stop) if stop else None,
        type="primary" if key == TOUR_ON else "secondary",
        key=session.key(key),
    )


def _go(session: Session, stop: StopOnPage) -> None:
    if address := session.conversation.address:
        address.lead_to(params_at(session, stop))


def params_at(session: Session, stop: StopOnPage) -> dict[str, str]:
    """What the address says at a stop. Numbers keep their decimals and colours on the way.

    A person who presents goes on presenting.
    """
    alike = {name: getattr(session.view, name) for name in (*SHOWN_ALIKE, "present")}
    return {**View(**alike).to_params(), **stop.params}


def _leave(session: Session) -> None:
    """Back to the explorer as it was before the tour. Who came by a link to a stop stays there.

    Redo does not lead into the tour again: its stops are on other pages too.
    """
    explorer = opened(SESSIONS[""][0])
    before = _last_outside_tours(explorer) if explorer else None
    first = View()
    session.look_at(tour=first.tour, stop=first.stop)
    if explorer is None or before is None:
        st.rerun()
    explorer.return_to(before)
    explorer.history.forget_undone()
    st.switch_page(FILES[""])


def _last_outside_tours(session: Session) -> Moment | None:
    moments = session.history.moments[: session.history.at + 1]
    return next((moment for moment in reversed(moments) if not moment.view.tour), None)


def _said(session: Session, page: str, stop: StopOnPage) -> str:
    """The sentence of the stop, and what a document prints, beside what is computed here."""
    words = html.escape(stop.sentence)
    beside = ""
    if stop.ours and stop.page == page:
        traces = _traces_of(session, stop.ours)
        if not stop.ours.holds(*traces):
            words = f"<s>{words}</s> {NOT_TRUE}."
        beside = printed_beside_ours(stop.ours, traces[-1])
    if _is_elsewhere(session, page, stop):
        beside = f'<p class="tour-elsewhere">{ELSEWHERE}</p>{beside}'
    return f'<div class="tour-stop"><p class="tour-says">{words}</p>{beside}</div>'


def _traces_of(session: Session, stop: Stop) -> list[Trace]:
    """Of each side of the page, that of the layer that the stop is about; else of the last one."""
    sides = sessions_of_page(session)
    return [side.traces.layers[: stop.layer + 1][-1] for side in sides]


def _is_elsewhere(session: Session, page: str, stop: StopOnPage) -> bool:
    """Whether another screen, step or head is looked at than this stop is about."""
    if stop.page != page:
        return True
    its = _view_of(session, page, stop)
    return any(getattr(session.view, name) != getattr(its, name) for name in LOOKED_AT[page])


def _view_of(session: Session, page: str, stop: StopOnPage) -> View:
    """How the link of a stop shows the page."""
    view, _ = View.from_params(parts_of(stop.params, SESSIONS[page])[session.name])
    return view
