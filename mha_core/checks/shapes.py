"""Shapes written with the names of sizes, and the checks of arrays.

A shape is written once, as `Dims("n_heads n_q n_k")`. This object checks the array, labels it
on the screen and documents it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import NumberError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.language import say

FloatArray = npt.NDArray[np.floating[Any]]
BoolArray = npt.NDArray[np.bool_]
Sizes = Mapping[str, int]


@dataclass(frozen=True)
class Dims:
    """The axes of an array by name; an axis may be a product of names or a plain number.

    >>> dims = Dims("d_model n_heads*d_k")
    >>> dims.shape({"d_model": 8, "n_heads": 2, "d_k": 3})
    (8, 6)
    >>> str(dims)
    '(d_model, n_heads*d_k)'
    """

    names: str

    @cached_property
    def axes(self) -> tuple[str, ...]:
        return tuple(self.names.split())

    @cached_property
    def _factors(self) -> tuple[tuple[str, ...], ...]:
        """Of each axis: every check of a layer asks for them."""
        return tuple(tuple(axis.split("*")) for axis in self.axes)

    def shape(self, sizes: Sizes) -> tuple[int, ...]:
        return tuple(
            math.prod(int(part) if part.isdigit() else sizes[part] for part in factors)
            for factors in self._factors
        )

    def __str__(self) -> str:
        return f"({', '.join(self.axes)})"


def as_array(thing: str, value: object) -> npt.NDArray[Any]:
    """The value as a NumPy array. Rows of different lengths are refused, and hidden numbers."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise NumberError(
            thing,
            say("must show all its numbers"),
            say("an array of which some are masked"),
            say("Write .filled(0) behind it, or .data for those below the mask."),
        )
    given = _of_tensor(thing, value)
    try:
        return np.asarray(given)
    except ValueError as error:
        raise ShapeError(
            thing,
            say("must have rows of equal length"),
            say("rows of different lengths"),
            say("Give every row the same count of numbers."),
        ) from error


def _of_tensor(thing: str, value: Any) -> Any:
    """A tensor of PyTorch as NumPy can have it: no gradient, no bfloat16. All else as it is."""
    if not hasattr(value, "detach"):
        return value
    kinds = {
        "nested": value.is_nested,
        "sparse": str(value.layout) != "torch.strided",
        "without numbers, on the device meta": value.is_meta,
    }
    for kind in filter(kinds.get, kinds):
        raise NumberError(
            thing,
            say("must be an array, or a tensor that holds all its numbers"),
            say("a tensor that is {kind}").format(kind=kind),
            say("Write .to_dense() or .to_padded_tensor(0) behind it, or load its numbers."),
        )
    tensor = value.detach().cpu()
    return tensor.double() if tensor.is_floating_point() and tensor.itemsize < 4 else tensor


def as_float_array(thing: str, value: object) -> FloatArray:
    """Numbers as floats: float32 and float64 stay as they are; other types become float64."""
    array = as_array(thing, value)
    if array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind not in "biuf":
        raise NumberError(
            thing,
            say("must hold real numbers"),
            say("values of type {type}").format(type=array.dtype),
            say("Parse text with parse_matrix first; drop imaginary parts yourself."),
        )
    with np.errstate(over="ignore"):  # larger than float64 becomes inf, which is refused later
        return array.astype(np.float64)


def check_finite(thing: str, array: FloatArray) -> None:
    """Refuse NaN, infinity and numbers so large that the first product would overflow."""
    largest = min(
        LIMITS.magnitude, float(np.finfo(array.dtype).max)
    )  # the largest float32 is smaller
    small_enough = np.abs(array) <= largest  # False for NaN too
    if small_enough.all():
        return
    place = tuple(int(i) for i in np.argwhere(~small_enough)[0])
    numbers = [str(i + 1) for i in place]
    if len(place) == 2:
        row, column = numbers
        where = say("row {row}, column {column}").format(row=row, column=column)
    else:
        where = say("position {place}").format(place=", ".join(numbers))
    raise NumberError(
        thing,
        say("must hold finite numbers of at most {limit:g} in size").format(limit=LIMITS.magnitude),
        say("{number} in {place}").format(number=array[place], place=where),
        say("Replace that value by a number."),
    )


def check_shape(thing: str, array: npt.NDArray[Any], dims: Dims, sizes: Sizes) -> None:
    """Refuse a shape other than the one that the names and sizes give."""
    need = dims.shape(sizes)
    if array.shape != need:
        raise ShapeError(
            thing,
            say("must have shape {names} = {shape}").format(names=dims, shape=need),
            str(array.shape),
            _how_to_fill(need),
        )


def differing_cells(a: FloatArray, b: FloatArray) -> BoolArray:
    """Where two arrays of one shape do not hold the same number; -0 is not 0.

    >>> differing_cells(np.array([0.0, 1.0, 2.0]), np.array([-0.0, 1.0, 3.0]))
    array([ True, False,  True])
    """
    different: BoolArray = (a != b) | (np.signbit(a) != np.signbit(b))
    return different


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view: a result that is shared must not change."""
    view = array.view()
    view.flags.writeable = False
    return view


class ComparedByValue:
    """A dataclass with arrays. Two are equal if all their fields are, number by number."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [f.name for f in fields(self)]  # type: ignore[arg-type] # subclasses are dataclasses
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment] # arrays have no hash

    # Arrays of a copy could be written to. But nobody can change this one, so it is its own copy.

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Made again from its fields, with all checks, even if it comes from another process."""
        names = [f.name for f in fields(self)]  # type: ignore[arg-type] # as above
        return type(self), tuple(getattr(self, name) for name in names)


def _are_equal(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a is b or (a.dtype == b.dtype and np.array_equal(a, b))
    return type(a) is type(b) and bool(a == b)


def _how_to_fill(shape: tuple[int, ...]) -> str:
    if len(shape) == 2:
        rows, columns = shape
        return say("Give {rows} rows of {columns} numbers.").format(rows=rows, columns=columns)
    return say("Give {shape} numbers.").format(shape=" x ".join(str(n) for n in shape))
