"""Two hundred plain sentences, written so that a head can show what it does."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def sentences() -> tuple[str, ...]:
    """All of them, in their order.

    >>> sentences()[0]
    'The cat sat on the mat because it was warm.'
    """
    return tuple(Path(__file__).with_name("sentences.txt").read_text("utf-8").splitlines())
