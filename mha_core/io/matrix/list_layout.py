"""Matrices in brackets: lists of JSON, Python and NumPy, tensors, MATLAB and Mathematica."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mha_core.checks.errors import ParseError
from mha_core.checks.text_source import Row, Source, cut_cells, end_of_repeats, short_quote
from mha_core.language import say

_BRACKET: Final = re.compile(r"[\[\](){}]")
_PARTNER: Final = {"[": "]", "(": ")", "{": "}"}
_NAME: Final = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_MAKER: Final = re.compile(r"\s*(?:\w+\.)*+(?:(?:as)?array|Array|[mM]atrix|[tT]ensor)\s*")
_OPTION: Final = re.compile(r"\s*,\s*[a-z_]+\s*=\s*(?:[\w.'\":<>]+|\([0-9\s,]*\))")
_SCALAR: Final = re.compile(r"\b((?:np\.|numpy\.)?(?:float|u?int)[0-9]+\()([^()\[\]{}]*)\)")
_INFINITY: Final = re.compile(r"\bfloat\(([\"'])(-?)(inf|nan)\1\)")
_TIMES_TEN: Final = re.compile(r"(?<=[0-9.])\*\^([+-]?[0-9]++)(?!\.)")
_PART: Final = re.compile(r"[^;\r\n]+")
_SPACED: Final = re.compile(r"[^\s,](\s+)(?=[^\s,])", re.ASCII)
_MOST_OPEN: Final = 5  # two lists, inside calls such as torch.tensor(np.array(


def list_rows(source: Source) -> Iterator[Row]:
    r"""Rows of a list of lists, of one list, or of lists without a list around them.

    `[1 2; 3 4]` has two rows, as in MATLAB. `np.array(...)`, `tensor(...)` and the like are skipped
    with their `dtype=...`. A line break between two numbers of `[1 2\n 3 4]` is refused: MATLAB
    begins a row there, but a vector printed by NumPy continues. In braces, as in Mathematica, only
    a comma separates, because a space would multiply.
    """
    return _ListReader(source).rows()


class _ListReader:
    """Goes from bracket to bracket. Between two are either cells, or at most one separator."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = _in_plain_numbers(source.plain)
        self.open: list[tuple[str, int]] = []  # each a "[", "(" or "call", and its place
        self.depth = 0  # how many of them are lists
        self.nested = False  # the last outer list holds lists
        self.results = 0  # outer lists so far; tensor(5.) counts as one
        self.is_matrix = False  # one of them is a whole matrix and not a row

    def rows(self) -> Iterator[Row]:
        name = _NAME.match(self.text)
        start = name.end() if name else 0
        while bracket := _BRACKET.search(self.text, start):
            if bracket[0] in _PARTNER:
                self._enter(bracket[0], start, bracket.start())
            else:
                yield from self._leave(bracket[0], start, bracket.start())
            start = self._after_options(bracket.end())
        if self.open:
            sign, place = self.open[-1]
            raise self._error(
                place,
                say("must close every bracket"),
                say("one that stays open"),
                say("Add {bracket} where it ends.").format(bracket=_PARTNER.get(sign, ")")),
            )
        self._check_separator(start, len(self.text))

    def _enter(self, sign: str, start: int, place: int) -> None:
        if self.depth == 0 and sign == "(" and _MAKER.fullmatch(self.text, start, place):
            sign = "call"
        else:
            self._check_separator(start, place)
            self.depth += 1
            self.nested = self.depth == 2
        if self.depth > 2 or len(self.open) == _MOST_OPEN:
            raise self._error(
                place,
                say("must have two axes, rows and columns"),
                say("lists nested deeper than that"),
                say("Give one head or one batch at a time, as [[1, 2], [3, 4]]."),
            )
        self.open.append((sign, place))

    def _leave(self, sign: str, start: int, place: int) -> Iterator[Row]:
        if not self.open or _PARTNER.get(self.open[-1][0], ")") != sign:
            raise self._error(
                place,
                say("must have matching brackets"),
                repr(sign),
                say("Remove it, or add its opening bracket."),
            )
        opening, opened = self.open.pop()
        if opening == "call" and self.results:  # the list inside is already done
            self._check_separator(start, place)
            return
        count = 0
        if self.depth == 1 and self.nested:
            self._check_separator(start, place)
        else:
            for row in self._content(start, place, opening):
                count += 1
                yield row
        self.depth = max(self.depth - 1, 0)  # a call around one number is at depth 0
        if self.depth == 0:
            self._finish(opened, is_matrix=self.nested or count > 1)

    def _finish(self, place: int, *, is_matrix: bool) -> None:
        self.results += 1
        self.is_matrix = self.is_matrix or is_matrix
        if self.is_matrix and self.results > 1:
            raise self.source.left_over(place)

    def _content(self, start: int, end: int, opening: str) -> Iterator[Row]:
        """The rows of a list that holds numbers: one, or one for each part between semicolons."""
        text = self.text[start:end]
        if ";" not in text:
            if opening != "{":
                self._check_line_breaks(start, text)
            yield self._row(text, start, opening)
            return
        if self.depth > 1 or opening == "{":
            place = start + text.index(";")
            raise self._error(
                place, say("must have , between numbers"), "';'", say("Write , instead.")
            )
        for part in _PART.finditer(text):
            if part[0].strip():
                yield self._row(part[0], start + part.start(), opening)

    def _row(self, text: str, start: int, opening: str) -> Row:
        if "," not in text and opening != "{":
            row = cut_cells(text, start, None)
            if self.depth > 1 and opening == "(" and len(row) == 1:
                way_out = say(
                    "Write (1,) for a row of one number; leave the brackets out for a number."
                )
                raise self._error(
                    start, say("must have a comma in a row of one"), short_quote(text), way_out
                )
        else:
            row = cut_cells(text, start, ",")
            if not row[-1][0].strip():  # [1, 2,] ends with a comma, as in Python
                row.pop()
        if not row:
            way_out = say("Write at least one number between the brackets.")
            raise self._error(
                start, say("must have numbers in every list"), say("an empty list"), way_out
            )
        return row

    def _check_line_breaks(self, start: int, text: str) -> None:
        for gap in () if self.depth > 1 else _SPACED.finditer(text):
            if "\n" in gap[1] or "\r" in gap[1]:
                raise self._error(
                    start + gap.end(),
                    say("must have only one reading"),
                    say("a new line that may begin a row (MATLAB) or continue it (NumPy)"),
                    say("Write ; between rows, or all numbers of a row on one line."),
                )

    def _check_separator(self, start: int, end: int) -> None:
        """Allow only a separator beside a list, and only after another list."""
        between = self.text[start:end].strip()
        follows_list = self.text[start - 1 : start] in {")", "]", "}"}
        if between and not (follows_list and between in {",", ";"}):
            if self.depth == 0:
                raise self.source.left_over(start)
            place = end - len(self.text[start:end].lstrip())
            way_out = say("Write a matrix as [[1, 2], [3, 4]].")
            need = say("must have either lists or numbers in a list, not both")
            raise self._error(place, need, short_quote(between), way_out)

    def _after_options(self, start: int) -> int:
        is_in_call = self.open and self.depth == 0
        return end_of_repeats(_OPTION, self.text, start) if is_in_call else start

    def _error(self, place: int, need: str, got: str, way_out: str) -> ParseError:
        return self.source.error(place, need, got, way_out)


def _in_plain_numbers(text: str) -> str:
    """The text with numbers of some languages as plain ones. Nothing else moves.

    >>> _in_plain_numbers('[np.float64(0.5), float("-inf")]')
    '[           0.5 , -inf         ]'
    >>> _in_plain_numbers("{1.5*^-3}")
    '{1.5e-3 }'
    """
    text = _SCALAR.sub(lambda call: f"{' ' * len(call[1])}{call[2]} ", text)  # as NumPy 2 prints
    text = _INFINITY.sub(lambda call: (call[2] + call[3]).ljust(len(call[0])), text)
    return _TIMES_TEN.sub(r"e\1 ", text)
