"""The kinds of values that an option of the scores may have, each with its check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

from mha_core.checks.errors import NumberError, OptionError
from mha_core.checks.values import check_limit, check_one_of, check_whole, is_within, short_repr
from mha_core.language import say, say_number


class Special(NamedTuple):
    """A value that is no number, or the one that an empty field stands for.

    `typed` are the words for it, in small letters and without blanks. `in_link` is its word in a
    link; without one it is written as the number that it is.
    """

    value: float | str | None
    typed: tuple[str, ...]
    in_link: str = ""


class Typed:
    """What is typed into a field, where some values are special."""

    specials: tuple[Special, ...]

    def as_typed(self, value: Any) -> str:
        """What its field shows: nothing for the value that an empty field stands for.

        >>> from mha_core.options.softcap import OPTION
        >>> OPTION.kind.as_typed(None), OPTION.kind.as_typed(30.0)
        ('', '30.0')
        """
        if isinstance(value, str):
            return value
        return "" if any(value == special for special, *_ in self.specials) else self._typed(value)

    def special_typed(self, text: str) -> Special | None:
        """The special value that a person has typed, if it is one.

        >>> from mha_core.options.scale import OPTION
        >>> OPTION.kind.special_typed("1 / sqrt(d_k)").value, OPTION.kind.special_typed("0.5")
        ('1/sqrt(d_k)', None)
        >>> OPTION.kind.as_typed("none")
        'none'
        """
        word = "".join(text.split()).lower()
        return next((each for each in self.specials if word in each.typed), None)

    def _typed(self, value: Any) -> str:
        return repr(value)


@dataclass(frozen=True)
class Real(Typed):
    """A number from `least` to `most`, or one of some special values."""

    least: float
    most: float
    way_out: str
    specials: tuple[Special, ...] = ()

    def check(self, thing: str, value: Any) -> None:
        words = [each.value for each in self.specials if isinstance(each.value, str)]
        if isinstance(value, str) and words:
            if value not in words:
                need = say("must be {words} or a number").format(words=", ".join(map(repr, words)))
                raise OptionError(thing, need, short_repr(value), self.way_out)
        elif value is not None or not any(each.value is None for each in self.specials):
            self.check_number(thing, value)

    def check_number(self, thing: str, value: Any) -> None:
        if is_within(value, self.least, self.most):
            return
        need = say("must be a number from {least:g} to {most:g}").format(
            least=self.least, most=self.most
        )
        if self.least == -self.most:
            need = say("must be a number of at most {most:g} in size").format(most=self.most)
        raise NumberError(thing, need, repr(value), self.way_out)

    def taken(self, number: float) -> float:
        """A number that was read, in the type that the option has it."""
        return float(number)


@dataclass(frozen=True)
class Whole(Typed):
    """A whole number from `least` to `most`, or one of some special values."""

    least: int
    most: int
    way_out: str
    specials: tuple[Special, ...] = ()

    def check(self, thing: str, value: Any) -> None:
        if value is not None or not self.specials:
            self.check_number(thing, value)

    def check_number(self, thing: str, value: Any) -> None:
        check_whole(thing, value, self.least, self.most, self.way_out)

    def taken(self, number: float) -> float:
        """A number that was read, as a whole one; the check refuses any other."""
        read = float(number)
        return int(read) if read.is_integer() else read


@dataclass(frozen=True)
class Numbers(Typed):
    """Some numbers in a row, each as `each` says, at most `most_numbers`; or None for the usual."""

    each: Real | Whole
    most_numbers: int
    specials: tuple[Special, ...]

    def check(self, thing: str, value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, tuple):
            need = say("must be a tuple of numbers, or None")
            raise OptionError(thing, need, short_repr(value), self.each.way_out)
        check_limit(thing, len(value), self.most_numbers, self.each.way_out)
        for number in value:
            self.each.check_number(thing, number)

    def _typed(self, value: Any) -> str:
        """The numbers with blanks between them.

        >>> from mha_core.options.rope_frequencies import OPTION
        >>> OPTION.kind.as_typed((1.0, 0.25))
        '1.0 0.25'
        """
        return " ".join(map(repr, value))


@dataclass(frozen=True)
class Rows(Typed):
    """Rows of numbers, all equally long, each number as `each` says; or None for the usual.

    There are at most `most_rows`, of at most `most_numbers`.
    """

    each: Real | Whole
    most_rows: int
    most_numbers: int
    specials: tuple[Special, ...]

    def check(self, thing: str, value: Any) -> None:
        if value is None:
            return
        if not (isinstance(value, tuple) and value and all(isinstance(r, tuple) for r in value)):
            need = say("must be a tuple of tuples of numbers, or None")
            raise OptionError(thing, need, short_repr(value), self.each.way_out)
        check_limit(thing, len(value), self.most_rows, self.each.way_out)
        width = len(value[0])
        for number, row in enumerate(value, start=1):
            if not row:
                need = say("must have one number or more in every row")
                raise OptionError(thing, need, say("an empty row"), self.each.way_out)
            if len(row) != width:
                need = say_number(
                    "must have {count} number in every row, as in its first",
                    "must have {count} numbers in every row, as in its first",
                    width,
                ).format(count=width)
                got = say("{count} in row {row}").format(count=len(row), row=number)
                raise OptionError(thing, need, got, self.each.way_out)
            for each in row:
                self.each.check_number(thing, each)
        check_limit(say("The numbers of a row"), width, self.most_numbers, self.each.way_out)

    def read(self, text: str, parsed: Callable[[str], Iterable[Iterable[float]]]) -> Any:
        """The rows in a text. `parsed` reads numbers; a row whose end is not said is a column.

        >>> from mha_core.options.rope_places import OPTION
        >>> OPTION.kind.read("2 x 2", parsed=lambda text: [])
        ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
        """
        if grid := self.grid(text):
            return grid
        rows = self.taken(parsed(text))
        is_a_row = text.find(END_OF_ROW) == len(text.rstrip()) - 1  # as in "0 1;"
        return rows if len(rows) > 1 or is_a_row else tuple((number,) for number in rows[0])

    def taken(self, rows: Iterable[Iterable[float]]) -> tuple[tuple[float, ...], ...]:
        """Rows that were read, their numbers in the type that the option has them."""
        return tuple(tuple(map(self.each.taken, row)) for row in rows)

    def grid(self, text: str) -> tuple[tuple[float, ...], ...] | None:
        """The cells of a grid, where its sides are said, as in `2 x 3`."""
        if not _GRID.fullmatch(text):
            return None
        sides = tuple(map(int, re.findall("[0-9]+", text)))
        check_limit(say("The cells of a grid"), prod(sides), self.most_rows, self.each.way_out)
        return self.taken(_grid(sides))

    def _typed(self, value: Any) -> str:
        """As short as it can be read again.

        >>> from mha_core.options.rope_places import OPTION
        >>> OPTION.kind.as_typed(((0.0,), (1.5,))), OPTION.kind.as_typed(((0.0, 1.0),))
        ('0; 1.5', '0 1;')
        >>> OPTION.kind.as_typed(((0.0, 0.0), (0.0, 1.0)))
        '1 x 2'
        """
        if sides := sides_of_grid(value):
            return " x ".join(map(str, sides))
        rows = "; ".join(" ".join(map(_short, row)) for row in value)
        return f"{rows}{END_OF_ROW}" if len(value) == 1 < len(value[0]) else rows


END_OF_ROW: Final = ";"
_GRID: Final = re.compile(r"\s*[1-9][0-9]{0,4}(\s*[x×]\s*[1-9][0-9]{0,4}){1,7}\s*")


def _grid(sides: Iterable[int]) -> tuple[tuple[float, ...], ...]:
    """The cells of a grid, the last axis fastest."""
    return tuple(product(*(map(float, range(side)) for side in sides)))


def sides_of_grid(rows: tuple[tuple[float, ...], ...]) -> tuple[int, ...] | None:
    """The sides of the grid whose cells these are; None if they are others, or on one axis.

    >>> sides_of_grid(((0.0, 0.0), (0.0, 1.0))), sides_of_grid(((0.0, 0.0), (0.0, 2.0)))
    ((1, 2), None)
    """
    last = rows[-1]
    if len(last) < 2 or not all(number >= 0 and number == int(number) for number in last):
        return None
    sides = tuple(int(number) + 1 for number in last)
    return sides if prod(sides) == len(rows) > 1 and rows == _grid(sides) else None


def _short(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


class Choice(NamedTuple):
    """One of the words that an option may be: how it is called, and what it means."""

    title: str
    meaning: str


@dataclass(frozen=True)
class Word:
    """One of some words."""

    choices: Mapping[str, Choice]
    way_out: str

    def check(self, thing: str, value: Any) -> None:
        check_one_of(thing, value, self.choices, self.way_out)


Kind = Real | Whole | Numbers | Rows | Word
