"""What is opened, and the one button that opens something else: an example, a file, a link.

A file can be dropped anywhere on the page too: it goes into the field in here.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core.checks.errors import FormatError
from mha_core.io.matrix.other_kinds import OTHER_KINDS, OtherKind
from mha_core.io.scenario.files import SCENARIO_FILE_TYPES, open_file
from mha_core.io.scenario.layer_file import LayerInFile
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack
from ui.controls.drop_file import take_dropped_file
from ui.controls.file_field import file_field
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.markdown import plain
from ui.controls.popover_focus import take_focus
from ui.controls.refusal import show_refusal
from ui.controls.sidebar.examples import example_list
from ui.controls.sidebar.layer_questions import ask_about_layer
from ui.edits.pasted_link import PastedLink, read_link
from ui.machine.budget import TURNS
from ui.reports import note, reported
from ui.state import Session, opened_at
from ui.state.refusals import REFUSES
from ui.state.tour_stops import FILES, stop_alone

MENU: Final = "examples"  # the key of the button
FILE: Final = "open-file"
LINK: Final = "open-link"
OWN: Final = say("Your own setting")
ONE_MATRIX: Final = OtherKind(
    say("It has one matrix, and no layer: open it under “Edit the numbers”, as a file.")
)
SHEET: Final = OtherKind(
    say("Save each matrix as .csv, and open it under “Edit the numbers”, as a file.")
)
NO_LAYER: Final = {
    **OTHER_KINDS,
    **dict.fromkeys((".csv", ".tsv", ".npy"), ONE_MATRIX),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), SHEET),
}


def open_menu(session: Session, *, names_it: bool = True) -> None:
    """The button, and beside it what is open now, where no title says so."""
    if "example" not in session.view.hide:
        _open_menu(session, names_it=names_it)


@fragment
def _open_menu(session: Session, *, names_it: bool) -> None:
    """Opening or closing the menu runs only this fragment."""
    _follow_link(session)
    leave_to_whole_page(session)
    with st.container(
        horizontal=True,
        vertical_alignment="center",
        wrap=False,
        width="stretch" if names_it else "content",
        key=session.key("opened"),
    ):
        if names_it:
            example = session.example_shown
            st.markdown(f"**{plain(example.title if example else OWN)}**")
        place = st.popover(say("Open"), key=session.key(MENU), on_change="rerun", width="content")
        take_dropped_file(session, FILE, session.key(MENU))
    if not place.open:
        return
    with place.container(key=session.key("open-menu")):
        take_focus(session, MENU)
        _file(session)
        _link(session)
        example_list(session, partial(_close, session))


def _close(session: Session) -> None:
    """The whole page runs at once: the menu would find out only when its run has begun."""
    note({session.key(MENU): False})
    st.rerun()


# A file.


def _file(session: Session) -> None:
    """A saved scenario opens at once; somebody else's layer, when all questions are answered."""

    def take(data: bytes, name: str) -> None:
        take_away()
        try:
            with TURNS.turn(session.use):
                found = open_file(data, name)
        except REFUSES as error:
            session.refusals.note(FILE, error, name)
            return
        if isinstance(found, LayerInFile) and (found.asks or found.makes_x):
            session.asked_files[FILE] = found
        else:
            open_found(found, name)

    def open_found(found: Scenario | Stack | LayerInFile, name: str, n_heads: int = 0) -> None:
        def read() -> Scenario | Stack:
            if isinstance(found, Scenario | Stack):
                return found
            return found.scenario(n_heads=n_heads, tokens=session.scenario.tokens)

        session.attempt_to_open(FILE, name, read)
        if FILE not in session.refusals:
            session.asked_files.pop(FILE, None)
            _close(session)

    def take_away() -> None:
        session.refusals.pop(FILE, None)
        session.asked_files.pop(FILE, None)

    shown = file_field(
        session, FILE, say("A file"), SCENARIO_FILE_TYPES, take, take_away, kinds=NO_LAYER
    )
    found = session.asked_files.get(FILE)
    if isinstance(found, LayerInFile) and shown:
        ask_about_layer(session, found, lambda layer, heads: open_found(layer, shown, heads))
    show_refusal(session, FILE)


# A link.


def _link(session: Session) -> None:
    """A link to the explorer shows here what it says. One to another page leads there."""
    widget = session.key(LINK)

    def enter() -> None:
        session.refusals.pop(LINK, None)
        text = str(reported(widget) or "").strip()
        if not text:
            return
        try:
            link = read_link(text)
            if stop := stop_alone(link.params):
                link = PastedLink(stop.page, stop.params)
            shown = None if link.page else _shown(link)
        except REFUSES as error:
            session.refusals.note(LINK, error, text)
            return
        if shown:
            session.open(shown.stack, None if session.name else shown.view)
        else:
            session.offers[LINK] = link
        _close(session)

    st.text_input(say("A link"), placeholder=say("Paste an address"), key=widget, on_change=enter)
    show_refusal(session, LINK)


def _shown(link: PastedLink) -> Session:
    """What the link says, if the explorer can show all of it."""
    shown = opened_at(link.params)
    if wrong := shown.refusals.get("address"):
        need = say("must say what the explorer can show")
        raise FormatError(say("The link"), need, say("something else"), wrong.reason)
    return shown


def _follow_link(session: Session) -> None:
    """Go to the page of a pasted link: a callback cannot lead there."""
    link: PastedLink | None = session.offers.pop(LINK, None)
    if link:
        st.switch_page(FILES.get(link.page, f"{link.page}.py"), query_params=link.params)
