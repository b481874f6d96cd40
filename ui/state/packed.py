"""Stacks that nobody looks at, in little memory, and back, to the last bit.

A layer of width 1024 takes 32 MB, and each of its neighbours in the history differs from it in a
number or two. So an array is kept as the cells in which it differs from one that is at hand:

- from what the words and recipes of the scenario make, as in a link;
- else from an array that was stored for a moment before.

An array that differs from both in many cells is stored as a whole, once for all who have the same
numbers, and squeezed if that helps. Arrays are compared bit by bit, so they come back unchanged.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from mha_core import Layer, Scenario, Stack
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import frozen
from mha_core.examples import EXAMPLES, Example, load_stack
from mha_core.io.scenario.link_writing import LinkStart
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from ui.state.starts import made_from, start_of

Array = npt.NDArray[Any]
Memory = dict[int, int]  # bytes, by the identity of what takes them: several may share it

WORTH_PACKING: Final = 2**16  # bytes: a smaller scenario is kept as it is
ONE_IN: Final = 8  # cells: where more of them differ, the whole array is stored
SAMPLE: Final = (
    2**16
)  # bytes that are tried first: squeezing random bytes takes long, and gains nothing
WORTH_SQUEEZING: Final = 0.8  # of the size
IN_WORDS: Final = (
    *("n_heads", "n_kv_heads", "d_k", "d_v", "tokens", "context_tokens"),
    *("scores", "heads_off", "origin"),
)


class Stored:
    """One whole array. All who have the same numbers share it."""

    def __init__(self, array: Array) -> None:
        self._dtype, self._shape = array.dtype, array.shape
        sample = array.ravel()[: SAMPLE // array.itemsize].tobytes()
        is_dense = len(zlib.compress(sample, 1)) > WORTH_SQUEEZING * len(sample)
        self._data: Array | bytes = array if is_dense else zlib.compress(array.tobytes(), 1)

    @classmethod
    def of(cls, array: Array) -> Stored:
        numbers = hashlib.blake2b(np.ascontiguousarray(array).data).digest()
        name = (array.dtype.str, array.shape, numbers)
        stored = _STORED.get(name)
        if stored is None:
            stored = _STORED[name] = cls(array)
        return stored

    @property
    def array(self) -> Array:
        if not isinstance(self._data, bytes):
            return self._data
        return np.frombuffer(zlib.decompress(self._data), self._dtype).reshape(self._shape)

    @property
    def memory(self) -> tuple[int, int]:
        """What it takes: see `Memory`. A whole array may be that of a scenario as well."""
        data = self._data
        return id(data), len(data) if isinstance(data, bytes) else data.nbytes


_STORED: Final[WeakValueDictionary[tuple[str, tuple[int, ...], bytes], Stored]] = (
    WeakValueDictionary()
)


@dataclass(frozen=True, eq=False)
class Differing:
    """An array as the cells that differ: from a stored one, or from what the recipes make."""

    base: Stored | None
    cells: Array
    numbers: Array

    def over(self, made: Array | None) -> Array:
        base = self.base.array if self.base else made
        assert base is not None  # it was there when the cells were compared
        if not self.cells.size:
            return base
        array = base.copy()
        array.reshape(-1)[self.cells] = self.numbers
        return frozen(array)


@dataclass(frozen=True, eq=False)
class Packed:
    """A scenario: what it says in words, and each of its arrays."""

    start: Mapping[str, str]  # of its link
    words: Mapping[str, Any]
    rules: tuple[Any, ...]
    arrays: Mapping[str, Differing]

    def unpacked(self) -> Scenario:
        made = arrays_of(made_from(self.start)) if self._needs_what_is_made else {}
        arrays: dict[str, Any] = {
            name: kept.over(made.get(name)) for name, kept in self.arrays.items()
        }
        mask = Mask(self.rules, arrays.pop("custom", None), arrays.pop("additive", None))
        return Scenario(**self.words, **arrays, mask=mask)

    @property
    def _needs_what_is_made(self) -> bool:
        return any(kept.base is None for kept in self.arrays.values())

    @property
    def memory(self) -> Memory:
        own = {id(kept): kept.cells.nbytes + kept.numbers.nbytes for kept in self.arrays.values()}
        return own | dict(kept.base.memory for kept in self.arrays.values() if kept.base)


def packed(s: Scenario, near: Packed | None = None) -> Packed:
    """The scenario in little memory. `near` may be much the same: a moment before it."""
    try:
        start = start_of(s)
    except MhaError:  # the recipes in origin cannot have made this scenario
        start = LinkStart({}, s)
    made = arrays_of(start.scenario) if start.given else {}
    kept = {
        name: _differing(array, made.get(name), near.arrays.get(name) if near else None)
        for name, array in arrays_of(s).items()
    }
    words = {name: getattr(s, name) for name in IN_WORDS}
    return Packed(start.given, words, s.mask.rules, kept)


def _differing(array: Array, made: Array | None, near: Differing | None) -> Differing:
    """The cells that differ from what is made; else from what was stored; else all is stored."""
    if made is not None and (cells := _cells_that_differ(array, made)) is not None:
        return Differing(None, cells, array.reshape(-1)[cells])
    if near and near.base and (cells := _cells_that_differ(array, near.base.array)) is not None:
        return Differing(near.base, cells, array.reshape(-1)[cells])
    none = np.zeros(0, np.uint32)
    return Differing(Stored.of(array), none, array.reshape(-1)[none])


def _cells_that_differ(array: Array, base: Array) -> Array | None:
    """Their places; None where they are many, or where the arrays are of different kinds."""
    if array is base:
        return np.zeros(0, np.uint32)
    if (array.shape, array.dtype) != (base.shape, base.dtype):
        return None
    bits = f"u{array.itemsize}"  # a comparison of numbers would be blind to -0
    differs = array.reshape(-1).view(bits) != base.reshape(-1).view(bits)
    if np.count_nonzero(differs) * ONE_IN > array.size:
        return None
    return np.flatnonzero(differs).astype(np.uint32)


def arrays_of(s: Scenario) -> dict[str, Array]:
    """All arrays of a scenario by name, those of its mask too."""
    drawn = {"custom": s.mask.custom, "additive": s.mask.additive}
    return {**s.given(), **{name: array for name, array in drawn.items() if array is not None}}


@dataclass(frozen=True, eq=False)
class PackedStack:
    """Each layer, those above the first on an X of zeros, and what is no array of theirs."""

    layers: tuple[Packed, ...]
    residual: bool
    w_u: Differing | None
    words: tuple[str, ...]

    def unpacked(self) -> Stack:
        first, *above = (layer.unpacked() for layer in self.layers)
        w_u = None if self.w_u is None else self.w_u.over(None)
        return Stack((first, *map(Layer.of, above)), self.residual, w_u, self.words)

    @property
    def memory(self) -> Memory:
        owned: Memory = {}
        for layer in self.layers:
            owned |= layer.memory
        if self.w_u and self.w_u.base:
            owned |= dict([self.w_u.base.memory])
        return owned


def packed_stack(stack: Stack, near: PackedStack | None = None) -> PackedStack:
    """The stack in little memory. `near` may be much the same: a moment before it."""
    beside = near.layers if near else ()
    layers = (packed(*each) for each in zip_longest(stack.on_zeros, beside[: len(stack.layers)]))
    w_u = None if stack.w_u is None else _differing(stack.w_u, None, near.w_u if near else None)
    return PackedStack(tuple(layers), stack.residual, w_u, stack.words)


def arrays_of_stack(stack: Stack) -> list[Array]:
    """All arrays that were given, those of the masks too."""
    masks = (mask for layer in stack.layers for mask in (layer.mask.custom, layer.mask.additive))
    given = (getattr(layer, name, None) for layer in stack.layers for name in GIVEN)
    return [array for array in (*given, *masks, stack.w_u) if array is not None]


class BeganAs(NamedTuple):
    """What a stack still says of its example while it is packed, and the sizes that it has now."""

    example: str
    n_context: int
    x_shape: tuple[int, ...]

    @classmethod
    def of(cls, stack: Stack) -> BeganAs:
        first = stack.first
        return cls(first.origin.example, len(first.context_tokens), first.x.shape)

    @property
    def example_of_its_size(self) -> Example | None:
        """The example that it began as, while tokens and width of X keep their number."""
        if self.example not in EXAMPLES:
            return None
        is_of_its_size = BeganAs.of(load_stack(self.example)) == self
        return EXAMPLES[self.example] if is_of_its_size else None


class Kept:
    """One stack of the history, which may be packed at any moment and comes back when asked for.

    It stands for the stack wherever it matters whether two are the same one: what comes back is
    equal, but another object.
    """

    def __init__(self, document: Scenario | Stack) -> None:
        whole = as_stack(document)
        self._whole: Stack | None = whole
        self.began_as = BeganAs.of(whole)
        self._packed: PackedStack | None = None
        self.memory = self._memory()
        self._is_small = sum(self.memory.values()) < WORTH_PACKING

    @property
    def stack(self) -> Stack:
        whole = self._whole  # another thread may pack it now
        if whole is None:
            assert self._packed
            whole = self._whole = self._packed.unpacked()
            self.memory = self._memory()
        return whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Kept):
            return NotImplemented
        return self is other or self.stack == other.stack

    __hash__ = None  # type: ignore[assignment] # a stack has none

    @property
    def is_packed(self) -> bool:
        return self._whole is None

    @property
    def is_at_rest(self) -> bool:
        """Whether it takes as little memory as it can."""
        return self.is_packed or self._is_small

    def pack(self, near: Kept | None = None) -> None:
        """Take little memory. `near` may be much the same: a moment before it."""
        whole = self._whole
        if self._is_small or whole is None:
            return
        self._packed = self._packed or packed_stack(whole, near._packed if near else None)
        self._whole = None
        self.memory = self._memory()

    def _memory(self) -> Memory:
        whole, packed = self._whole, self._packed
        of_whole = {id(a): a.nbytes for a in arrays_of_stack(whole)} if whole else {}
        return of_whole | (packed.memory if packed else {})
