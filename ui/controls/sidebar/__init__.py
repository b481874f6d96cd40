"""The sidebar: every control of the scenario, in the order of the work.

Each section has a file, which gives it as data: what is often used, and the rest behind "More".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.controls.form import Field, Section, enter_field, show_form
from ui.controls.fragment import WORDS, follows_numbers
from ui.controls.sidebar.examples import example_list
from ui.controls.sidebar.heads import heads_section
from ui.controls.sidebar.input import input_section
from ui.controls.sidebar.mask import mask_section
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
    """The sidebar; a place without one where a link hides every section of it."""
    is_empty = set(IN_SIDEBAR) <= set(session.view.hide)
    return st.container() if is_empty else st.sidebar.container()


def sidebar(session: Session) -> None:
    """Every control of the scenario; below each, why its last entry was refused."""
    example_list(session)
    _form(session)


@follows_numbers(WORDS)
def _form(session: Session) -> None:
    sections = enumerate((make(session) for make in SECTIONS), start=1)
    in_sight = [each for each in sections if each[1].name not in session.view.hide]
    if in_sight:
        show_form(session, in_sight)


def enter_in_sidebar(session: Session, key: str, entered: Any) -> None:
    """Take what a person has entered into a field, also into one that a link hides."""
    enter_field(session, fields(session), key, entered)


def fields(session: Session) -> Mapping[str, Field]:
    """All fields that there are for the present scenario, by their keys."""
    return {field.key: field for make in SECTIONS for field in make(session).fields}
