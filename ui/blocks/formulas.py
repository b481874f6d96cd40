"""How the numbers of the page are computed: a line of formulas."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Final

from mha_core.guide.screens import Screen
from mha_core.layer.equations import Equation, equations
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    without_concat_function,
    without_factor_of_values,
    without_gate,
    without_gate_of_additions,
    without_sinusoids,
)
from ui.controls.fragment import WORDS, follows_numbers
from ui.controls.own_component import own_component
from ui.figures.walkthrough import StandsFor, shown_of
from ui.mathml import mathml
from ui.state import Session

ALWAYS: Final = ("q", "k", "v", "weights", "head_outputs", "concat", "output")
_MARKED: Final = re.compile(r'<mrow class="(\w+)">')
# What few layers have, and when they are without.
SELDOM: Final = (
    (without_sinusoids, ("positions", "context_positions")),
    (without_factor_of_values, ("v_heads",)),
    (without_gate_of_additions, ("f", "f_gates", "factors", "bias")),
    (without_gate, ("g", "gates", "gated_outputs")),
    (without_concat_function, ("heads_bent",)),
)


@follows_numbers(WORDS)
def formulas(session: Session) -> None:
    """The formulas of this scenario, from the input to the output, and of all rows that are shown.

    They are MathML, which a browser shows by itself. For a formula in Markdown it would first read
    a script of 265 kB, and the pictures would wait. Streamlit's `st.html` removes MathML, so our
    own component shows it.
    """
    s = session.scenario
    seldom = [names for is_without, names in SELDOM if not is_without(s)]
    steps = (*ALWAYS, *(name for names in seldom for name in names), *session.view.steps_of(s))
    lines = session.make_once_for_all(
        ("formulas", steps), lambda: "".join(map(_line, equations(session.scenario, steps)))
    )
    _formulas(key=session.key("formulas"), data={"lines": lines})


def _line(equation: Equation) -> str:
    return f"<span>{html.escape(equation.title)}: {mathml(equation.latex)}</span> "


def formulas_of_screen(session: Session, screen: Screen, head: int) -> None:
    """How the result of a screen of the walkthrough is computed.

    A symbol lights its matrices in the picture, and a matrix its symbols.
    """
    lines = session.make_once_for_all(
        ("formulas of", screen.name, head), lambda: _lines_of(session.trace, screen, head)
    )
    _formulas(key=session.key("walk-formulas"), data={"lines": lines})


def _lines_of(trace: Trace, screen: Screen, head: int) -> str:
    made = screen.equations(trace.scenario, lambda name, latex: rf"\class{{{name}}}{{{latex}}}")
    shown = shown_of(trace, screen, head)
    return "".join(
        _with_symbols(name, each, shown) for name, each in zip(screen.gives, made, strict=False)
    )


def _with_symbols(result: str, equation: Equation, shown: Mapping[str, StandsFor]) -> str:
    """An equation with symbols to point at. If its result has none, its title is one."""

    def opened(name: str) -> str:
        if name not in shown:
            return "<mrow>"
        matrices, words = shown[name]
        return (
            '<mrow class="symbol" role="button" tabindex="0" '
            f'data-matrices="{" ".join(matrices)}" aria-label="{html.escape(words)}">'
        )

    math = _MARKED.sub(lambda mark: opened(mark[1]), mathml(equation.latex))
    # An element with the role math may hold no buttons.
    math = math.replace("<math ", '<math role="group" ', 1)
    title = html.escape(equation.title)
    if f'data-matrices="{shown[result].matrices[0]}"' not in math:
        title = f"{opened(result).replace('mrow', 'span')}{title}</span>"
    return f"<span>{title}: {math}</span> "


_formulas = own_component(__file__, html='<p class="formulas"></p>')
