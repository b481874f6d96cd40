"""One number as people write it."""

from __future__ import annotations

import math
import re
from typing import Final

from mha_core.checks.errors import ParseError
from mha_core.checks.limits import LIMITS
from mha_core.checks.text_source import Source, Written, short_quote
from mha_core.language import say

THE_NUMBER: Final = say("The number")
LONGEST_NUMBER: Final = 1_100  # the smallest float64, written out in full, has 1,076 characters

_DECIMAL: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_AROUND_A_FRACTION: Final = re.compile(r"\s*/\s*")  # blanks else part numbers in a matrix
_NUMBER: Final = re.compile(rf"({_DECIMAL})(?:/({_DECIMAL}))?")
_COMMA: Final = re.compile(r"(?<=[0-9]),(?=[0-9])")
_NEAR_ONE_OR_THOUSANDS: Final = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
# `1 234,5`: the blank may be between thousands, or between two numbers.
_BLANK: Final = "[ \u00a0\u2007\u2009\u202f]"
_GROUPED: Final = re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:{_BLANK}[0-9]{{3}})+(?:[.,][0-9]+)?")
_GROUPED_BETWEEN_BLANKS: Final = re.compile(
    r"(?<![^\s;])[+-]?[1-9][0-9]{0,2}(?: [0-9]{3}){1,5},[0-9]+(?![^\s;])", re.ASCII
)
_INFINITY: Final = r"(?:(?:np|numpy|math|torch)\.)?inf(?:inity)?|∞|\\infty"
_MINUS_INFINITY: Final = re.compile(rf"-(?:{_INFINITY})", re.IGNORECASE)
_NOT_FINITE: Final = re.compile(
    rf"[+-]*(?:{_INFINITY}|(?:np\.|numpy\.)?nan|none|null|na|n/a)", re.IGNORECASE
)


class NumberReader:
    """Turns the cells of one text into floats.

    A comma inside a cell is a decimal comma. But `1,234` may be near one or above a thousand:
    another number of the same text, such as `2,5`, must show which. `settle` checks this at the
    end. If the text has decimal points too, nothing shows it. With `minus_infinity`, -inf is a
    number too.
    """

    def __init__(self, source: Source, *, minus_infinity: bool = False) -> None:
        self._source = source
        self._minus_infinity = minus_infinity
        self._doubtful: Written | None = None
        self._commas_are_decimal = False

    def read(self, cell: Written) -> float:
        written = cell[0].strip()
        if "," in written:
            self._weigh_comma(written, cell)
        match = _match(written)
        if match is None:
            if self._minus_infinity and _is_minus_infinity(written):
                return -math.inf
            raise self._refusal(cell)
        value = float(match[1])
        if match[2]:
            divisor = float(match[2])
            if divisor == 0:
                raise self._error(
                    cell, say("must hold finite numbers"), say("Divide by another number.")
                )
            value /= divisor
        if not abs(value) <= LIMITS.magnitude:  # "not" catches NaN too
            need = say("must hold finite numbers of at most {limit:g} in size").format(
                limit=LIMITS.magnitude
            )
            raise self._error(cell, need, say("Write a smaller number."))
        return value

    def settle(self) -> None:
        """Refuse a text in which all commas may be between thousands."""
        if self._doubtful is None:
            return
        if self._commas_are_decimal and "." not in self._source.plain:
            return
        written = self._doubtful[0].strip()
        point, joined = written.replace(",", "."), written.replace(",", "")
        raise self._error(
            self._doubtful,
            say("must have only one reading, and this may be {point} or {joined}").format(
                point=point, joined=joined
            ),
            say("Write {point} for the first or {joined} for the second.").format(
                point=point, joined=joined
            ),
        )

    def _weigh_comma(self, written: str, cell: Written) -> None:
        if not _NEAR_ONE_OR_THOUSANDS.fullmatch(written):
            self._commas_are_decimal = True
        elif self._doubtful is None:
            self._doubtful = cell

    def _error(self, cell: Written, need: str, way_out: str) -> ParseError:
        text, start = cell
        if not text.strip():
            return self._source.error(start, need, say("an empty cell"), way_out)
        indent = len(text) - len(text.lstrip())
        return self._source.error(start + indent, need, short_quote(text), way_out)

    def _refusal(self, cell: Written) -> ParseError:
        written = cell[0].strip()
        need = say("must hold numbers only")
        way_out = say(
            "Write it like 0.5, -2, 1e-3 or 1/3, without units, underscores or thousands "
            "separators, and leave out headers and labels."
        )
        if _GROUPED.fullmatch(written):
            need, way_out = _two_readings(written)
        elif not written:
            need = say("must have a number in every cell")
            way_out = say("Write 0 where you mean zero.")
        elif "..." in written or "…" in written:
            need = say("must be complete")
            way_out = say("Print all of it: np.set_printoptions(threshold=sys.maxsize).")
        elif _NOT_FINITE.fullmatch(written):
            need, way_out = say("must hold finite numbers"), say("Replace that value by a number.")
            if self._minus_infinity:
                need = say("must hold finite numbers or -inf")
                way_out = say("Replace that value by a number or by -inf.")
        elif len(written) > LONGEST_NUMBER:
            need = say("must have numbers of at most {limit} characters").format(
                limit=LONGEST_NUMBER
            )
            way_out = say("Round it to 17 digits; a float64 holds no more.")
        elif len(written.split()) > 1:
            need = say("must have one number in each cell")
            way_out = say(
                "Put the same separator between all numbers, and no spaces inside a number."
            )
        return self._error(cell, need, way_out)


def parse_number(text: str, thing: str = THE_NUMBER, *, minus_infinity: bool = False) -> float:
    """One number as people write it: `-2,5`, `1/3`, `.5`, `1e-3`, with any kind of minus.

    Refused: `1,234` and `1 234,5` (each has two readings), NaN, infinity, hexadecimal,
    underscores. With `minus_infinity`, -inf is allowed, as in an additive mask.

    >>> parse_number("-2,5"), parse_number("1 / 4"), parse_number("−1e-3")
    (-2.5, 0.25, -0.001)
    >>> parse_number("−∞", minus_infinity=True)
    -inf
    """
    source = Source(thing, text)
    numbers = NumberReader(source, minus_infinity=minus_infinity)
    value = numbers.read((_AROUND_A_FRACTION.sub("/", source.plain), 0))
    numbers.settle()
    return value


def refuse_grouped_thousands(source: Source, text: str) -> None:
    """Refuse `1 234,5` if blanks separate numbers: it may be one number or two."""
    found = _GROUPED_BETWEEN_BLANKS.search(text)
    if found:
        need, way_out = _two_readings(found[0])
        raise source.error(found.start(), need, short_quote(found[0]), way_out)


def _two_readings(written: str) -> tuple[str, str]:
    """For a number with blanks inside: what it must be, and a way out."""
    numbers = [part.replace(",", ".") for part in re.split(_BLANK, written)]
    one = "".join(numbers)
    need = say("must have only one reading, and this may be {one} or {several}").format(
        one=one, several=say(" and ").join(numbers)
    )
    way_out = say("Write {one} for the first or {several} for the second.")
    return need, way_out.format(one=one, several="; ".join(numbers))


def is_number(text: str) -> bool:
    """Whether a cell is written like a number of any size, or like -inf."""
    written = text.strip()
    return _match(written) is not None or _is_minus_infinity(written)


def _is_minus_infinity(written: str) -> bool:
    return _MINUS_INFINITY.fullmatch(written) is not None


def _match(written: str) -> re.Match[str] | None:
    if len(written) > LONGEST_NUMBER:
        return None
    return _NUMBER.fullmatch(_COMMA.sub(".", written) if "," in written else written)
