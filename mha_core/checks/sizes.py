"""Sizes in bytes, as people write them: 20 MB. Every message gets them from here."""

from __future__ import annotations

from typing import Final

from mha_core.checks.errors import LimitError
from mha_core.language import say

UNITS: Final = (say("bytes"), "kB", "MB", "GB")
STEP: Final = 1024


def size_in_words(size: int) -> str:
    """A number of bytes in the largest unit that fits into it.

    >>> [size_in_words(size) for size in (17, 1_500, 20 * 2**20, 3 * 2**29)]
    ['17 bytes', '1.5 kB', '20 MB', '1.5 GB']
    """
    power = min(max(size.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    number = size / STEP**power
    return f"{number:.{0 if number >= 10 else 1}f}".removesuffix(".0") + f" {UNITS[power]}"


def check_size(thing: str, size: int, most: int, way_out: str) -> None:
    """Refuse more bytes than `most`. The error never writes the size like the limit."""
    if size > most:
        limit, got = size_in_words(most), size_in_words(size)
        got = say("a little more") if got == limit else got
        raise LimitError(thing, say("must be at most {limit}").format(limit=limit), got, way_out)
