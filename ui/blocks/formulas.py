"""How the matrices of a picture are computed: a line of formulas below it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import streamlit as st

from mha_core.layer.equations import equations
from ui.state import Session

BETWEEN: Final = " \N{EM SPACE} "


def formulas(session: Session, shown: Collection[str]) -> None:
    """The formulas of these steps, as they are in this scenario."""
    lines = (f"{title}: ${{{latex}}}$" for title, latex in equations(session.scenario, shown))
    st.markdown(f":small[{BETWEEN.join(lines)}]")
