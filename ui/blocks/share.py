"""The link to a page: how to copy it, what it leaves out, and how the page opens."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from mha_core.checks.limits import PAGE_LIMITS
from mha_core.language import say
from ui.blocks.heads_shown import name_of_head
from ui.controls.copy_text import copy_text
from ui.controls.picture_controls import TITLES_OF_ROWS
from ui.state import (
    IN_SIDEBAR,
    LONGEST_TITLE,
    MOST_DECIMALS,
    ROWS,
    SECTIONS,
    Session,
    View,
    fits_a_link,
    link_for_the_tab,
    link_of,
    sessions_of_page,
)

TOO_LARGE: Final = say(
    "This page holds too much for a link of at most {limit:,} characters."
).format(limit=PAGE_LIMITS.address_chars)
IN_THE_TAB: Final = say(
    "This tab keeps the numbers, and offers them after a reload. "
    "To keep them for longer, or to share them, download the scenario."
)
NOWHERE: Final = say("A reload would lose these numbers. Download the scenario instead.")
NAMES: Final = {  # of SECTIONS, but the hints of a puzzle: their page asks by itself
    "example": say("Example"),
    "input": say("Input"),
    "heads": say("Heads"),
    "weights": say("Weights"),
    "mask": say("Mask"),
    "scores": say("Scores"),
    "view": say("Controls of the picture"),
    "editors": say("Editors"),
}


def share(session: Session) -> None:
    """The link, and below it the choice of what the link shows."""
    if not all(fits_a_link(each) for each in sessions_of_page(session)):
        st.markdown(why_no_link(*sessions_of_page(session)))
        return
    place = st.container()
    titled = replace(session.view, title=_title(session), hide=_hidden(session))
    view = _opened_with(session, titled)
    with place:
        copy_text(say("Link to this page"), link_to_page(session, view), session.key("link"))
        st.caption(say("Whoever opens the link sees the same numbers, to the last digit."))


def why_no_link(*sessions: Session) -> str:
    """That there is too much for a link, and whether the tab keeps the numbers."""
    are_kept = all(fits_a_link(each) or link_for_the_tab(each) for each in sessions)
    return f"{TOO_LARGE} {IN_THE_TAB if are_kept else NOWHERE}"


def link_to_page(session: Session, view: View) -> str:
    """The link that opens this page, with the session shown in this way."""
    return f"{(st.context.url or '').partition('?')[0]}?{link_of(session, view)}"


def _title(session: Session) -> str:
    title = st.text_input(
        say("Title of the page"),
        session.view.title,
        max_chars=LONGEST_TITLE,
        placeholder=say("the title of the example"),
        key=session.key("share-title"),
    )
    return " ".join((title or "").split())


def _hidden(session: Session) -> tuple[str, ...]:
    """A box to tick for each part that the link may leave out."""
    hidden = session.view.hide
    st.markdown(say("The link hides"))
    with st.container(horizontal=True, gap="small"):
        all_of_it = st.checkbox(
            say("The whole sidebar"),
            set(IN_SIDEBAR) <= set(hidden),
            key=session.key("share-hide-sidebar"),
        )
        ticked = {
            section: st.checkbox(
                NAMES[section], section in hidden, key=session.key(f"share-hide-{section}")
            )
            for section in NAMES
            if not (all_of_it and section in IN_SIDEBAR)
        }
    is_hidden = {**dict.fromkeys(IN_SIDEBAR, True), "hints": "hints" in hidden, **ticked}
    return tuple(section for section in SECTIONS if is_hidden[section])


def _opened_with(session: Session, view: View) -> View:
    """The view with the head, the decimals and the rows that are seen at first."""
    s = session.scenario
    st.markdown(say("The page opens with"))
    left, right = st.columns(2, gap="small")
    head = left.selectbox(
        say("Head"),
        [None, *range(s.n_heads)],
        index=0 if view.head is None else view.head + 1,
        format_func=lambda head: say("All heads") if head is None else name_of_head(head),
        key=session.key("share-head"),
    )
    decimals = right.selectbox(
        say("Decimals"),
        range(MOST_DECIMALS + 1),
        index=view.decimals,
        key=session.key("share-decimals"),
    )
    rows = st.pills(
        say("Rows of the picture"),
        ROWS,
        default=[row for row in view.rows if row in ROWS],
        selection_mode="multi",
        format_func=TITLES_OF_ROWS.__getitem__,
        key=session.key("share-rows"),
    )
    others = [row for row in view.rows if row not in ROWS]
    in_order = (*(row for row in ROWS if row in rows), *others) or view.rows
    return replace(view, head=head, decimals=decimals, rows=in_order)
