"""The page for a lecture: what can be taken away, and what it will look like."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from mha_core.language import say
from ui.blocks.for_class.handout_to_save import handout_to_save
from ui.blocks.for_class.page_to_save import page_to_save
from ui.blocks.for_class.pictures_to_save import pictures_to_save
from ui.blocks.for_class.slides_to_save import pack_to_save, slides_to_save
from ui.blocks.for_class.worksheets_to_save import worksheets_to_save
from ui.blocks.layers import which_layer
from ui.blocks.page_links import Shown, link_to
from ui.blocks.title_line import title_line
from ui.blocks.top import title_of
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.history import history_buttons
from ui.controls.kept_in_tab import keep_in_tab
from ui.controls.refusal import show_refusal
from ui.controls.sidebar.open_menu import open_menu
from ui.state import LONGEST_TITLE, Session, bound_to_view

OFFERS: Final[Mapping[str, Callable[[Session], None]]] = {
    say("Pictures"): pictures_to_save,
    say("Slides"): slides_to_save,
    say("Handout"): handout_to_save,
    say("Page"): page_to_save,
    say("Worksheets"): worksheets_to_save,
    say("Lecture pack"): pack_to_save,
}


def class_heading(session: Session) -> None:
    """What is taken away, and how to take another example."""
    with title_line(session, title_of(session)):
        history_buttons(session)
        open_menu(session, names_it=False)
    show_refusal(session, "address")
    keep_in_tab(session)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _title_field(session)
        shown = {session.name: Shown(session, session.view)}
        says = say("Change its numbers in the explorer")
        link_to("explore.py", says, session.key("to-explorer"), shown)
    which_layer(session)


def _title_field(session: Session) -> None:
    """What all files are called, and what the first slide says."""
    st.text_input(
        say("Title of the files"),
        max_chars=LONGEST_TITLE,
        placeholder=title_of(session),
        width=360,
        **bound_to_view(session, "title", enter_as=lambda text: " ".join((text or "").split())),
    )


@fragment
def offers(session: Session) -> None:
    """One kind of thing at a time: a choice runs only this fragment."""
    leave_to_whole_page(session)
    kind = st.segmented_control(
        say("What to take away"),
        list(OFFERS),
        default=next(iter(OFFERS)),
        required=True,
        label_visibility="collapsed",
        key=session.key("offer"),
    )
    OFFERS[kind](session)
    session.conversation.write_address()
