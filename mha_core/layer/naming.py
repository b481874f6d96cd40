r"""The name of one number in a forward pass, in words, in LaTeX and in Python.

>>> from mha_core import attend
>>> from mha_core.examples import load_example
>>> trace, cell = attend(load_example("two-tokens")), Cell("weights", head=0, row=1, column=0)
>>> [name_of(trace, cell, notation) for notation in ("text", "latex", "python")]
['A_1[t2, t1]', 'A_1[\\text{t2}, \\text{t1}]', 'weights[0, 1, 0]']
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary

from mha_core.checks.shapes import Dims
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import axis_in
from mha_core.layer.steps import Step, latex_of_symbol
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE
from mha_core.scenario.given_arrays import GIVEN

_NAMES: Final[WeakKeyDictionary[Trace, dict[str, tuple[str, ...]]]] = WeakKeyDictionary()
# What LaTeX reads as more than a letter, and how it is written.
IN_LATEX: Final = {sign: f"\\{sign}" for sign in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
FROM_LATEX: Final = {written: sign for sign, written in IN_LATEX.items()}
_SIGN: Final = re.compile("|".join(map(re.escape, FROM_LATEX)))
_TEXT: Final = re.compile(rf"\\text\{{((?:{_SIGN.pattern}|[^\\{{}}])*)\}}")


def name_of(trace: Trace, cell: Cell, notation: str) -> str:
    """The number's name in one of NOTATIONS: its symbol with the labels of its row and column."""
    symbol, dims = _symbol_and_dims(trace, cell.step, cell.head)
    if notation == "python":
        return f"{_in_python(cell.step)}[{', '.join(map(str, index_of(cell, dims)))}]"
    labels = labels_of(trace, cell, dims)
    if notation == "latex":
        symbol, labels = latex_of_symbol(symbol), [rf"\text{{{_escaped(text)}}}" for text in labels]
    return f"{in_brackets(symbol)}[{', '.join(labels)}]"


def labels_of(trace: Trace, cell: Cell, dims: Dims) -> list[str]:
    """The labels of the cell's row and column, where there are several."""
    axes = dims.axes[-2:]
    places = index_of(cell, dims)[-2:]
    return [
        _names_on(trace, axis)[place]
        for axis, place in zip(axes, places, strict=True)
        if axis != "1"
    ]


def _names_on(trace: Trace, axis: str) -> tuple[str, ...]:
    """The labels of an axis, made once for a trace: a long sum asks for one at a time."""
    made = _NAMES.setdefault(trace, {})
    if axis not in made:
        made[axis] = axis_in(trace, axis).names
    return made[axis]


def index_of(cell: Cell, dims: Dims) -> tuple[int, ...]:
    """The index of a cell in its array."""
    if len(dims.axes) == 1:
        return (cell.row,) if dims.axes[0] == "n_q" else (cell.column,)
    place = (cell.row, cell.column)
    return place if cell.head is None else (cell.head, *place)


def words_of(name: str) -> str:
    """What a person calls a given array, or the additive mask.

    >>> words_of("w_q"), words_of("mask.additive")
    ('W_Q', 'the additive mask')
    """
    return say("the additive mask") if name == ADDITIVE else GIVEN[name].symbol


def dims_of(trace: Trace, name: str) -> Dims:
    """The axes of a step or a given array."""
    return _symbol_and_dims(trace, name)[1]


def has_heads(trace: Trace, name: str) -> bool:
    """Whether it has a matrix for each head.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("two-tokens"))
    >>> has_heads(trace, "weights"), has_heads(trace, "w_q")
    (True, False)
    """
    return len(dims_of(trace, name).axes) == 3


def title_of_array(name: str, kind: type[Trace] = Trace) -> str:
    """The title of a step of a kind of trace, or the symbol of a given array.

    It is the same for all scenarios.

    >>> title_of_array("weights"), title_of_array("x"), title_of_array("w_q")
    ('Weights', 'Input', 'W_Q')
    """
    step = getattr(kind, name, None)
    return step.title if isinstance(step, Step) else GIVEN[name].symbol


def within_a_sentence(title: str) -> str:
    """The title of an array, not at the beginning. A symbol stays as it is.

    >>> within_a_sentence("Weights"), within_a_sentence("W_Q"), within_a_sentence("X")
    ('weights', 'W_Q', 'X')
    """
    return title[0].lower() + title[1:] if title[1:2].islower() else title


def _symbol_and_dims(trace: Trace, name: str, head: int | None = None) -> tuple[str, Dims]:
    if name == ADDITIVE:
        return "M_add", Dims("n_q n_k")
    step = getattr(type(trace), name, None)
    if isinstance(step, Step):
        return step.symbol_in(trace.scenario, head), step.dims
    return GIVEN[name].symbol, GIVEN[name].dims


def in_brackets(symbol: str) -> str:
    """A sum or a product in brackets, before labels."""
    return f"({symbol})" if " " in symbol else symbol


def _in_python(name: str) -> str:
    return "additive" if name == ADDITIVE else name


def _escaped(text: str) -> str:
    """Text as LaTeX writes it."""
    return "".join(IN_LATEX.get(sign, sign) for sign in text)


def labels_in_latex(latex: str, replaced: Callable[[str], str]) -> str:
    r"""LaTeX with each text in it replaced; `replaced` is told the text as it was.

    >>> labels_in_latex(r"A[\text{50\%}, \text{b}]", str.upper)
    'A[50%, B]'
    """
    return _TEXT.sub(lambda found: replaced(_SIGN.sub(_as_it_was, found[1])), latex)


def _as_it_was(sign: re.Match[str]) -> str:
    return FROM_LATEX[sign[0]]
