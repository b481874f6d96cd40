"""A tour as slides: a slide a stop, with its sentence, its picture and its notes."""

from urllib.parse import urlencode

import streamlit as st

from mha_core.guide.screens import SCREENS, nearest_screen
from mha_core.language import say, say_number
from mha_core.layer.trace import HEAD_STEPS
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.blocks.heads_shown import heads_on_page
from ui.blocks.picture import look_of
from ui.blocks.presenting.comparison import parts_of_comparison, sides_presented
from ui.blocks.title_line import CHANGED
from ui.blocks.top import title_of
from ui.figures.building import building_figure
from ui.figures.figure import Figure
from ui.figures.pictures import heads_figure, step_figure
from ui.figures.presented import (
    into_heads_on_screen,
    operation_figure,
    short_equation_figure,
    together_on_screen,
)
from ui.prints.slides import FLAT, Slide
from ui.state import Session, opened_at, parts_of
from ui.state.tour_stops import SESSIONS, StopOnPage, TourOnPages


def slides_of_tour(tour: TourOnPages) -> list[Slide]:
    """The title, then each stop."""
    said = [f"{n}. {stop.sentence}" for n, stop in enumerate(tour.stops, start=1)]
    count = say_number("{count} stop", "{count} stops", len(said)).format(count=len(said))
    lines = "\n".join([count, *said])
    way = say("Walk through it: {link}").format(link=_link(tour.stops[0]))
    cover = Slide(tour.title, (), "", lines, way, quiet_lines=1)
    return [cover, *(_slide(stop, tour.title) for stop in tour.stops)]


def _slide(stop: StopOnPage, of_tour: str) -> Slide:
    names = SESSIONS[stop.page]
    sessions = [opened_at(part, name) for name, part in parts_of(stop.params, names).items()]
    notes = "\n".join(filter(None, [stop.sentence, stop.notes, _link(stop)]))
    titles = dict.fromkeys(map(title_of, sessions))
    # The title of an example says what it was made for, which the stop may have changed.
    is_own = any(not (each.example_shown or each.view.title) for each in sessions)
    is_changed = any(title.endswith(CHANGED) for title in titles)
    title = of_tour if is_own or is_changed else " · ".join(titles)
    if stop.page == "build":
        return _of_puzzle(sessions[0], stop, notes)
    if stop.page == "walkthrough":
        return _of_screen(sessions[0], stop, notes)
    if stop.page == "compare":
        a, b = sessions
        return _of_comparison(a, b, stop, notes)
    return Slide(title, (), "", stop.sentence, notes, (heads_of_stop(sessions[0]),))


def _of_screen(session: Session, stop: StopOnPage, notes: str) -> Slide:
    s = session.scenario
    screen = nearest_screen(session.view.screen, s)
    formulas = tuple(equation.latex for equation in screen.equations(s, lambda _, latex: latex))
    head = session.view.head or 0
    figure = operation_figure(session.trace, screen, head, look_of(session), FLAT)
    return Slide(screen.title, formulas, "", stop.sentence, notes, (figure,))


def _of_puzzle(session: Session, stop: StopOnPage, notes: str) -> Slide:
    puzzle = puzzle_of(session)
    figure = building_figure(session.traces, puzzle, session.layer, look_of(session))
    return Slide(puzzle.title, (), "", stop.sentence, notes, (figure,))


def heads_of_stop(session: Session) -> Figure:
    """The heads as a stop shows them, or the part that its link says it presents."""
    view, trace, look = session.view, session.trace, look_of(session)
    heads = [view.head] if view.head is not None else heads_on_page(session.scenario, view.page)
    if view.part in {step.name for step in HEAD_STEPS}:
        return step_figure(trace, view.part, heads, look)
    if view.part in SCREENS:
        return operation_figure(trace, SCREENS[view.part], heads[0], look, FLAT)
    if view.part == "head":
        return short_equation_figure(trace, heads[0], look, FLAT)
    if view.part == "together":
        return together_on_screen(trace, look)
    into = into_heads_on_screen(trace, look) if view.part == "into" else None
    return into or heads_figure(trace, heads, view.steps_of(trace.scenario), look)


def _of_comparison(a: Session, b: Session, stop: StopOnPage, notes: str) -> Slide:
    """A, B and their difference as the page presents them, or the one that the stop shows."""
    part = parts_of_comparison(b, a).now
    sides = sides_presented(a, b)
    shown = [side for side in sides if side.name == part.name] or sides
    figures, names = zip(*((side.figure, side.caption) for side in shown), strict=True)
    return Slide(part.title, (), "", stop.sentence, notes, figures, names if len(shown) > 1 else ())


def _link(stop: StopOnPage) -> str:
    page = (st.context.url or "").partition("?")[0].rpartition("/")[0]
    return f"{page}/{stop.page}?{urlencode(stop.params)}"
