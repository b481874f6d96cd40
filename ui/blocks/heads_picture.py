"""Every head's scores and weights, between X and what the heads make together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Final
from weakref import ref

import streamlit as st

from mha_core import Scenario
from mha_core.reading.head_orders import heads_in_order
from mha_core.reading.sentences import Reading, all_readings
from ui.blocks.cell_entries import ask_about_blocks
from ui.blocks.picture import look_of, outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.picture_controls import picture_controls
from ui.figures import pictures, whole
from ui.figures.pictures import HEADS_A_PAGE
from ui.figures.whole import is_small_enough
from ui.machine.line import LINE
from ui.plot import Picture
from ui.state import Session, bound_fold, bound_to_view

GIVEN_BESIDE: Final = ("x", "context")  # what a person gives, of what stands beside the heads
SLEEP: Final = 0.06  # seconds; longer than from one stroke of a held key to the next
MANY_WAIT: Final = 8  # runs of others
CELLS_A_SLEEP: Final = 2**18  # so many are on their way to the browser for about as long again


def heads(session: Session) -> None:
    """Every head's scores and weights in one figure, below what is chosen for it."""
    place = st.expander("**The heads**", type="compact", **bound_fold(session, "heads"))
    if place.open:
        with place:
            picture_controls(session)
            _heads(session)


@follows_numbers(PICTURES)
def _heads(session: Session) -> None:
    """A pick of a cell or of a page of heads runs only this fragment."""
    leave_to_whole_page(session, "page")
    of = session.scenario
    pages = count_pages(of)
    if pages > 1:
        st.segmented_control(
            "Heads in the picture",
            range(1, pages + 1),
            required=True,
            format_func=partial(heads_of_page, n_heads=of.n_heads),
            **bound_to_view(session, "page", show_as=lambda page: min(page, pages)),
        )
    show(session, "heads", heads_picture(session))
    if shows_x(session):
        ask_about_blocks(session, *GIVEN_BESIDE)
    outline(session, "heads", is_only_place=False)
    session.conversation.write_address()


def shows_x(session: Session) -> bool:
    """Whether X, and the second sequence, stand beside the heads, where they can be edited."""
    return session.view.shows("heads") and is_small_enough(
        session.scenario, _heads_of_page(session)
    )


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


def count_pages(s: Scenario) -> int:
    """How many pictures it takes to show all heads."""
    return -(-s.n_heads // HEADS_A_PAGE)


def heads_on_page(s: Scenario, page: int) -> range:
    """The heads, from 0, of a page, which is counted from 1."""
    return range(s.n_heads)[HEADS_A_PAGE * (page - 1) : HEADS_A_PAGE * page]


def heads_of_page(page: int, n_heads: int) -> str:
    """The numbers of the first and the last head of a page.

    >>> heads_of_page(2, n_heads=20)
    '17 to 20'
    """
    return f"{HEADS_A_PAGE * (page - 1) + 1} to {min(HEADS_A_PAGE * page, n_heads)}"


def ordered_heads(session: Session) -> Sequence[int]:
    """The heads in the order that a person has chosen."""
    by = session.view.order
    if by == "number":
        return range(session.scenario.n_heads)
    said = readings_of(session)
    return session.make_once(("order", by), lambda: heads_in_order(session.trace, said, by))


def readings_of(session: Session) -> tuple[Reading, ...]:
    """Each head in a sentence."""
    return session.make_once("readings", lambda: all_readings(session.trace))


def _heads_of_page(session: Session) -> Sequence[int]:
    first = HEADS_A_PAGE * (min(session.view.page, count_pages(session.scenario)) - 1)
    return ordered_heads(session)[first : first + HEADS_A_PAGE]


def heads_picture(session: Session) -> Picture | None:
    """The heads of the page that is chosen."""
    s, view = session.scenario, session.view
    chosen = _heads_of_page(session)
    if is_small_enough(s, chosen):
        said = readings_of(session)
        names = tuple(said[head].name for head in chosen)
        alt = "Scores and weights of the heads, between X and the output"
        return picture(session, "heads", alt, whole.whole_figure, tuple(chosen), names, view.steps)
    alt = "Scores and weights of the heads, query rows and key columns"
    return picture(session, "heads", alt, pictures.heads_figure, chosen, view.steps)
