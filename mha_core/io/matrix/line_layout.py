"""Matrices whose rows are lines: CSV, TSV, semicolons, spaces, and Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from mha_core.checks.number_text import is_number, refuse_grouped_thousands
from mha_core.checks.text_source import LONGEST_SIDE, Row, Source, Written, cut_cells, short_quote
from mha_core.language import say

_LINE: Final = re.compile(r"[^\r\n]+")
_LINE_OR_PART: Final = re.compile(r"[^\r\n;]+")
_QUOTED: Final = re.compile(r'"[^"\r\n]*"')
_BLANKS: Final = " \f\v"  # between words; a tab may stand between two cells that are empty
_SPACED: Final = re.compile(r"[^\s,;](\s+)(?=[^\s,;])", re.ASCII)


def line_rows(source: Source) -> Iterator[Row]:
    """Each line is a row; blank lines are ignored.

    Tabs separate cells if there are any; otherwise semicolons, then commas, then spaces. If spaces
    or `, ` separate the cells, semicolons end rows, as in MATLAB: `1 2; 3 4`.
    """
    text = source.plain
    # Text in quotes is one cell. It is masked, so that no separator is found in it.
    masked = _QUOTED.sub(lambda quoted: "q" * len(quoted[0]), text)
    separator, row = _separators(source, masked)
    for part in row.finditer(masked):
        if part[0].strip(_BLANKS):
            cells = cut_cells(part[0], part.start(), separator)
            yield [_without_quotes(text[at : at + len(cell)], at) for cell, at in cells]


def _separators(source: Source, text: str) -> tuple[str | None, re.Pattern[str]]:
    """The separator between two cells (None: spaces), and the pattern of a row."""
    if "\t" in text:
        return "\t", _LINE
    if ";" not in text:
        return _comma_or_space(source, text), _LINE
    if ", " in text or _has_spaced_numbers(text):
        return _comma_or_space(source, text), _LINE_OR_PART
    return ";", _LINE


def _comma_or_space(source: Source, text: str) -> str | None:
    """Decide what commas mean if neither tabs nor semicolons separate.

    `1,5` is two numbers: commas alone separate. `1,5 2,5` is two numbers with decimal commas,
    because the space separates. `1,5, 2,5` has two readings and is refused, as are `1, 2 3` and
    `1 234,5`.
    """
    if "," not in text:
        return None
    if _has_spaced_numbers(text):
        stray = re.search(r"(?<![0-9]),|,(?![0-9])", text)
        if stray:
            raise source.error(
                stray.start(),
                say("must have one kind of separator"),
                say("both commas and spaces between numbers"),
                say("Put a comma between all numbers, or a space between all."),
            )
        refuse_grouped_thousands(source, text)
        return None
    tight = re.search(r"[0-9],[0-9]", text)
    may_be_decimal = "." not in text and not re.search(r"[0-9],[0-9]+,[0-9]", text)
    if ", " in text and tight and may_be_decimal:
        raise source.error(
            tight.start() + 1,
            say("must have only one reading"),
            say("a comma that may be a decimal comma or stand between two numbers"),
            say(
                "Write decimals with a point (1.5, 2.5), or a space after every comma (1, 5, 2, 5)."
            ),
        )
    return ","


def _has_spaced_numbers(text: str) -> bool:
    """Whether on some line only spaces are between two numbers."""
    return any("\n" not in gap[1] and "\r" not in gap[1] for gap in _SPACED.finditer(text))


def _without_quotes(cell: str, start: int) -> Written:
    bare = cell.strip()
    if len(bare) >= 2 and bare[0] == bare[-1] == '"':
        return bare[1:-1], start + cell.index('"') + 1
    return cell, start


def table_rows(source: Source) -> Iterator[Row]:
    """Each line is a row with `|` between the cells, with or without `|` at both ends.

    The row above `|---|` is the header. It is skipped if it is words or empty. A header with a
    number is refused: it may be the first row of the matrix, or the numbers of the columns.
    """
    not_blank = (line for line in _LINE.finditer(source.plain) if line[0].strip())
    lines = list(islice(not_blank, LONGEST_SIDE + 3))  # header, rule, and one row too many
    if len(lines) > 1 and _is_rule(lines[1]):
        _check_header(source, lines[0])
        lines = lines[2:]
    elif _is_rule(lines[0]):
        lines = lines[1:]
    for line in lines:
        yield _table_cells(line)


def _check_header(source: Source, line: re.Match[str]) -> None:
    for cell, start in _table_cells(line):
        if is_number(cell):
            raise source.error(
                start + len(cell) - len(cell.lstrip()),
                say("must have words or nothing above |---|"),
                say("the number {number}").format(number=short_quote(cell)),
                say(
                    "Delete the |---| line if this row is part of the matrix, or this row if "
                    "it only numbers the columns."
                ),
            )


def _is_rule(line: re.Match[str]) -> bool:
    return "-" in line[0] and set(line[0]) <= set("|:- \t")


def _table_cells(line: re.Match[str]) -> Row:
    text = line[0].rstrip().removesuffix("|")
    start = len(text) - len(text.lstrip())
    if text.startswith("|", start):
        start += 1
    return cut_cells(text[start:], line.start() + start, "|")
