"""How the numbers of the page are computed: a line of formulas."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st
from latex2mathml.converter import convert

from mha_core.layer.equations import Equation, equations
from mha_core.layer.unchanged import without_sinusoids
from ui.state import Session

ALWAYS: Final = ("q", "k", "v", "weights", "head_outputs", "concat", "output")
POSITIONS: Final = ("positions", "context_positions")


def formulas(session: Session) -> None:
    """The formulas of this scenario, from the input to the output, and of all rows that are shown.

    They are MathML, which a browser shows by itself. Before a first formula in Markdown it would
    have to read a script of 265 kB, and the pictures would wait. Streamlit's `st.html` takes MathML
    out, so a component of our own shows it.
    """
    positions = () if without_sinusoids(session.scenario) else POSITIONS
    show_formulas(session, (*positions, *ALWAYS, *session.view.steps), "formulas")


def show_formulas(session: Session, steps: Sequence[str], key: str) -> None:
    """The formulas of these steps, so far as they compute something."""
    lines = session.make_once(
        ("formulas", steps), lambda: "".join(map(_line, equations(session.scenario, steps)))
    )
    _formulas(key=session.key(key), data=lines)


def _line(equation: Equation) -> str:
    return f"<span>{html.escape(equation.title)}: {convert(equation.latex)}</span> "


_formulas: Callable[..., Any] = st.components.v2.component(
    "formulas",
    js="""export default function ({ parentElement, data }) {
  parentElement.querySelector(".formulas").innerHTML = data;
}""",
    html='<p class="formulas"></p>',
    isolate_styles=False,
)
