"""Whole numbers and factors that follow from the place of a number, as data.

They are written as Python writes them: `HEAD * 3 + NTH` is the running one of three columns a head.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

OPERATIONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
    "//": lambda one, other: one // other,
    "%": lambda one, other: one % other,
}


class Count:
    """A number that follows from a place. Subclasses say how."""

    def __add__(self, other: CountLike) -> Count:
        return Calculated("+", self, other)

    def __sub__(self, other: CountLike) -> Count:
        return Calculated("-", self, other)

    def __mul__(self, other: CountLike) -> Count:
        return Calculated("*", self, other)

    def __truediv__(self, other: CountLike) -> Count:
        return Calculated("/", self, other)

    def __floordiv__(self, other: CountLike) -> Count:
        return Calculated("//", self, other)

    def __mod__(self, other: CountLike) -> Count:
        return Calculated("%", self, other)


CountLike = Count | int | float


@dataclass(frozen=True)
class Coordinate(Count):
    """A part of a cell's place, or the running number of a sum."""

    name: str


HEAD: Final = Coordinate("head")
SHARED: Final = Coordinate("shared")  # the key/value head that the cell's query head uses
ROW: Final = Coordinate("row")
COLUMN: Final = Coordinate("column")
NTH: Final = Coordinate("i")


@dataclass(frozen=True)
class Width(Count):
    """The number of columns of an array."""

    array: str


@dataclass(frozen=True)
class OneOf(Count):
    """One of some numbers."""

    numbers: tuple[float, ...]
    at: CountLike


@dataclass(frozen=True)
class Unsigned(Count):
    """A number without its sign."""

    of: CountLike


@dataclass(frozen=True)
class Within(Count):
    """A number, or the nearest of those from the least to the most."""

    of: CountLike
    least: int
    most: int


@dataclass(frozen=True)
class Calculated(Count):
    """Two numbers and the operation between them."""

    sign: str
    one: CountLike
    other: CountLike


@dataclass(frozen=True)
class Below:
    """Whether a number is less than another."""

    one: CountLike
    other: CountLike


Look = Callable[[Coordinate | Width], int]  # what a place or a width is, for one cell


def count_of(count: CountLike, look: Look) -> Any:
    """The number itself. Quotients are NumPy's, as those of the arrays are.

    >>> count_of(ROW * 2 + 1, lambda place: {"row": 3}[place.name])
    7
    """
    match count:
        case Coordinate() | Width():
            return look(count)
        case OneOf(numbers, at):
            return numbers[count_of(at, look)]
        case Unsigned(of):
            return abs(count_of(of, look))
        case Within(of, least, most):
            return min(max(count_of(of, look), least), most)
        case Calculated("/", one, other):
            return np.float64(count_of(one, look)) / count_of(other, look)
        case Calculated(sign, one, other):
            return OPERATIONS[sign](count_of(one, look), count_of(other, look))
    return count


def count_as_data(count: CountLike) -> Any:
    """What a browser gets: a number, the name of a place, or a list that begins with its kind.

    >>> count_as_data(ROW * 2 + Width("x"))
    ['+', ['*', 'row', 2], ['width', 'x']]
    """
    match count:
        case Coordinate(name):
            return name
        case Width(array):
            return ["width", array]
        case OneOf(numbers, at):
            return ["one of", list(numbers), count_as_data(at)]
        case Unsigned(of):
            return ["unsigned", count_as_data(of)]
        case Within(of, least, most):
            return ["within", count_as_data(of), least, most]
        case Calculated(sign, one, other):
            return [sign, count_as_data(one), count_as_data(other)]
    return count


def condition_as_data(of: Below) -> Any:
    """What a browser gets: the two numbers.

    >>> condition_as_data(Below(COLUMN % 2, 1))
    ['below', ['%', 'column', 2], 1]
    """
    return ["below", count_as_data(of.one), count_as_data(of.other)]
