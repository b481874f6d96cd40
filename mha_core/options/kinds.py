"""The kinds of values that an option of the scores may have, each with its check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from mha_core.checks.errors import NumberError, OptionError
from mha_core.checks.values import (
    check_limit,
    check_one_of,
    check_whole,
    is_within,
    short_repr,
)
from mha_core.language import say


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


@dataclass(frozen=True)
class Whole(Typed):
    """A whole number from `least` to `most`, or one of some special values."""

    least: int
    most: int
    way_out: str
    specials: tuple[Special, ...] = ()

    def check(self, thing: str, value: Any) -> None:
        if value is not None or not self.specials:
            check_whole(thing, value, self.least, self.most, self.way_out)


@dataclass(frozen=True)
class Numbers(Typed):
    """Some numbers in a row, each as `each` says, at most `most_numbers`; or None for the usual."""

    each: Real
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


Kind = Real | Whole | Numbers | Word
