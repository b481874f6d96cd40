"""The sidebar: every control of the scenario, in the order of the work.

Each section has a file, which gives it as data: what is often used, and the rest behind "More".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.controls.form import Field, Section, enter_field, show_form
from ui.controls.fragment import WORDS, follows_numbers
from ui.controls.sidebar.heads import heads_section
from ui.controls.sidebar.input import input_section, sentence_section
from ui.controls.sidebar.mask import mask_section
from ui.controls.sidebar.open_menu import open_menu
from ui.controls.sidebar.scores import scores_section
from ui.controls.sidebar.weights import weights_section
from ui.state import IN_SIDEBAR, Session

SECTIONS: Final[tuple[Callable[[Session], Section], ...]] = (
    input_section,
    heads_section,
    weights_section,
    mask_section,
    scores_section,
)


def place_for_controls(session: Session) -> DeltaGenerator:
    """The sidebar; or another place if a link hides all its sections."""
    is_empty = set(IN_SIDEBAR) <= set(session.view.hide)
    return st.container() if is_empty else st.sidebar.container()


def sidebar(session: Session, *, has_sentence: bool = True) -> None:
    """Every control of the scenario; below each, why its last entry was refused.

    The tokens are the first field, unless they stand in a `sentence_box` of the page.
    """
    open_menu(session)
    _form(session, has_sentence)


def sentence_box(session: Session) -> None:
    """The tokens, in a box as wide as the page."""
    if "input" not in session.view.hide:
        show_form(session, [(0, sentence_section(session))], key="sentence-form")


@follows_numbers(WORDS)
def _form(session: Session, has_sentence: bool) -> None:
    sections = enumerate((make(session) for make in SECTIONS), start=1)
    in_sight = [each for each in sections if each[1].name not in session.view.hide]
    if in_sight:
        show_form(session, [*_with_tokens(session, in_sight)] if has_sentence else in_sight)


def _with_tokens(
    session: Session, sections: Iterable[tuple[int, Section]]
) -> Iterator[tuple[int, Section]]:
    tokens = sentence_section(session).often
    for number, each in sections:
        is_input = each.name == "input"
        yield number, replace(each, often=[*tokens, *each.often]) if is_input else each


def enter_in_sidebar(session: Session, key: str, entered: Any, *, goes_on: bool = False) -> None:
    """Take what a person has entered into a field, also into one that a link hides."""
    enter_field(session, fields(session), key, entered, goes_on=goes_on)


def fields(session: Session) -> Mapping[str, Field]:
    """All fields that there are for the present scenario, by their keys."""
    makers = (sentence_section, *SECTIONS)
    return {field.key: field for make in makers for field in make(session).fields}
