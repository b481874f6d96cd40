"""Which query may attend to which key.

Every mask is a small function that returns a boolean matrix with one row for each query and one
column for each key. True means: may attend. Masks combine by AND. Each takes `rows`, to make only a
few rows of a mask that is too large for the memory.

If there are more keys than queries, each query needs a place among the keys. `align="end"` puts
the last query at the last key, as in a decoder with a cache of earlier tokens. `align="start"` puts
the first query at the first key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import BoolArray
from mha_core.checks.values import check_one_of, check_places, check_whole, short_repr

Align = Literal["end", "start"]
ALL_ROWS: Final = slice(None)
IntArray = npt.NDArray[np.intp]


def causal(n_q: int, n_k: int, *, align: Align = "end", rows: slice = ALL_ROWS) -> BoolArray:
    """Causal: no query sees a key after its own place.

    >>> causal(2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    >>> causal(2, 3, align="start").astype(int)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    query, key = _places(n_q, n_k, align, rows)
    return key <= query


def padding(n_q: int, n_k: int, *, hidden: Sequence[int], rows: slice = ALL_ROWS) -> BoolArray:
    """Padding: no query sees the chosen key tokens, which only fill up the sequence.

    >>> padding(1, 4, hidden=[3]).astype(int)
    array([[1, 1, 1, 0]])
    """
    _check_keys("padding's hidden", hidden, n_k)
    query, key = _places(n_q, n_k, "start", rows)
    open_keys: BoolArray = np.broadcast_to(~np.isin(key, hidden), (query.size, n_k))
    return open_keys


def sliding_window(
    n_q: int,
    n_k: int,
    *,
    left: int,
    right: int = 0,
    align: Align = "end",
    rows: slice = ALL_ROWS,
) -> BoolArray:
    """Sliding window: a query sees `left` keys before its own place and `right` after it.

    >>> sliding_window(4, 4, left=1).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    _check_count("sliding_window's left", left)
    _check_count("sliding_window's right", right)
    query, key = _places(n_q, n_k, align, rows)
    return (key >= query - left) & (key <= query + right)


def prefix_lm(
    n_q: int, n_k: int, *, prefix: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Prefix language model: all queries see the first `prefix` keys; the rest is causal.

    >>> prefix_lm(3, 3, prefix=2).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    _check_count("prefix_lm's prefix", prefix)
    query, key = _places(n_q, n_k, align, rows)
    return (key < prefix) | (key <= query)


def documents(
    n_q: int,
    n_k: int,
    *,
    segments: Sequence[int],
    query_segments: Sequence[int] = (),
    rows: slice = ALL_ROWS,
) -> BoolArray:
    """Documents: each token sees only the tokens of its own document (block-diagonal).

    `segments` has the document number of each key. `query_segments` has that of each query, if the
    queries are another sequence.

    >>> documents(3, 3, segments=[1, 1, 2]).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])
    """
    of_key = _segment_numbers("documents' segments", segments, n_k, "key")
    of_query = _segment_numbers(
        "documents' query_segments",
        segments if query_segments == () else query_segments,
        n_q,
        "query",
    )
    return np.equal(of_query[rows, None], of_key)


def global_local(
    n_q: int,
    n_k: int,
    *,
    global_tokens: Sequence[int],
    left: int,
    right: int = 0,
    align: Align = "end",
    rows: slice = ALL_ROWS,
) -> BoolArray:
    """Global plus local: a few tokens see all and are seen by all; the others have a window.

    >>> global_local(4, 4, global_tokens=[0], left=1).astype(int)
    array([[1, 1, 1, 1],
           [1, 1, 0, 0],
           [1, 1, 1, 0],
           [1, 0, 1, 1]])
    """
    _check_keys("global_local's global_tokens", global_tokens, n_k)
    _check_count("global_local's left", left)
    _check_count("global_local's right", right)
    query, key = _places(n_q, n_k, align, rows)
    local = sliding_window(n_q, n_k, left=left, right=right, align=align, rows=rows)
    return local | np.isin(query, global_tokens) | np.isin(key, global_tokens)


def strided(
    n_q: int, n_k: int, *, stride: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Strided: a query sees the keys nearer than `stride`, and every stride-th key beyond them.

    Together with causal, this is the pattern of the Sparse Transformer.

    >>> (strided(5, 5, stride=2) & causal(5, 5)).astype(int)
    array([[1, 0, 0, 0, 0],
           [1, 1, 0, 0, 0],
           [1, 1, 1, 0, 0],
           [0, 1, 1, 1, 0],
           [1, 0, 1, 1, 1]])
    """
    _check_count("strided's stride", stride, least=1)
    query, key = _places(n_q, n_k, align, rows)
    distance: IntArray = np.abs(query - key)
    near: BoolArray = (distance < stride) | (distance % stride == 0)
    return near


MASKS: Final[Mapping[str, Callable[..., BoolArray]]] = {
    mask.__name__: mask
    for mask in (
        causal,
        padding,
        sliding_window,
        prefix_lm,
        documents,
        global_local,
        strided,
    )
}


def _places(n_q: int, n_k: int, align: Align, rows: slice) -> tuple[IntArray, IntArray]:
    """The place of each query among the keys, as a column, and of each key, as a row."""
    check_one_of("align", align, ("end", "start"), "Take 'end' for a decoder with a cache.")
    _check_count("n_q", n_q, least=1)
    _check_count("n_k", n_k, least=1)
    shift = n_k - n_q if align == "end" else 0
    return np.arange(n_q)[rows, None] + shift, np.arange(n_k)[None, :]


def _check_count(thing: str, value: object, least: int = 0) -> None:
    check_whole(thing, value, least, LIMITS.tokens, "Count in tokens.")


def _check_keys(thing: str, keys: Sequence[int], n_k: int) -> None:
    if not isinstance(keys, tuple | list):
        raise OptionError(thing, "must be a list of key tokens", short_repr(keys), "Write [0, 2].")
    check_places(thing, keys, n_k, "key", "keys")


def _segment_numbers(thing: str, segments: Sequence[int], count: int, kind: str) -> IntArray:
    if not isinstance(segments, tuple | list) or len(segments) != count:
        came = f"{len(segments)}" if isinstance(segments, tuple | list) else short_repr(segments)
        raise ShapeError(
            thing,
            f"must have one number for each {kind}, {count} in all",
            came,
            "Number each token's document, as in [1, 1, 2].",
        )
    return np.asarray(segments)
