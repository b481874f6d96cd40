r"""Matrices in LaTeX: `\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mha_core.checks.text_source import Row, Source, cut_cells, end_of_repeats
from mha_core.language import say

_NAME: Final = re.compile(r"[A-Za-z\\][\w\\^{}]*\s*=")
_BEGIN: Final = re.compile(r"\\begin\{([a-zA-Z]*matrix|array)\}")
_COLUMNS: Final = re.compile(r"\s*\{[clr|@! ]*\}")
_ROW_END: Final = re.compile(r"\\\\(?:\[[0-9.]+[a-z]{2}\])?")
_RULES: Final = re.compile(r"\\(?:hline|toprule|midrule|bottomrule)(?![a-zA-Z])")
# One piece of what may be around a matrix: dollars, \[ and \left(.
_AROUND: Final = re.compile(r"[\s$.,]+|\\[\[\]()]|\\(?:left|right)(?:\\[{}|]|[\[\]().|])")
_FRACTION: Final = re.compile(r"([+-]?)\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_POWER_OF_TEN: Final = re.compile(r"\s*10\s*\^\s*(?:\{\s*([+-]?[0-9]+)\s*\}|([0-9]))")


def latex_rows(source: Source) -> Iterator[Row]:
    r"""Rows end at `\\`, and cells at `&`, with or without a matrix environment.

    `\frac{1}{3}`, `1.5 \times 10^{-3}` and `1{,}5` are numbers; `\hline` and dollars are skipped.
    """
    start, end = _body(source)
    body = _RULES.sub(lambda rule: " " * len(rule[0]), source.plain[start:end])
    row_start = 0
    for row_end in _ROW_END.finditer(body):
        yield _cells(body[row_start : row_end.start()], start + row_start)
        row_start = row_end.end()
    if body[row_start:].strip():
        yield _cells(body[row_start:], start + row_start)


def _body(source: Source) -> tuple[int, int]:
    """Where the rows begin and end: inside the environment, or the whole text without one."""
    text = source.plain
    name = _NAME.match(text, _after_dollars(text, 0))
    begin = _BEGIN.match(text, _after_dollars(text, name.end() if name else 0))
    if begin is None:
        return 0, len(text)
    end_mark = rf"\end{{{begin[1]}}}"
    end = text.find(end_mark, begin.end())
    if end < 0:
        raise source.error(
            begin.start(),
            say("must end with {end}").format(end=end_mark),
            say("no such end"),
            say("Add {end}.").format(end=end_mark),
        )
    rest = _after_dollars(text, end + len(end_mark))
    if rest < len(text):
        raise source.left_over(rest)
    columns = _COLUMNS.match(text, begin.end()) if begin[1] == "array" else None
    return (columns or begin).end(), end


def _after_dollars(text: str, start: int) -> int:
    """The place after all dollars and the like that begin at `start`."""
    return end_of_repeats(_AROUND, text, start)


def _cells(text: str, start: int) -> Row:
    return [(_plain_number(cell), at) for cell, at in cut_cells(text, start, "&")]


def _plain_number(cell: str) -> str:
    r"""A number in LaTeX as a plain one that starts at the same place.

    >>> _plain_number(r" - \frac{1}{3}"), _plain_number(r"1.5 \times 10^{-3}")
    (' -1/3', '1.5e-3')
    """
    number = cell.lstrip()
    indent = cell[: len(cell) - len(number)]
    number = number.rstrip().replace("{,}", ",")
    if number[:1] in {"+", "-"}:
        number = number[0] + number[1:].lstrip()
    fraction = _FRACTION.fullmatch(number)
    if fraction:
        number = f"{fraction[1]}{fraction[2].strip()}/{fraction[3].strip()}"
    digits, _, power = number.replace(r"\cdot", r"\times").partition(r"\times")
    exponent = _POWER_OF_TEN.fullmatch(power)
    if exponent and "/" not in digits:  # 1/2 x 10^3 is not 1/(2e3)
        number = f"{digits.rstrip()}e{exponent[1] or exponent[2]}"
    return indent + number
