"""Everything that the user chose, as frozen plain data: the only input of the forward pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final
from weakref import WeakValueDictionary

import numpy as np

from mha_core.checks.errors import HeadsError, LimitError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import (
    ComparedByValue,
    FloatArray,
    as_float_array,
    check_finite,
    check_shape,
    frozen,
)
from mha_core.checks.values import (
    check_head_groups,
    check_kind,
    check_label,
    check_limit,
    check_places,
    check_whole,
    divisors,
    short_repr,
)
from mha_core.language import say, say_number
from mha_core.options.r_places import axes_of_distances
from mha_core.scenario.first_position import first_position
from mha_core.scenario.given_arrays import GIVEN, OF_TOKENS, SIZES
from mha_core.scenario.masks import Mask
from mha_core.scenario.norms import norm_of, norms_of
from mha_core.scenario.origin import Origin
from mha_core.scenario.places import check_places_of
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.score_options import ScoreOptions

# The types that a field may have, and what to write instead of another.
FIELD_TYPES: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "tokens": ((tuple, list), say("Write ('I', 'LOVE').")),
    "context_tokens": ((tuple, list), say("Write ('I', 'LOVE').")),
    "mask": ((Mask,), say("Write Mask([Rule('causal')]).")),
    "scores": ((ScoreOptions,), say("Write ScoreOptions(scale='none').")),
    "heads_off": ((set, frozenset, tuple, list, range), say("Write {0} for the first head.")),
    "origin": ((Origin,), say("Write Origin() where there is none.")),
}

SYMBOLS_OF_TOKENS: Final = tuple(GIVEN[name].symbol for name in OF_TOKENS)

# The read-only arrays of all scenarios that are in use, by identity.
_KEPT: WeakValueDictionary[int, FloatArray] = WeakValueDictionary()


@dataclass(frozen=True, eq=False)
class Scenario(ComparedByValue):
    """One complete multi-head attention layer and its input.

    Sizes that are left at 0 follow from the arrays: n_kv_heads is n_heads, and d_k and d_v follow
    from the widths of w_q and w_v. With `context`, the keys and values come from that second
    sequence. With `context_v` the values come from there: it has a row for each key, and sinusoids
    are added to none of them. So positions may be in queries and keys alone.

    Arrays are checked, copied and read-only. All have one number type: float64, or float32 if all
    of them were given as float32. What each head adds to its own scores (`b_s`) is one matrix for
    each head, one below the other: `added.reshape(n_heads * n_q, n_k)`. With `w_f` each query
    multiplies the row that a head adds by a factor of its own: two columns for each head make two
    shares a and c of X, and the factor is 2 - a (1 - c c_f). With `sinks` each head has
    one more score in the softmax of all its rows. It takes weight, but has no value. `r_k`
    has a row for each distance from a query to a key, from -m to m: a query meets the sum of the
    key and this row. `r_q` is the same for keys. What is farther away has the row at the end. If
    places have several axes (`r_places` of the scores), rows for each axis follow. `w_g`
    makes a gate of X, which multiplies what the heads give: each of their d_v numbers by one of its
    own, or all by one if `w_g` has a single column for each head.

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
    context_v: FloatArray | None = None  # what values are made from, if not what keys are
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    b_s: FloatArray | None = None  # added to the scores, the heads one below the other
    w_f: FloatArray | None = None  # the gate of b_s
    b_f: FloatArray | None = None
    c_f: FloatArray | None = None  # a number of each head, by which its second share is multiplied
    sinks: FloatArray | None = None  # one more score for each row, the same in all rows of a head
    r_k: FloatArray | None = None  # what a query meets of a distance, the heads side by side
    r_q: FloatArray | None = None  # what a key meets of it
    w_g: FloatArray | None = None  # the gate between the heads and w_o
    b_g: FloatArray | None = None
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
        self._check_gate()
        self._check_gate_of_additions()
        self._check_shapes()
        self._set("tokens", self._labels("tokens", self.tokens, self.n_q, "t"))
        if self.context is not None:
            labels = self._labels("context_tokens", self.context_tokens, self.n_k, "c")
            self._set("context_tokens", labels)
        elif self.context_tokens:
            raise ShapeError(
                "context_tokens",
                say("must be empty where there is no second sequence"),
                say_number("{count} label", "{count} labels", len(self.context_tokens)).format(
                    count=len(self.context_tokens)
                ),
                say("Give context too."),
            )
        self.mask.check(self.n_q, self.n_k)
        self._check_scores()
        check_places("heads_off", self.heads_off, self.n_heads, say("head"), say("heads"))
        self._set("heads_off", frozenset(int(head) for head in self.heads_off))

    # Sizes, taken from the arrays. They are cached: the forward pass reads them often.

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
    def d_model_v(self) -> int:
        return int(self.values_from.shape[1])

    @cached_property
    def d_out(self) -> int:
        return int(self.w_o.shape[1])

    @cached_property
    def n_distances(self) -> int:
        """The number of rows of R_K and R_Q, each for a distance on an axis; 0 without these."""
        given = self.r_q if self.r_k is None else self.r_k
        return 0 if given is None else int(given.shape[0])

    @cached_property
    def reach(self) -> int:
        """How far distances are told apart, on each of their axes."""
        return self.n_distances // axes_of_distances(self.scores) // 2

    @cached_property
    def d_g(self) -> int:
        """How many numbers the gate of a head has: d_v, or one for all."""
        return self.d_v if self.w_g is None else int(self.w_g.shape[1] // self.n_heads)

    @property
    def sizes(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in SIZES}

    @cached_property
    def keys_from(self) -> FloatArray:
        """The sequence that keys are made from: the second one, or X itself."""
        return self.x if self.context is None else self.context

    @property
    def values_from(self) -> FloatArray:
        """What values are made from: rows of their own, or those of the keys."""
        return self.keys_from if self.context_v is None else self.context_v

    @cached_property
    def query_start(self) -> int:
        """The position of the first query: as chosen, or as the keys of a cache have it."""
        chosen = self.scores.query_start
        if chosen is not None:
            return int(chosen)
        if self.context is None:
            return 0
        return first_position(
            self.n_q, self.n_k, self.mask, self.scores, knows_distances=self.n_distances > 0
        )

    @property
    def key_start(self) -> int:
        """The position of the first key: 0 in a second sequence, else that of the first query."""
        return self.query_start if self.context is None else 0

    @property
    def n_positions(self) -> int:
        """How many positions queries and keys take, from 0 on."""
        return max(self.query_start + self.n_q, self.key_start + self.n_k)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        return self.tokens if self.context is None else self.context_tokens

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        return self.x.dtype

    def given(self) -> dict[str, FloatArray]:
        """The arrays that were given, by name."""
        arrays = {name: getattr(self, name) for name in GIVEN}
        return {name: array for name, array in arrays.items() if array is not None}

    # The checks when a scenario is made, in order.

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_kinds(self) -> None:
        for name, (kinds, way_out) in FIELD_TYPES.items():
            check_kind(name, getattr(self, name), kinds, way_out)
        for name in ("x", "w_q", "w_k", "w_v", "w_o"):
            if getattr(self, name) is None:
                symbol, dims = GIVEN[name].symbol, GIVEN[name].dims
                raise ShapeError(
                    symbol,
                    say("must have shape {shape}").format(shape=dims),
                    say("nothing"),
                    say("Give a matrix."),
                )

    def _check_head_counts(self) -> None:
        for name in ("n_heads", "n_kv_heads", "d_k", "d_v"):
            value = getattr(self, name)
            if name == "n_heads":
                check_whole(name, value, 1)
            else:
                check_whole(
                    name, value, 0, way_out=say("Leave it out: then it follows from the arrays.")
                )
            self._set(name, int(value))
        check_limit("n_heads", self.n_heads, LIMITS.heads, say("Take fewer."))
        if self.n_kv_heads:
            check_head_groups(self.n_heads, self.n_kv_heads)

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
                    say("must have {count} axes, {shape}").format(count=len(dims.axes), shape=dims),
                    say("{count}, shape {shape}").format(count=array.ndim, shape=array.shape),
                    say("Give a matrix with one row for each token.")
                    if name in OF_TOKENS
                    else say("Reshape."),
                )
            if array.size == 0:
                raise ShapeError(
                    symbol,
                    say("must not be empty"),
                    say("shape {shape}").format(shape=array.shape),
                    say("Give one number or more."),
                )
            self._set(name, self._checked(symbol, array, common))

    @classmethod
    def _checked(cls, symbol: str, array: FloatArray, dtype: np.dtype[Any]) -> FloatArray:
        """The array as the scenario keeps it: checked, copied, read-only.

        An array of another scenario was checked before, so it is shared and not copied. After a
        change of one array, the others are not checked and copied again.
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
        rows_limit = LIMITS.tokens if symbol in SYMBOLS_OF_TOKENS else LIMITS.width
        limits = (rows_limit, LIMITS.width) if array.ndim == 2 else (LIMITS.width,)
        too_long = any(n > limit for n, limit in zip(array.shape, limits, strict=True))
        if too_long or array.size > LIMITS.cells:
            raise LimitError(
                symbol,
                say("must be at most {shape} and {count:,} numbers").format(
                    shape=_by(limits), count=LIMITS.cells
                ),
                _by(array.shape),
                say("Take a smaller part of it."),
            )

    def _width_a_head(self, name: str) -> int:
        heads = self.n_heads if name == "w_q" else self.n_kv_heads
        width = getattr(self, name).shape[1]
        if width % heads:
            raise HeadsError(
                GIVEN[name].symbol,
                say("must have columns for {count} heads of equal width").format(count=heads),
                say_number("{count} column", "{count} columns", width).format(count=width),
                say("Head counts that divide {width}: {divisors}.").format(
                    width=width, divisors=divisors(width)
                ),
            )
        return int(width // heads)

    def _check_gate(self) -> None:
        if self.w_g is None:
            if self.b_g is not None:
                raise ShapeError(
                    "b_G",
                    say("must stand with W_G, to which it is added"),
                    say("nothing"),
                    say("Give w_g too, of zeros if the gate does not follow X."),
                )
        elif self.w_g.shape[1] not in (self.n_heads, self.n_heads * self.d_v):
            raise ShapeError(
                "W_G",
                say("must have {each} columns, or {one}: one for each head").format(
                    each=self.n_heads * self.d_v, one=self.n_heads
                ),
                str(self.w_g.shape[1]),
                say("Give a column for each number of a head, or one for each head."),
            )

    def _check_gate_of_additions(self) -> None:
        if self.w_f is None:
            for name in ("b_f", "c_f"):
                if getattr(self, name) is not None:
                    raise ShapeError(
                        GIVEN[name].symbol,
                        say("must stand with W_F, whose gate it is a part of"),
                        say("nothing"),
                        say("Give w_f too, of zeros if the gate does not follow X."),
                    )
        elif self.b_s is None:
            raise ShapeError(
                "W_F",
                say("must stand with b_S, which its gate multiplies"),
                say("nothing"),
                say("Give b_s too, or leave out w_f, b_f and c_f."),
            )

    def _check_shapes(self) -> None:
        sizes = self.sizes
        for name, array in self.given().items():
            check_shape(GIVEN[name].symbol, array, GIVEN[name].dims, sizes)
        if self.n_distances:
            self._check_distances()

    def _check_distances(self) -> None:
        """Refuse other rows than one for each distance on each axis."""
        axes, symbol = axes_of_distances(self.scores), "r_q" if self.r_k is None else "r_k"
        if self.n_distances == axes * (2 * self.reach + 1):
            return
        need = say("must have an odd number of rows: one for each distance from -m to m")
        way_out = say("Add a row; that in the middle is for distance 0.")
        if axes > 1:
            need = say(
                "must have an odd number of rows for each of {count} axes: one for each distance "
                "from -m to m"
            ).format(count=axes)
            way_out = say("Give all axes as many, those of the first axis on top.")
        raise ShapeError(GIVEN[symbol].symbol, need, str(self.n_distances), way_out)

    def _check_scores(self) -> None:
        if (
            self.context is None and self.scores.query_start == 0
        ):  # no keys to follow: 0 says no more
            self._set("scores", replace(self.scores, query_start=None))
        if self.scores.positions == "rope":
            rotation_of(self.scores, self.d_k)
            check_places_of(self.scores, "rope_places", self.n_positions)
        if self.n_distances:
            check_places_of(self.scores, "r_places", self.n_positions)
        for of in norms_of(self.scores):
            norm_of(self, of)

    @staticmethod
    def _labels(thing: str, labels: tuple[str, ...], count: int, letter: str) -> tuple[str, ...]:
        labels = tuple(labels) or tuple(f"{letter}{i + 1}" for i in range(count))
        if len(labels) != count:
            raise ShapeError(
                thing,
                say("must be {count}, one for each row").format(count=count),
                str(len(labels)),
                say("Give every row one label."),
            )
        for label in labels:
            check_label(thing, label)
        return labels


def _by(shape: tuple[int, ...]) -> str:
    """A shape as people write it.

    >>> _by((10_000, 8))
    '10,000 × 8'
    """
    return " × ".join(f"{side:,}" for side in shape)


def check_scenario(value: object) -> None:
    """Refuse anything but a scenario."""
    if not isinstance(value, Scenario):
        raise OptionError(
            say("What attends"),
            say("must be a Scenario"),
            short_repr(value),
            say("Write Scenario(x=..., w_q=..., w_k=..., w_v=..., w_o=..., n_heads=2)."),
        )
