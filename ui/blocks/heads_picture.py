"""Every head's scores and weights, between X and what the heads make together."""

from __future__ import annotations

import time
from typing import Final
from weakref import ref

import streamlit as st

from mha_core.language import say
from mha_core.scenario.given_arrays import OF_TOKENS
from ui.blocks.cell_entries import ask_about_blocks
from ui.blocks.heads_shown import heads_in_sight, is_overview, readings_of, which_heads
from ui.blocks.overview import overview, overview_picture, say_where_colors_end
from ui.blocks.picture import look_of, outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.picture_controls import picture_controls
from ui.figures import pictures, whole
from ui.figures.overview import has_many, large_heads_figure
from ui.figures.whole import is_small_enough
from ui.machine.line import LINE
from ui.plot import Picture
from ui.state import Session, bound_fold

SLEEP: Final = 0.06  # seconds; longer than from one stroke of a held key to the next
MANY_WAIT: Final = 8  # runs of others
CELLS_A_SLEEP: Final = 2**18  # the browser needs about one more sleep for so many


def heads(session: Session) -> None:
    """Every head's scores and weights in one figure, below its controls."""
    place = st.expander(say("**The heads**"), type="compact", **bound_fold(session, "heads"))
    if place.open:
        with place:
            picture_controls(session)
            if has_many(session.scenario):
                which_heads(session)
            _heads(session)


@follows_numbers(PICTURES)
def _heads(session: Session) -> None:
    """A pick of a cell or of a page of heads runs only this fragment.

    But a page that shows X beside its heads runs the whole page: X then stands nowhere else.
    """
    leave_to_whole_page(session, *([] if _has_room_for_x(session) else ["page"]))
    if is_overview(session):
        overview(session)
    else:
        shown = heads_picture(session)
        show(session, "heads", shown)
        if shown and has_many(session.scenario):
            say_where_colors_end(session, shown)
    if shows_x(session):
        ask_about_blocks(session, *OF_TOKENS)
    outline(session, "heads", is_only_place=False)
    session.conversation.write_address()


def shows_x(session: Session) -> bool:
    """Whether X, and the second sequence, stand beside the heads, where they can be edited."""
    is_in_sight = session.view.shows("heads") and not is_overview(session)
    return is_in_sight and _has_room_for_x(session)


def _has_room_for_x(session: Session) -> bool:
    return is_small_enough(session.scenario, heads_in_sight(session))


def sleep_while_pictures_are_painted(session: Session, *beside: Session, cells: int = 0) -> None:
    """Sleep for a moment after new pictures were sent, so that the browser paints them first.

    Without the sleep it works through the rest of the page before it paints. While a key is held,
    the next stroke ends the sleep and the run: picture follows picture, and the rest of the page
    comes once, with the last. Pictures may show the numbers of other sessions `beside` its own.
    Many `cells` take longer to arrive. Where many runs wait for their turn, none sleeps.
    """
    view = session.view
    shown = (look_of(session), view.steps, view.moved, *(ref(each.trace) for each in beside))
    painted = session.make_once("painted", set[object])
    if shown not in painted and LINE.waiting < MANY_WAIT:
        _sleep(1 + cells // CELLS_A_SLEEP)
        painted.add(shown)


def _sleep(times: int) -> None:
    for _ in range(times):
        with LINE.aside():
            time.sleep(SLEEP)
        st.session_state.get("asleep")  # asks Streamlit whether a newer change ends this run


def heads_picture(session: Session) -> Picture | None:
    """The heads of the chosen page; or, if there are many, all of them small."""
    if is_overview(session):
        return overview_picture(session)
    s = session.scenario
    chosen, steps = heads_in_sight(session), session.view.steps_of(s)
    if is_small_enough(s, chosen):
        said = readings_of(session)
        names = tuple(said[head].name for head in chosen)
        alt = say("Scores and weights of the heads, between X and the output")
        return picture(session, "heads", alt, whole.whole_figure, tuple(chosen), names, steps)
    alt = say("Scores and weights of the heads, query rows and key columns")
    figure = large_heads_figure if has_many(s) else pictures.heads_figure
    return picture(session, "heads", alt, figure, tuple(chosen), steps)
