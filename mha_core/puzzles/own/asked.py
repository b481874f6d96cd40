r"""Sentences of an own puzzle, and what is wanted of each of their tokens, as a text.

A line for each sentence: its words, a colon, and what is wanted of each word, in their order.

    a b a : - 1 2       the second token looks at the first one, the third at the second
    a b a : 1+3 2 1+3   the first one looks at the first and the third, at each of them as much
    a b a : - - b       after the third token comes b

Tokens are counted from 1. A dash says that nothing is wanted there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from mha_core.checks.errors import FormatError
from mha_core.language import say
from mha_core.puzzles.wants import Looks, Predicts, Want

NOTHING: Final = "-"
DASHES: Final = (NOTHING, "\u2212", "\u2013", "\u2014")  # as keyboards and editors write one
ALSO: Final = "+"
COLON: Final = ":"
MADE_OF_SIGNS: Final = (NOTHING, ALSO, COLON)  # what no word may be, or have in it
HOW: Final = say("Write a line as “a b a : - 1 2”, with one thing for each word.")

_NUMBER: Final = re.compile("[0-9]{1,9}")

Wanted = tuple[int, ...] | str | None  # keys, counted from 0; the word that comes next; nothing


@dataclass(frozen=True)
class Asked:
    """A sentence, and what is wanted of each of its tokens."""

    tokens: tuple[str, ...]
    wanted: tuple[Wanted, ...]

    def wants(self, words: tuple[str, ...]) -> list[Want]:
        """The same, as the checker takes it. `words` are those that may be predicted."""
        return [
            Predicts(query, wanted, words) if isinstance(wanted, str) else Looks(query, wanted)
            for query, wanted in enumerate(self.wanted)
            if wanted is not None
        ]


def read_asked(text: str, *, predicts: bool) -> tuple[Asked, ...]:
    """The sentences of a text. Empty lines are left out.

    >>> read_asked("a b a : - 1 1+3", predicts=False)[0].wanted
    (None, (0,), (0, 2))
    >>> read_asked("a b a : - - b", predicts=True)[0].wanted
    (None, None, 'b')
    """
    lines = enumerate(text.splitlines(), 1)
    return tuple(_line(number, line, predicts) for number, line in lines if line.strip())


def write_asked(asked: Iterable[Asked]) -> str:
    """Sentences as a text that `read_asked` reads.

    >>> write_asked([Asked(("a", "b", "a"), (None, (0,), (0, 2)))])
    'a b a : - 1 1+3'
    """
    return "\n".join(
        f"{' '.join(each.tokens)} {COLON} {' '.join(map(_written, each.wanted))}" for each in asked
    )


def _written(wanted: Wanted) -> str:
    if wanted is None:
        return NOTHING
    return wanted if isinstance(wanted, str) else ALSO.join(str(key + 1) for key in wanted)


def _line(number: int, line: str, predicts: bool) -> Asked:
    thing = say("Line {line} of the sentences").format(line=number)
    sentence, colon, wanted = line.rpartition(COLON)
    if not colon:
        need = say("must have a colon between its words and what is wanted")
        raise FormatError(thing, need, repr(line[:40]), HOW)
    tokens, said = tuple(sentence.split()), wanted.split()
    if len(tokens) != len(said):
        need = say("must say one thing for each of its {count} words").format(count=len(tokens))
        raise FormatError(thing, need, str(len(said)), HOW)
    read = str if predicts else partial(_keys, tokens)
    return Asked(tokens, tuple(None if each in DASHES else read(each) for each in said))


def _keys(tokens: tuple[str, ...], text: str) -> tuple[int, ...]:
    parts = text.split(ALSO)
    if not all(_NUMBER.fullmatch(part) for part in parts):
        thing = say("“{sentence}”").format(sentence=" ".join(tokens)[:40])
        need = say("must have, for each word, a number, several as in 1+3, or a dash")
        raise FormatError(thing, need, repr(text[:40]), HOW)
    return tuple(int(part) - 1 for part in parts)
