"""Which heads a picture shows, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from mha_core import Scenario
from mha_core.language import say
from mha_core.reading.head_orders import ORDERS, heads_in_order
from mha_core.reading.sentences import Reading, all_readings
from ui.controls.fragment import run_pictures
from ui.figures.overview import has_many
from ui.figures.pictures import HEADS_A_PAGE
from ui.state import Session, bound_to_view

ALL_SMALL: Final = 0  # in place of a page
TITLES_OF_ORDERS: Final = {
    "number": say("Number"),
    "pattern": say("Pattern"),
    "focus": say("Focus"),
    "effect": say("Effect"),
}
SORTED_BY: Final = say(
    "Pattern: heads with one pattern stand together. Focus: heads that look at few tokens come "
    "first. Effect: heads that change the output most come first."
)


def is_overview(session: Session) -> bool:
    """Whether all heads are shown at once, small: many are, unless a person wants a page."""
    return has_many(session.scenario) and session.view.page == ALL_SMALL


def which_heads(session: Session) -> None:
    """Which heads are shown, and in which order. A number changes nothing here."""
    with st.container(horizontal=True, gap="medium", key=session.key("which-heads")):
        _page_control(session)
        order_control(session)


def _page_control(session: Session) -> None:
    """Whether many heads are small, all at once, or large, a page at a time."""
    n_heads, pages = session.scenario.n_heads, count_pages(session.scenario)

    def name_of(page: int) -> str:
        if page == ALL_SMALL:
            return say("All, small")
        return heads_of_page(page, n_heads) if pages > 1 else say("All, large")

    st.segmented_control(
        say("Heads"),
        range(pages + 1),
        required=True,
        format_func=name_of,
        **bound_to_view(session, "page", show_as=lambda page: min(page, pages), then=run_pictures),
    )


def order_control(session: Session) -> None:
    """The order of the heads, in their picture and in the words about them."""
    st.segmented_control(
        say("Sort by"),
        list(ORDERS),
        required=True,
        format_func=TITLES_OF_ORDERS.__getitem__,
        help=SORTED_BY,
        **bound_to_view(session, "order"),
    )


def count_pages(s: Scenario) -> int:
    """How many pictures it takes to show all heads."""
    return -(-s.n_heads // HEADS_A_PAGE)


def page_of_large(s: Scenario, page: int) -> int:
    """The page itself, or the nearest that there is."""
    return min(max(page, 1), count_pages(s))


def heads_on_page(s: Scenario, page: int) -> range:
    """The heads, from 0, of a page, which is counted from 1; or of the nearest that there is."""
    end = HEADS_A_PAGE * page_of_large(s, page)
    return range(s.n_heads)[end - HEADS_A_PAGE : end]


def heads_of_page(page: int, n_heads: int) -> str:
    """The numbers of the first and the last head of a page.

    >>> heads_of_page(2, n_heads=20)
    '17 to 20'
    """
    first, last = HEADS_A_PAGE * (page - 1) + 1, min(HEADS_A_PAGE * page, n_heads)
    return say("{first} to {last}").format(first=first, last=last)


def name_of_head(head: int) -> str:
    """A head, which is counted from 0, as people count.

    >>> name_of_head(0)
    'Head 1'
    """
    return say("Head {head}").format(head=head + 1)


def heads_in_sight(session: Session) -> Sequence[int]:
    """The heads of the present page, in the order that a person has chosen."""
    places = heads_on_page(session.scenario, session.view.page)
    return ordered_heads(session)[places.start : places.stop]


def ordered_heads(session: Session) -> Sequence[int]:
    """All heads in the order that a person has chosen."""
    by = session.view.order
    if by == "number":
        return range(session.scenario.n_heads)
    said = readings_of(session)
    return session.make_once_for_all(("order", by), lambda: heads_in_order(session.trace, said, by))


def readings_of(session: Session) -> tuple[Reading, ...]:
    """Each head in a sentence."""
    return session.make_once_for_all("readings", lambda: all_readings(session.trace))
