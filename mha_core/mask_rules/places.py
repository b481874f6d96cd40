"""Where queries stand among the keys; the checks of the options of a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_one_of, check_places, check_whole, short_repr
from mha_core.language import say

Align = Literal["end", "start"]
ALL_ROWS: Final = slice(None)
IntArray = npt.NDArray[np.intp]


def places(n_q: int, n_k: int, align: Align, rows: slice) -> tuple[IntArray, IntArray]:
    """The place of each query among the keys, as a column, and of each key, as a row."""
    check_one_of("align", align, ("end", "start"), say("Take 'end' for a decoder with a cache."))
    check_count("n_q", n_q, least=1)
    check_count("n_k", n_k, least=1)
    shift = n_k - n_q if align == "end" else 0
    return np.arange(n_q)[rows, None] + shift, np.arange(n_k)[None, :]


def check_count(thing: str, value: object, least: int = 0) -> None:
    check_whole(thing, value, least, LIMITS.tokens, say("Count in tokens."))


def check_keys(thing: str, keys: Sequence[int], n_k: int) -> None:
    if not isinstance(keys, tuple | list):
        raise OptionError(
            thing, say("must be a list of key tokens"), short_repr(keys), say("Write [0, 2].")
        )
    check_places(thing, keys, n_k, say("key"), say("keys"))


def segment_numbers(thing: str, segments: Sequence[int], count: int, kind: str) -> IntArray:
    if not isinstance(segments, tuple | list) or len(segments) != count:
        came = f"{len(segments)}" if isinstance(segments, tuple | list) else short_repr(segments)
        raise ShapeError(
            thing,
            say("must have one number for each {thing}, {count} in all").format(
                thing=kind, count=count
            ),
            came,
            say("Number each token's document, as in [1, 1, 2]."),
        )
    return np.asarray(segments)
