"""A matrix from pasted text, and back to text that gives the same matrix to the last bit.

Texts differ, so these rules are fixed:

- If tabs, semicolons, `|`, `&` or spaces separate all numbers, a comma is a decimal comma. Commas
  alone separate: `1,5` is two numbers. A text with two readings is refused, and the error names
  both: `1,5, 2,5`, or `1,234;5,678` (near one, or thousands?), or `1 234,5` (two numbers, or one
  above a thousand?).
- In brackets a comma always separates, and a semicolon ends a row.
- A number is finite and at most `LIMITS.magnitude` in size. It is not hexadecimal and has no
  underscores, thousands separators or unit. -inf is allowed only with `minus_infinity`, for an
  additive mask.
- Blank lines are skipped, and so is the header of a Markdown table. Nothing else is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.errors import LimitError, NumberError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.number_text import NumberReader
from mha_core.checks.shapes import FloatArray, as_float_array
from mha_core.checks.text_source import LONGEST_SIDE, Row, Source
from mha_core.checks.values import check_one_of
from mha_core.io.matrix.digits import shortest
from mha_core.io.matrix.latex_layout import latex_rows
from mha_core.io.matrix.line_layout import line_rows, table_rows
from mha_core.io.matrix.list_layout import list_rows
from mha_core.language import say

THE_MATRIX: Final = say("The matrix")


class Layout(NamedTuple):
    """One way to write a matrix: its words in a message, its signs, and what cuts it into rows."""

    title: str
    is_layout_of: Callable[[str], bool]
    rows: Callable[[Source], Iterator[Row]]


PLAIN_LINES: Final = Layout(say("rows of plain numbers"), lambda _text: True, line_rows)
# A text has the first layout whose signs it holds.
LAYOUTS: Final = [
    Layout("LaTeX", lambda text: "\\" in text or "&" in text, latex_rows),
    Layout(say("text with brackets"), lambda text: any(b in text for b in "[({"), list_rows),
    Layout(say("a table with |"), lambda text: "|" in text, table_rows),
    PLAIN_LINES,
]


def parse_matrix(text: str, thing: str = THE_MATRIX, *, minus_infinity: bool = False) -> FloatArray:
    r"""The matrix in a pasted text: CSV, TSV, spaces, Markdown, lists of any language, or LaTeX.

    It has two axes and is in float64: one row gives (1, n), one number (1, 1). Lists may be those
    of Python, NumPy, JSON, MATLAB and Mathematica. With `minus_infinity`, numbers may be -inf.

    >>> parse_matrix("-2,5; 1/4")
    array([[-2.5 ,  0.25]])
    >>> parse_matrix(r"\begin{bmatrix} 1 & 2 \\ 3 & \frac{1}{2} \end{bmatrix}")
    array([[1. , 2. ],
           [3. , 0.5]])
    >>> parse_matrix("{{0, -Infinity}, {0, 0}}", minus_infinity=True)
    array([[  0., -inf],
           [  0.,   0.]])
    """
    return _matrix(Source(thing, text), minus_infinity=minus_infinity)


def layout_of(text: str) -> Layout:
    """The layout of a text, by the signs that only one layout has."""
    return next(layout for layout in LAYOUTS if layout.is_layout_of(text))


def check_sides(thing: str, rows: int, columns: int) -> None:
    """Refuse more rows, columns or cells than a matrix of the package may have."""
    if max(rows, columns) > LONGEST_SIDE or rows * columns > LIMITS.cells:
        raise LimitError(
            thing,
            say("must have at most {limit:,} rows and columns and {cells:,} cells").format(
                limit=LONGEST_SIDE, cells=LIMITS.cells
            ),
            say("at least {rows:,} × {columns:,}").format(rows=rows, columns=columns),
            say("Cut it down to the part you want to see."),
        )


def as_matrix(thing: str, value: object) -> FloatArray:
    """Numbers as two axes: one number is (1, 1) and a vector is one row."""
    numbers = as_float_array(thing, value)
    if numbers.ndim > 2:
        raise ShapeError(
            thing,
            say("must have two axes, rows and columns"),
            say("shape {shape}").format(shape=numbers.shape),
            say("Pick one head or one batch."),
        )
    if numbers.size == 0:
        raise ShapeError(
            thing,
            say("must have at least one number"),
            say("shape {shape}").format(shape=numbers.shape),
            say("Add a row."),
        )
    return np.atleast_2d(numbers)


def _matrix(source: Source, *, minus_infinity: bool = False) -> FloatArray:
    numbers = NumberReader(source, minus_infinity=minus_infinity)
    values = array("d")
    height, width = 0, 0
    for row in layout_of(source.text).rows(source):
        height, width = height + 1, width or len(row)
        check_sides(source.thing, height, max(width, len(row)))
        values.extend(map(numbers.read, row))
        if len(row) != width:
            raise source.error(
                row[0][1],
                say("must have {count} numbers in every row, as in its first").format(count=width),
                say("{count} in row {row}").format(count=len(row), row=height),
                say("Give every row the same count of numbers."),
            )
    numbers.settle()
    if not height:
        raise source.error(
            0, say("must hold numbers"), say("an empty text"), say("Paste rows of numbers.")
        )
    return np.array(values).reshape(height, width)


# Matrix to text


@dataclass(frozen=True)
class _Style:
    """How cells become a row and rows become a matrix, and the words for infinity and NaN."""

    between: str
    row: str = "%s"
    between_rows: str = "\n"
    matrix: str = "%s"
    infinity: str = "inf"
    nan: str = "nan"
    power_of_ten: str = "%se%d"
    whole_numbers: str = ""  # after their digits: ".0" where 1 and 1.0 are different


_STYLES: Final = {
    "csv": _Style(","),
    "tsv": _Style("\t"),
    "json": _Style(", ", "[%s]", ",\n ", "[%s]", whole_numbers=".0"),
    "numpy": _Style(
        ", ", "[%s]", ",\n          ", "np.array([%s])", "np.inf", "np.nan", whole_numbers=".0"
    ),
    "python": _Style(
        ", ", "[%s]", ",\n ", "[%s]", 'float("inf")', 'float("nan")', whole_numbers=".0"
    ),
    "latex": _Style(
        " & ",
        "  %s",
        " \\\\\n",
        "\\begin{bmatrix}\n%s\n\\end{bmatrix}",
        r"\infty",
        r"\mathrm{NaN}",
        r"%s \times 10^{%d}",
    ),
    "markdown": _Style(" | ", "| %s |"),
}
STYLES: Final = tuple(_STYLES)


def format_matrix(matrix: object, style: str = "csv") -> str:
    r"""A matrix as text that `parse_matrix` reads back to the last bit (float32 after a cast).

    Styles: csv, tsv, json, numpy, python, latex, markdown. Computed arrays may hold infinity, NaN
    and numbers beyond `LIMITS.magnitude`. They are written, but only -inf can be read back, with
    `minus_infinity`. JSON has no word for infinity and NaN, so they are refused there.

    >>> print(format_matrix([[1, 0.1], [-2.5, 1e-9]], "latex"))
    \begin{bmatrix}
      1 & 0.1 \\
      -2.5 & 1 \times 10^{-9}
    \end{bmatrix}
    """
    check_one_of(say("The style"), style, STYLES, say("Choose one of them."))
    numbers = as_matrix(THE_MATRIX, matrix)
    if style == "json" and not np.isfinite(numbers).all():
        raise NumberError(
            say("A matrix in JSON"),
            say("must hold finite numbers"),
            say("infinity or NaN"),
            say("Choose csv, or a .npy file."),
        )
    form = _STYLES[style]
    rows = [
        form.row % form.between.join(_in_style(repr(number), form) for number in row)
        for row in shortest(numbers).tolist()
    ]
    if style == "markdown":  # an empty header, because a table must have one
        columns = numbers.shape[1]
        rows[:0] = ["|" + "  |" * columns, "|" + " ---: |" * columns]
    text = form.matrix % form.between_rows.join(rows)
    if style == "numpy" and numbers.dtype == np.float32:
        text = text[:-1] + ", dtype=np.float32)"
    return text


def _in_style(text: str, form: _Style) -> str:
    sign, bare = ("-", text[1:]) if text[0] == "-" else ("", text)
    if bare == "inf":
        return sign + form.infinity
    if bare == "nan":
        return form.nan
    if bare.endswith(".0"):
        return text[:-2] + form.whole_numbers
    mantissa, power_of_ten, exponent = text.partition("e")
    return form.power_of_ten % (mantissa, int(exponent)) if power_of_ten else text
