"""Names of tokens that nobody has named yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Final

LETTERS: Final[Mapping[str, str]] = {"tokens": "t", "context_tokens": "c"}


def new_names(sequence: str, labels: Sequence[str], how_many: int) -> tuple[str, ...]:
    """The next names that no token has; none where none are needed. `sequence` as in LETTERS.

    They are numbered as places are, so that they say where a token stood when it came.

    >>> new_names("tokens", ["I", "LOVE", "PIZZA"], 2)
    ('t4', 't5')
    >>> new_names("context_tokens", ["c3", "c4"], 2)
    ('c5', 'c6')
    """
    return tuple(islice(_free_names(LETTERS[sequence], labels), max(0, how_many)))


def _free_names(letter: str, labels: Sequence[str]) -> Iterator[str]:
    names = (f"{letter}{number}" for number in count(len(labels) + 1))
    return (name for name in names if name not in labels)
