r"""Where one number comes from, as `align*`: name, formula, the same with numbers, result.

`derive_cell` finds all of it. Here it is cut into lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from mha_core.io.latex.matrices import check_decimals
from mha_core.io.latex.prose import prose
from mha_core.io.latex.widths import LINE, shortened, width_of_latex
from mha_core.io.latex.words import escaped
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import Derivation, derive_cell
from mha_core.layer.expressions import Largest
from mha_core.layer.naming import labels_in_latex
from mha_core.layer.trace import Trace

MOST_TERMS: Final = 6  # that are written out: paper has less room than the screen
WIDEST_LABEL: Final = 80.0  # points: a term has three of them at most, and must fit in a line
_BEGIN, _END = "\\begin{align*}\n", "\n\\end{align*}"
_SIGN: Final = 40.0  # points, of an equals sign and what is before a line


def derivation_as_align(trace: Trace, cell: Cell, *, decimals: int = 2) -> str:
    r"""Where one number comes from, to be pasted into any document that loads amsmath.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("pizza"))
    >>> print(derivation_as_align(trace, Cell("weights", 0, 3, 1), decimals=3))
    \begin{align*}
    A_1[\text{PIZZA}, \text{LOVE}]
      &= \frac{E_1[\text{PIZZA}, \text{LOVE}]}{Z_1[\text{PIZZA}]} \\
      &= \frac{0.500}{2.500} \\
      &= 0.200
    \end{align*}
    """
    check_decimals(decimals)
    return align(derive_cell(trace, cell), decimals)


def align(found: Derivation, decimals: int) -> str:
    """A derivation as `align*`. A line that is too long goes on in the next one."""
    written = found.sides("latex", decimals=decimals, most_terms=MOST_TERMS)
    name, *sides = map(_mended, written)
    cut = [[(part, width_of_latex(part)) for part in parts(side)] for side in sides]
    widest = max(width for side in cut for _, width in side)
    room = LINE - _SIGN - width_of_latex(name)
    is_beside = widest <= room
    begin = f"{name}\n" if is_beside else f"&{name} \\\\\n"
    before = "  &" if is_beside else r"  &\quad "
    room = room if is_beside else LINE - _SIGN
    lines = [f"{before}{line}" for side in cut for line in _lines(side, room)]
    return _BEGIN + begin + " \\\\\n".join(lines) + _END


def words_of(found: Derivation, decimals: int) -> str:
    """What the formula cannot say of the number, as a sentence; "" where it says all."""
    if found.because:
        return f"Here {prose(found.because)}."
    count = len(found.expression.parts)
    if isinstance(found.expression, Largest) and count > MOST_TERMS:
        return f"It is the largest of {count} numbers."
    happened = found.what_happened(decimals)
    return f"{prose(happened)}." if happened else ""


def parts(side: str) -> list[str]:
    r"""A formula in parts that may stand in lines of their own: terms, and numbers in a list.

    >>> parts(r"a[1, 2] \cdot (b + c) + \text{\{ + }"), parts(r"\max(a[1, 2], b)")
    (['a[1, 2] \\cdot (b + c) ', '+ \\text{\\{ + }'], ['\\max(a[1, 2], ', 'b)'])
    """
    places, braces, brackets, place = [0], 0, 0, 0
    while place < len(side):
        sign = side[place]
        braces += (sign == "{") - (sign == "}")
        if not braces:
            brackets += (sign in "([") - (sign in ")]")
            if side.startswith("+ ", place) and not brackets:
                places.append(place)
            if side.startswith(", ", place) and brackets == 1 and side.startswith(r"\max"):
                places.append(place + 2)
        place += 2 if sign == "\\" else 1  # an escaped brace is none
    return [side[start:end] for start, end in pairwise([*places, len(side)])]


def _mended(side: str) -> str:
    """LaTeX whose labels are safe and not too wide."""
    return labels_in_latex(side, _label)


def _label(text: str) -> str:
    return rf"\text{{{escaped(shortened(text, WIDEST_LABEL))}}}"


def _lines(side: Iterable[tuple[str, float]], room: float) -> list[str]:
    """A side of the equation, given as parts with their widths, in lines that fit into `room`."""
    lines, width = ["= "], 0.0
    for part, width_of_part in side:
        if width and width + width_of_part > room:
            lines.append(r"\quad ")
            width = 0.0
        lines[-1] += part
        width += width_of_part
    return [line.rstrip() for line in lines]
