"""The sidebar: every control of the scenario, in the order of the work.

Each section has a file. It shows what is often used, and holds the rest behind "More".
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.controls.sidebar.examples import example_list
from ui.controls.sidebar.heads import heads_section
from ui.controls.sidebar.input import input_section
from ui.controls.sidebar.mask import mask_section
from ui.controls.sidebar.scores import scores_section
from ui.controls.sidebar.weights import weights_section
from ui.state import IN_SIDEBAR, Session


def place_for_controls(session: Session) -> DeltaGenerator:
    """The sidebar; a place without one where a link hides every section of it."""
    is_empty = set(IN_SIDEBAR) <= set(session.view.hide)
    return st.container() if is_empty else st.sidebar.container()


def sidebar(session: Session) -> None:
    """Every control of the scenario; below each, why its last entry was refused."""
    example_list(session)
    input_section(session)
    heads_section(session)
    weights_section(session)
    mask_section(session)
    scores_section(session)
