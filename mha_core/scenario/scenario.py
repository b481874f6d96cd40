"""Everything the user chose, as frozen plain data: the one way into the forward pass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal
from weakref import WeakValueDictionary

import numpy as np

from mha_core.checks.errors import HeadsError, LimitError, NumberError, OptionError, ShapeError
from mha_core.checks.shapes import (
    LIMITS,
    ComparedByValue,
    Dims,
    FloatArray,
    as_float_array,
    check_finite,
    check_shape,
    divisors,
    frozen,
    is_one_of,
    is_whole,
)
from mha_core.layer.attention import check_scale, check_softcap
from mha_core.scenario.masks import Mask

Positions = Literal["none", "sinusoidal", "rope", "alibi"]
POSITIONS: Final[Mapping[Positions, str]] = {
    "none": "No place is added: only X itself or a mask can tell where a token stands.",
    "sinusoidal": "A wave for each position is added to X.",
    "rope": "Q and K are turned by an angle that grows with the position.",
    "alibi": "Scores lose a little for every step between query and key.",
}
BY_ROOT_D_K: Final = "1/sqrt(d_k)"
LARGEST_SEED: Final = 2**32 - 1


SIZES: Final = (
    *("n_q", "n_k", "d_model", "d_model_kv", "d_out"),
    *("n_heads", "n_kv_heads", "d_k", "d_v"),
)


@dataclass(frozen=True)
class Given:
    """One array that the user gives: its symbol on screen and its shape."""

    symbol: str
    dims: Dims


GIVEN: Final[Mapping[str, Given]] = {
    "x": Given("X", Dims("n_q d_model")),
    "context": Given("C", Dims("n_k d_model_kv")),
    "w_q": Given("W_Q", Dims("d_model n_heads*d_k")),
    "w_k": Given("W_K", Dims("d_model_kv n_kv_heads*d_k")),
    "w_v": Given("W_V", Dims("d_model_kv n_kv_heads*d_v")),
    "w_o": Given("W_O", Dims("n_heads*d_v d_out")),
    "b_q": Given("b_Q", Dims("n_heads*d_k")),
    "b_k": Given("b_K", Dims("n_kv_heads*d_k")),
    "b_v": Given("b_V", Dims("n_kv_heads*d_v")),
    "b_o": Given("b_O", Dims("d_out")),
}


@dataclass(frozen=True)
class ScoreOptions:
    """What happens to the scores between Q K^T and the mask.

    `scale` is the factor's rule ("1/sqrt(d_k)" or "none") or a number. `softcap` bends scores into
    (-softcap, softcap). `query_start` is the position of the first query. In self-attention the
    keys are the same tokens, so that the first key is at this position too. With a second sequence
    the first key is at position 0: a decoder whose cache holds n tokens has query_start = n.
    """

    scale: float | str = BY_ROOT_D_K
    softcap: float | None = None
    positions: Positions = "none"
    query_start: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.scale, str):
            if self.scale not in (BY_ROOT_D_K, "none"):
                raise OptionError(
                    "The scale",
                    f"must be '{BY_ROOT_D_K}', 'none' or a number",
                    repr(self.scale),
                    "A number multiplies the scores.",
                )
        else:
            check_scale(self.scale)
        check_softcap(self.softcap)
        if not is_one_of(self.positions, POSITIONS):
            raise OptionError(
                "positions",
                f"must be one of {', '.join(POSITIONS)}",
                repr(self.positions),
                "Take 'none' where order plays no part.",
            )
        if not is_whole(self.query_start) or not 0 <= self.query_start <= LIMITS.tokens:
            raise NumberError(
                "query_start",
                f"must be a whole number from 0 to {LIMITS.tokens}",
                repr(self.query_start),
                "It is the first query's position.",
            )

    def factor(self, d_k: int) -> float:
        """The number that raw scores are multiplied by."""
        if self.scale == BY_ROOT_D_K:
            return 1 / math.sqrt(d_k)
        return 1.0 if self.scale == "none" else float(self.scale)


@dataclass(frozen=True)
class Origin:
    """Which recipes the arrays came from: a hint that keeps links short, never the truth.

    Whoever writes a link rebuilds the arrays from these names and adds every array that differs.
    An empty name means "given as numbers".
    """

    example: str = ""
    x: str = ""
    x_seed: int = 0
    weights: str = ""
    weights_seed: int = 0

    def __post_init__(self) -> None:
        for name in ("example", "x", "weights"):
            _check_label(f"origin's {name}", getattr(self, name))
        for name in ("x_seed", "weights_seed"):
            seed = getattr(self, name)
            if not is_whole(seed) or not 0 <= seed <= LARGEST_SEED:
                raise NumberError(
                    f"origin's {name}",
                    f"must be a whole number from 0 to {LARGEST_SEED}",
                    repr(seed)[:40],
                    "Leave it out for 0.",
                )


# What a field may be, with a way out.
KINDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "tokens": ((tuple, list), "Write ('I', 'LOVE')."),
    "context_tokens": ((tuple, list), "Write ('I', 'LOVE')."),
    "mask": ((Mask,), "Write Mask([Rule('causal')])."),
    "scores": ((ScoreOptions,), "Write ScoreOptions(scale='none')."),
    "heads_off": ((set, frozenset, tuple, list, range), "Write {0} for the first head."),
    "origin": ((Origin,), "Write Origin() where there is none."),
}

# The read-only arrays that living scenarios keep, by identity.
_KEPT: WeakValueDictionary[int, FloatArray] = WeakValueDictionary()


@dataclass(frozen=True, eq=False)
class Scenario(ComparedByValue):
    """One complete multi-head attention layer and its input.

    Sizes that are left at 0 follow from the arrays: n_kv_heads = n_heads, and d_k and d_v from the
    widths of w_q and w_v. With `context` the keys and values come from that second sequence.
    Arrays are checked, copied and read-only; all share one type, float64 unless all are float32.

    >>> I = np.eye(4)
    >>> s = Scenario(x=np.ones((3, 4)), w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2)
    >>> s.n_q, s.d_k, s.tokens
    (3, 2, ('t1', 't2', 't3'))
    """

    x: FloatArray
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray
    n_heads: int
    n_kv_heads: int = 0
    d_k: int = 0
    d_v: int = 0
    tokens: tuple[str, ...] = ()
    context: FloatArray | None = None
    context_tokens: tuple[str, ...] = ()
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    mask: Mask = field(default_factory=Mask)
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    heads_off: frozenset[int] = frozenset()
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        self._check_kinds()
        self._check_head_counts()
        self._set("n_kv_heads", self.n_kv_heads or self.n_heads)
        self._take_arrays()
        self._set("d_k", self.d_k or self._width_a_head("w_q"))
        self._set("d_v", self.d_v or self._width_a_head("w_v"))
        self._check_shapes()
        self._set("tokens", self._labels("tokens", self.tokens, self.n_q, "t"))
        if self.context is not None:
            labels = self._labels("context_tokens", self.context_tokens, self.n_k, "c")
            self._set("context_tokens", labels)
        elif self.context_tokens:
            raise ShapeError(
                "context_tokens",
                "must be empty where there is no second sequence",
                f"{len(self.context_tokens)} labels",
                "Give context too.",
            )
        self.mask.check(self.n_q, self.n_k)
        self._check_scores()
        for head in self.heads_off:
            if not is_whole(head) or not 0 <= head < self.n_heads:
                raise NumberError(
                    "heads_off",
                    f"must name heads from 0 to {self.n_heads - 1}",
                    repr(head),
                    "The first head is number 0.",
                )
        self._set("heads_off", frozenset(int(head) for head in self.heads_off))

    # Sizes, all read off the arrays; the forward pass asks for them often.

    @cached_property
    def n_q(self) -> int:
        return int(self.x.shape[0])

    @cached_property
    def n_k(self) -> int:
        return int(self.keys_from.shape[0])

    @cached_property
    def d_model(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def d_model_kv(self) -> int:
        return int(self.keys_from.shape[1])

    @cached_property
    def d_out(self) -> int:
        return int(self.w_o.shape[1])

    @property
    def sizes(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in SIZES}

    @cached_property
    def keys_from(self) -> FloatArray:
        """The sequence that keys and values are made of: the second one, or X itself."""
        return self.x if self.context is None else self.context

    @property
    def key_start(self) -> int:
        """The position of the first key: 0 in a second sequence, else that of the first query."""
        return self.scores.query_start if self.context is None else 0

    @property
    def key_tokens(self) -> tuple[str, ...]:
        return self.tokens if self.context is None else self.context_tokens

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return self.x.dtype

    def given(self) -> dict[str, FloatArray]:
        """The arrays that were given, by name, without those left out."""
        arrays = {name: getattr(self, name) for name in GIVEN}
        return {name: array for name, array in arrays.items() if array is not None}

    # The checks at the door, in order.

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_kinds(self) -> None:
        for name, (kinds, way_out) in KINDS.items():
            if not isinstance(getattr(self, name), kinds):
                raise OptionError(
                    name,
                    f"must be of type {kinds[0].__name__}",
                    repr(getattr(self, name))[:60],
                    way_out,
                )
        for name in ("x", "w_q", "w_k", "w_v", "w_o"):
            if getattr(self, name) is None:
                symbol, dims = GIVEN[name].symbol, GIVEN[name].dims
                raise ShapeError(symbol, f"must have shape {dims}", "nothing", "Give a matrix.")

    def _check_head_counts(self) -> None:
        for name in ("n_heads", "n_kv_heads", "d_k", "d_v"):
            value = getattr(self, name)
            least = 1 if name == "n_heads" else 0
            if not is_whole(value) or value < least:
                raise NumberError(
                    name,
                    "must be a whole number of at least 1",
                    repr(value),
                    "Give 1 or more.",
                )
            self._set(name, int(value))
        if self.n_heads > LIMITS.heads:
            raise LimitError(
                "n_heads",
                f"must be at most {LIMITS.heads}",
                str(self.n_heads),
                "Take fewer.",
            )
        if self.n_kv_heads and self.n_heads % self.n_kv_heads:
            raise HeadsError(
                "n_kv_heads",
                f"must divide n_heads = {self.n_heads}",
                str(self.n_kv_heads),
                f"Take one of {divisors(self.n_heads)}.",
            )

    def _take_arrays(self) -> None:
        arrays = {
            name: as_float_array(GIVEN[name].symbol, array) for name, array in self.given().items()
        }
        common = np.result_type(*arrays.values())
        for name, array in arrays.items():
            symbol, dims = GIVEN[name].symbol, GIVEN[name].dims
            if array.ndim != len(dims.axes):
                raise ShapeError(
                    symbol,
                    f"must have {len(dims.axes)} axes, {dims}",
                    f"{array.ndim}, shape {array.shape}",
                    "Give a matrix, one row a token." if name in ("x", "context") else "Reshape.",
                )
            if array.size == 0:
                raise ShapeError(
                    symbol,
                    "must not be empty",
                    f"shape {array.shape}",
                    "Give one number or more.",
                )
            self._set(name, self._checked(symbol, array, common))

    @classmethod
    def _checked(cls, symbol: str, array: FloatArray, dtype: np.dtype[Any]) -> FloatArray:
        """The array as the scenario keeps it: checked, copied, read-only.

        One that another scenario keeps is known to be good, and is shared: a change to one array
        does not check and copy the others again.
        """
        if _KEPT.get(id(array)) is array and array.dtype == dtype:
            return array
        cls._check_size(symbol, array)
        check_finite(symbol, array)
        kept = frozen(array.astype(dtype, order="C"))
        _KEPT[id(kept)] = kept
        return kept

    @staticmethod
    def _check_size(symbol: str, array: FloatArray) -> None:
        rows_limit = LIMITS.tokens if symbol in ("X", "C") else LIMITS.width
        limits = (rows_limit, LIMITS.width) if array.ndim == 2 else (LIMITS.width,)
        too_long = any(n > limit for n, limit in zip(array.shape, limits, strict=True))
        if too_long or array.size > LIMITS.cells:
            raise LimitError(
                symbol,
                f"must be at most {' x '.join(map(str, limits))} and {LIMITS.cells} numbers",
                str(array.shape),
                "Take a smaller part of it.",
            )

    def _width_a_head(self, name: str) -> int:
        heads = self.n_heads if name == "w_q" else self.n_kv_heads
        width = getattr(self, name).shape[1]
        if width % heads:
            raise HeadsError(
                GIVEN[name].symbol,
                f"must have columns for {heads} heads of one width",
                f"{width} columns",
                f"Head counts that divide {width}: {divisors(width)}.",
            )
        return int(width // heads)

    def _check_shapes(self) -> None:
        for name, array in self.given().items():
            check_shape(GIVEN[name].symbol, array, GIVEN[name].dims, self.sizes)

    def _check_scores(self) -> None:
        if self.scores.positions == "rope" and self.d_k % 2:
            raise ShapeError(
                "d_k",
                "must be even for RoPE, which turns columns in pairs",
                str(self.d_k),
                "Take an even d_k or other positions.",
            )

    @staticmethod
    def _labels(thing: str, labels: tuple[str, ...], count: int, letter: str) -> tuple[str, ...]:
        labels = tuple(labels) or tuple(f"{letter}{i + 1}" for i in range(count))
        if len(labels) != count:
            raise ShapeError(
                thing,
                f"must be {count}, one a row",
                str(len(labels)),
                "Label every row once.",
            )
        for label in labels:
            _check_label(thing, label)
        return labels


def _check_label(thing: str, label: object) -> None:
    if not isinstance(label, str) or len(label) > LIMITS.label_chars:
        raise LimitError(
            thing,
            f"must be texts of at most {LIMITS.label_chars} characters",
            repr(label)[:40],
            "Shorten the label.",
        )
