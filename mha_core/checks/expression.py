"""A number as a small expression: `1/sqrt(64)`, `2^-3`, `sqrt(2)/2`, `0.5/d_k`.

    sum       product + product - product
    product   power * power / power
    power     number ^ power         2^3^2 is 2^9, and -2^2 is -4
    number    0.5   2,5   1e-3   a name   sqrt(sum)   sqrt number   (sum)

No text is run as code. It is cut into marks, and each rule above is a method that takes some.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from mha_core.checks.errors import MhaError, NumberError
from mha_core.checks.limits import LIMITS
from mha_core.checks.number_text import parse_number
from mha_core.language import say

LONGEST: Final = 100  # characters
DEEPEST: Final = 20  # brackets and powers within each other
WAY_OUT: Final = say(
    "Write a number such as 0.5, or an expression such as 1/3, 2^-3 or 1/sqrt(64)."
)

_MARK: Final = re.compile(
    r"\s*(?:(?P<number>[0-9.][0-9.,]*(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_]\w*)|"
    r"(?P<sign>\*\*|[-+*/^()√]))"
)
_USUAL: Final = str.maketrans("−–×·⋅÷:", "--***//")


def read_expression(text: str, thing: str, names: Mapping[str, float]) -> float:
    """The value of an expression; `names` are the words that stand for a number.

    >>> read_expression("1/sqrt(d_k)", "The scale", {"d_k": 64})
    0.125
    """
    if len(text) > LONGEST:
        need = say("must be at most {limit} characters").format(limit=LONGEST)
        raise NumberError(thing, need, str(len(text)), WAY_OUT)
    try:
        value = _Expression(thing, text.translate(_USUAL), names).value()
    except ZeroDivisionError as error:
        raise NumberError(thing, say("must not divide by zero"), _shown(text), WAY_OUT) from error
    except OverflowError:
        value = math.inf
    except _NotReadError as error:
        raise NumberError(thing, error.need, error.got or _shown(text), WAY_OUT) from error
    if not abs(value) <= LIMITS.magnitude:  # "not" catches NaN too
        need = say("must be a finite number of at most {limit:g} in size")
        raise NumberError(thing, need.format(limit=LIMITS.magnitude), _shown(text), WAY_OUT)
    return value


class _NotReadError(Exception):
    """What an expression must be, and what was given (empty: the whole text)."""

    def __init__(self, need: str, got: str = "") -> None:
        super().__init__(need)
        self.need = need
        self.got = got


class _Expression:
    """Reads the marks of a text from left to right."""

    def __init__(self, thing: str, text: str, names: Mapping[str, float]) -> None:
        self.thing = thing
        self.marks = _marks(text, names)
        self.names = names
        self.next = 0
        self.depth = 0

    def value(self) -> float:
        value = self.sum()
        if self.next < len(self.marks):
            need = say("must have a sign such as * before {mark}")
            raise _NotReadError(need.format(mark=self.marks[self.next]))
        return value

    def sum(self) -> float:
        value = self.product()
        while sign := self.take("+", "-"):
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.take("*", "/"):
            value = value * self.signed() if sign == "*" else value / self.signed()
        return value

    def signed(self) -> float:
        """A power with any number of + and - before it."""
        minus = False
        while sign := self.take("+", "-"):
            minus ^= sign == "-"
        return -self.power() if minus else self.power()

    def power(self) -> float:
        base = self.number()
        if not self.take("^", "**"):
            return base
        exponent = self.deeper(self.signed)
        value = base**exponent
        if isinstance(value, complex):
            got = say("{number:g} to the power of a fraction").format(number=base)
            raise _NotReadError(say("must be a real number"), got)
        return float(value)

    def number(self) -> float:
        if self.take("("):
            value = self.deeper(self.sum)
            if not self.take(")"):
                raise _NotReadError(say("must close every bracket"))
            return value
        if self.take("sqrt", "√"):
            return self.root()
        if self.next == len(self.marks):
            raise _NotReadError(say("must have a number at its end"))
        mark = self.marks[self.next]
        self.next += 1
        if mark in self.names:
            return float(self.names[mark])
        if not (mark[0].isdigit() or mark[0] == "."):
            raise _NotReadError(say("must have a number before {mark}").format(mark=mark))
        try:
            return parse_number(mark, self.thing)
        except MhaError as error:
            raise _NotReadError(error.need, error.got) from error

    def root(self) -> float:
        value = self.deeper(self.number)
        if value < 0:
            raise _NotReadError(
                say("must not have the root of a number below 0"), f"sqrt({value:g})"
            )
        return math.sqrt(value)

    def deeper(self, rule: Callable[[], float]) -> float:
        self.depth += 1
        if self.depth > DEEPEST:
            need = say("must have at most {limit} brackets within each other")
            raise _NotReadError(need.format(limit=DEEPEST), say("more"))
        value = rule()
        self.depth -= 1
        return value

    def take(self, *marks: str) -> str:
        """The next mark, if it is one of these, else ""."""
        if self.next < len(self.marks) and self.marks[self.next] in marks:
            self.next += 1
            return self.marks[self.next - 1]
        return ""


def _marks(text: str, names: Mapping[str, float]) -> list[str]:
    """The numbers, names and signs of a text."""
    if not text.strip():
        raise _NotReadError(say("must be a number"), say("nothing"))
    marks, place, end = [], 0, len(text.rstrip())
    while place < end:
        mark = _MARK.match(text, place)
        if mark is None:
            raise _NotReadError(say("must be a number or an expression"))
        if mark["name"] and mark["name"] != "sqrt" and mark["name"] not in names:
            *words, last = [say("numbers"), say("signs"), "sqrt", *names]
            need = say("must be made of {words} and {last}")
            raise _NotReadError(need.format(words=", ".join(words), last=last), repr(mark["name"]))
        marks.append(mark["number"] or mark["name"] or mark["sign"])
        place = mark.end()
    return marks


def _shown(text: str) -> str:
    return repr(text.strip()[:40])
