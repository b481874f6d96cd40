"""A text that a person gave: its places, its cells, and the errors that name a place in it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from mha_core.checks.errors import ParseError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.values import check_kind
from mha_core.language import say

Written = tuple[str, int]
"""The text of a cell, and the place in the whole text where it begins (counted from 0)."""

Row = list[Written]

LONGEST_SIDE: Final = max(LIMITS.tokens, LIMITS.width)
"""No matrix of the package has more rows or columns."""

_PLAIN_MINUS: Final = str.maketrans("−–‐‑", "----")  # noqa: RUF001 (hyphens that look like a minus)
_WORD: Final = re.compile(r"\S+", re.ASCII)  # "1\u00a0000" stays one word, and is refused as such


class Source:
    """The text as it was given, and its name in errors."""

    def __init__(self, thing: str, text: str) -> None:
        check_kind(thing, text, str, say("Give its text, as in '1 0; 0 1'."))
        check_size(thing, len(text), LIMITS.text_chars, say("Give it as a .npy file."))
        self.thing = thing
        self.text = text

    @cached_property
    def plain(self) -> str:
        """The text with ASCII minus signs and without a byte order mark. No place moves."""
        text = self.text.translate(_PLAIN_MINUS)
        return " " + text[1:] if text.startswith("\ufeff") else text

    def error(self, offset: int, need: str, got: str, way_out: str) -> ParseError:
        before = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        return ParseError(self.thing, need, got, way_out, line=line, column=column)

    def left_over(self, start: int) -> ParseError:
        """The error for text beside a matrix, from the first character that is not a space."""
        rest = self.plain[start : start + 200]
        offset = start + len(rest) - len(rest.lstrip())
        return self.error(
            offset,
            say("must be one matrix and nothing else"),
            short_quote(rest),
            say("Give one matrix at a time, with no other text around it."),
        )


def cut_cells(text: str, start: int, separator: str | None) -> Row:
    """Cut one row at its separators (None: spaces); `start` is its place in the whole text.

    >>> cut_cells("1, 20", 100, ",")
    [('1', 100), (' 20', 102)]
    """
    # One cell more than a row may have is enough to refuse the row. The rest is not cut.
    cells: Row = []
    if separator is None:
        for word in _WORD.finditer(text):
            cells.append((word[0], start + word.start()))
            if len(cells) > LONGEST_SIDE:
                break
        return cells
    for cell in text.split(separator, LONGEST_SIDE):
        cells.append((cell, start))
        start += len(cell) + len(separator)
    return cells


def end_of_repeats(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where the repeats of a pattern end that begin at `start`.

    A group with `*` gives the same, but takes more than a hundred bytes for each repeat.

    >>> end_of_repeats(re.compile("ab"), "ababa", 0)
    4
    """
    while found := pattern.match(text, start):
        start = found.end()
    return start


def short_quote(text: str, most: int = 40) -> str:
    """A given text, short and printable, for the `got` of an error.

    >>> short_quote("  0x1F ")
    "'0x1F'"
    """
    text = text.strip()
    return repr(text) if len(text) <= most else f"{text[:most]!r}..."
