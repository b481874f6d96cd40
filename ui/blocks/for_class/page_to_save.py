"""A page in one file, of the scenario or of a tour, that needs no server."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.guide.screens import nearest_screen, screens_of
from mha_core.language import say
from ui.blocks.for_class.chosen_tour import chosen_tour
from ui.blocks.for_class.making import album, link_to_explorer, made_files, save
from ui.blocks.for_class.slides_of_a_tour import heads_of_stop
from ui.blocks.picture import look_of
from ui.blocks.top import sentence_of, title_of
from ui.controls.markdown import plain
from ui.prints.album import AlbumPicture
from ui.prints.pack import FileToMake
from ui.saved.page import SavedStop, saved_page, stop_of_layer
from ui.state import Session, opened_at, parts_of
from ui.state.tour_stops import SESSIONS, StopOnPage, tour_on_pages


def page_to_save(session: Session) -> None:
    """What is in the file, and the button that makes it."""
    st.markdown(
        say(
            "One HTML file, for a course site, a USB stick, or a room without a network. It has "
            "the pictures, the walkthrough, and where every number comes from. Its numbers can be "
            "dragged and edited. It loads nothing from elsewhere."
        )
    )
    tour = chosen_tour(session, say("A page of"), "page-of")
    if not st.button(say("Save as HTML"), type="primary", key=session.key("save-page")):
        return
    make = partial(_tour_as_page, tour) if tour else partial(_scenario_as_page, session)
    try:
        title = tour_on_pages(tour).title if tour else ""
        save(session, made_files(session, [FileToMake("page.html", make)]), "page", title)
    except MhaError as error:
        st.error(plain(str(error)))


def _scenario_as_page(session: Session) -> bytes:
    """The pictures of the explorer and the screens of the walkthrough; of layers, of each."""
    title = title_of(session)
    if len(session.stack.layers) == 1:
        stops = [_stop_of(session, title, sentence_of(session))]
    else:
        stops = [_stop_of_layer(session, number) for number in range(len(session.stack.layers))]
    return saved_page(title, stops, link_to_explorer(session))


def _stop_of(session: Session, title: str, sentence: str) -> SavedStop:
    trace = session.trace
    pictures = [picture for name, picture in album(session).items() if _is_shown(name, picture)]
    look, screens = look_of(session), screens_of(trace.scenario)
    return SavedStop(title, sentence, trace, look, pictures, screens)


def _stop_of_layer(session: Session, number: int) -> SavedStop:
    shown = Session(session.stack, replace(session.view.without_glances(), layer=number))
    shown.leave()
    title = say("{title}, layer {layer}").format(title=title_of(session), layer=number + 1)
    return stop_of_layer(_stop_of(shown, title, sentence_of(shown)), shown.traces)


def _is_shown(name: str, picture: AlbumPicture) -> bool:
    """The walkthrough shows single steps and single heads."""
    return not picture.is_step and not name.startswith("head-")


def _tour_as_page(name: str) -> bytes:
    tour = tour_on_pages(name)
    return saved_page(tour.title, [each for stop in tour.stops for each in _stops(stop)])


def _stops(stop: StopOnPage) -> Iterator[SavedStop]:
    """A stop of a tour; of a comparison, one for each side."""
    for name, part in parts_of(stop.params, SESSIONS[stop.page]).items():
        session = opened_at(part, name)
        s, view, look = session.scenario, session.view, look_of(session)
        is_screen = stop.page == "walkthrough"
        yield SavedStop(
            title_of(session),
            stop.sentence,
            session.trace,
            look,
            [] if is_screen else [_heads(session)],
            [nearest_screen(view.screen, s)] if is_screen else [],
        )


def _heads(session: Session) -> AlbumPicture:
    return AlbumPicture(
        "heads", say("The heads"), "", "", lambda _: heads_of_stop(session), is_step=False
    )
