"""Who may attend to whom.

Every mask is a small function that returns a boolean matrix, one row a query, one column a key:
True = may attend. Masks combine by AND. Each takes `rows`, so that a part of a mask too large to
hold can be made alone.

Where there are more keys than queries, a query needs a place among the keys. `align="end"` puts
the last query at the last key, as in a decoder whose cache holds the past; `align="start"` puts
the first query at the first key.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.checks.shapes import (
    LIMITS,
    BoolArray,
    ComparedByValue,
    Dims,
    FloatArray,
    as_array,
    as_float_array,
    check_shape,
    frozen,
    is_one_of,
    is_whole,
)
from mha_core.layer.attention import split_mask

Align = Literal["end", "start"]
ALL_ROWS: Final = slice(None)
IntArray = npt.NDArray[np.intp]


def causal(n_q: int, n_k: int, *, align: Align = "end", rows: slice = ALL_ROWS) -> BoolArray:
    """Causal: nobody looks ahead.

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
    """Padding: the chosen key tokens are filler, and nobody attends to them.

    >>> padding(1, 4, hidden=[3]).astype(int)
    array([[1, 1, 1, 0]])
    """
    _check_indices("padding's hidden", hidden, n_k)
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
    """Prefix language model: the first `prefix` keys are open to all, the rest is causal.

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
    """Documents: tokens see only tokens of their own segment (block-diagonal).

    `segments` numbers each key's document; `query_segments` each query's, where the queries are
    another sequence.

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
    """Global plus local: a few tokens see and are seen by all, the others keep to a window.

    >>> global_local(4, 4, global_tokens=[0], left=1).astype(int)
    array([[1, 1, 1, 1],
           [1, 1, 0, 0],
           [1, 1, 1, 0],
           [1, 0, 1, 1]])
    """
    _check_indices("global_local's global_tokens", global_tokens, n_k)
    _check_count("global_local's left", left)
    _check_count("global_local's right", right)
    query, key = _places(n_q, n_k, align, rows)
    local = sliding_window(n_q, n_k, left=left, right=right, align=align, rows=rows)
    return local | np.isin(query, global_tokens) | np.isin(key, global_tokens)


def strided(
    n_q: int, n_k: int, *, stride: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Strided: a query sees its neighbours nearer than `stride`, and every stride-th key beyond.

    With causal beside it, this is the Sparse Transformer's pattern.

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


@dataclass(frozen=True)
class Rule:
    """One mask by name with its options, before the sizes are known.

    >>> Rule("sliding_window", {"left": 1}).allowed(2, 2).astype(int)
    array([[1, 0],
           [1, 1]])
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not is_one_of(self.name, MASKS):
            raise OptionError(
                "A mask",
                f"must be one of {', '.join(MASKS)}",
                repr(self.name),
                "Check its spelling.",
            )
        if not isinstance(self.options, Mapping):
            raise OptionError(
                f"The options of {self.name}",
                "must be names with values",
                repr(self.options)[:60],
                "Write {} for none.",
            )
        known = inspect.signature(MASKS[self.name]).parameters
        open_to_choice = {
            name: parameter
            for name, parameter in known.items()
            if name not in ("n_q", "n_k", "rows")
        }
        for option in self.options:
            if option not in open_to_choice:
                raise OptionError(
                    f"An option of {self.name}",
                    f"must be one of {', '.join(open_to_choice)}",
                    repr(option),
                    "Leave it out.",
                )
        for option, parameter in open_to_choice.items():
            if parameter.default is inspect.Parameter.empty and option not in self.options:
                raise OptionError(
                    f"The mask {self.name}",
                    f"must say its {option}",
                    "nothing",
                    "Add it.",
                )
        object.__setattr__(
            self,
            "options",
            {
                option: _plain(f"The option {option} of {self.name}", value)
                for option, value in self.options.items()
            },
        )

    def allowed(self, n_q: int, n_k: int, rows: slice = ALL_ROWS) -> BoolArray:
        return MASKS[self.name](n_q, n_k, rows=rows, **self.options)


@dataclass(frozen=True, eq=False)
class Mask(ComparedByValue):
    """Everything that keeps a query from a key: rules, a drawn matrix and an additive matrix.

    A query may attend to a key only where all of them agree. `additive` is added to the scaled
    scores; where it is -inf, it hides.

    >>> Mask((Rule("causal"), Rule("padding", {"hidden": [0]}))).allowed(2, 2).astype(int)
    array([[0, 0],
           [0, 1]])
    """

    rules: tuple[Rule, ...] = ()
    custom: BoolArray | None = None
    additive: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", _rules(self.rules))
        if self.custom is not None:
            object.__setattr__(self, "custom", frozen(_boolean(self.custom).copy()))
        if self.additive is not None:
            object.__setattr__(self, "additive", frozen(_to_add(self.additive).copy()))

    def check(self, n_q: int, n_k: int) -> None:
        """Refuse a mask that does not fit the sizes; nothing is broadcast."""
        for thing, matrix in (("custom", self.custom), ("additive", self.additive)):
            if matrix is not None:
                sizes = {"n_q": n_q, "n_k": n_k}
                check_shape(f"The {thing} mask", matrix, Dims("n_q n_k"), sizes)
        for rule in self.rules:
            rule.allowed(n_q, n_k, rows=slice(0, 1))

    def allowed(self, n_q: int, n_k: int, rows: slice = ALL_ROWS) -> BoolArray:
        """Where every part agrees. Shape: (n_q, n_k), or fewer rows when asked."""
        parts = [rule.allowed(n_q, n_k, rows) for rule in self.rules]
        parts += [m[rows] for m in (self.custom, self._additive_parts[0]) if m is not None]
        return combine(*parts) if parts else np.ones((n_q, n_k), np.bool_)[rows]

    def added(self, rows: slice = ALL_ROWS) -> FloatArray | None:
        """What is added to the scaled scores, -inf aside. Shape: (n_q, n_k)."""
        added = self._additive_parts[1]
        return None if added is None else added[rows]

    @property
    def hides_nothing(self) -> bool:
        return not self.rules and self.custom is None and self._additive_parts[0] is None

    @cached_property
    def _additive_parts(self) -> tuple[BoolArray | None, FloatArray | None]:
        """The additive matrix as where it is not -inf (None: nowhere is it) and what it adds."""
        return (None, None) if self.additive is None else split_mask(self.additive)


def combine(*masks: BoolArray) -> BoolArray:
    """The masks by AND: a key is open only where every mask leaves it open."""
    together: BoolArray = reduce(np.logical_and, masks)
    return together


def _places(n_q: int, n_k: int, align: Align, rows: slice) -> tuple[IntArray, IntArray]:
    """Each query's place among the keys as a column, each key's as a row."""
    if align not in ("end", "start"):
        raise OptionError(
            "align",
            "must be 'end' or 'start'",
            repr(align),
            "'end' is a decoder with a cache.",
        )
    _check_count("n_q", n_q, least=1)
    _check_count("n_k", n_k, least=1)
    shift = n_k - n_q if align == "end" else 0
    return np.arange(n_q)[rows, None] + shift, np.arange(n_k)[None, :]


def _rules(rules: object) -> tuple[Rule, ...]:
    if not isinstance(rules, tuple | list) or not all(isinstance(rule, Rule) for rule in rules):
        raise OptionError(
            "The rules of a mask",
            "must be a list of Rule",
            repr(rules)[:60],
            "Write [Rule('causal')].",
        )
    return tuple(rules)


def _boolean(mask: npt.NDArray[Any]) -> BoolArray:
    mask = as_array("The custom mask", mask)
    if mask.dtype != np.bool_:
        raise OptionError(
            "The custom mask",
            "must be boolean, True = may attend",
            f"type {mask.dtype}",
            "Write mask.astype(bool) if ones keep, or give it as the additive mask.",
        )
    return mask


def _to_add(mask: npt.NDArray[Any]) -> FloatArray:
    if split_mask(mask, "The additive mask")[1] is None:
        raise OptionError(
            "The additive mask",
            "must be a float matrix that is added to the scores",
            "a boolean one",
            "Give it as the custom mask.",
        )
    return as_float_array("The additive mask", mask)


def _plain(thing: str, value: object) -> object:
    """An option as plain data: an integer, a word or a tuple of integers."""
    if isinstance(value, str):
        return value
    if is_whole(value):
        return int(value)
    if isinstance(value, Sequence) or (isinstance(value, np.ndarray) and value.ndim):
        items = tuple(_plain(thing, item) for item in value)
        if all(isinstance(item, int) for item in items):
            return items
    raise OptionError(
        thing,
        "must be a whole number, a word or a list of whole numbers",
        repr(value)[:60],
        "Write 2 or [0, 2].",
    )


def _check_count(thing: str, value: object, least: int = 0) -> None:
    if not is_whole(value) or not least <= value <= LIMITS.tokens:
        raise NumberError(
            thing,
            f"must be a whole number from {least} to {LIMITS.tokens}",
            repr(value),
            "Count in tokens.",
        )


def _check_indices(thing: str, indices: Sequence[int], n_k: int) -> None:
    if not isinstance(indices, tuple | list):
        raise OptionError(thing, "must be a list of key tokens", repr(indices), "Write [0, 2].")
    for index in indices:
        if not is_whole(index) or not 0 <= index < n_k:
            raise NumberError(
                thing,
                f"must name keys from 0 to {n_k - 1}",
                repr(index),
                "The first token is number 0.",
            )


def _segment_numbers(thing: str, segments: Sequence[int], count: int, kind: str) -> IntArray:
    if not isinstance(segments, tuple | list) or len(segments) != count:
        came = f"{len(segments)}" if isinstance(segments, tuple | list) else repr(segments)
        raise ShapeError(
            thing,
            f"must have one number a {kind}, {count} in all",
            came,
            "Number each token's document, as in [1, 1, 2].",
        )
    return np.asarray(segments)
