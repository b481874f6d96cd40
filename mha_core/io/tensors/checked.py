"""What all files of tensors share: a wrong name, wrong rows and too much at once are refused."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import FileError, LimitError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.text_source import short_quote
from mha_core.io.matrix.array_files import listed
from mha_core.language import say

Shape = tuple[int, ...]
Rows = npt.NDArray[np.intp]

MOST_AXES: Final = 8
MOST_CELLS: Final = 2**48  # of a shape that is believed


class CheckedTensors(ABC):
    """A TensorFile. Each format says how it takes a tensor, or some rows of it, out of the file."""

    def __init__(
        self,
        thing: str,
        shapes: Mapping[str, Shape],
        config: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        self.shapes = shapes
        self.config = config
        self.folder = folder
        self._thing = thing

    def read(self, name: str) -> FloatArray:
        """One tensor, as TensorFile says."""
        shape = self._shape(name)
        self._check_room(name, shape, say("Read the rows that you need with read_rows."))
        return self._take(name, None)

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        """These rows of a tensor, as TensorFile says; of more than two axes, parts of the first."""
        shape = self._shape(name)
        if len(shape) < 2:
            got = say("shape {shape}").format(shape=shape)
            way_out = say("Read it whole.")
            raise ShapeError(self._called(name), say("must have rows and columns"), got, way_out)
        if wrong := [row for row in rows if not 0 <= row < shape[0]]:
            raise OptionError(
                self._called(name),
                say("must have the rows 0 to {last}").format(last=shape[0] - 1),
                say("row {row}").format(row=wrong[0]),
                say("Ask for rows that it has."),
            )
        self._check_room(name, (len(rows), *shape[1:]), say("Read fewer rows at once."))
        return self._take(name, np.asarray(rows, np.intp))

    @abstractmethod
    def _take(self, name: str, rows: Rows | None) -> FloatArray:
        """The whole tensor, or these rows of it."""

    def _shape(self, name: str) -> Shape:
        if name not in self.shapes:
            names = [*self.shapes]
            raise OptionError(
                self._thing,
                say("must hold the tensor {tensor}").format(tensor=short_quote(name)),
                listed(get_close_matches(name, names) or names) or say("none"),
                say("Pick one of these."),
            )
        return self.shapes[name]

    def _check_room(self, name: str, shape: Shape, way_out: str) -> None:
        cells = math.prod(shape)
        if cells > LIMITS.tensor_cells:
            raise LimitError(
                self._called(name),
                say("must have at most {limit:,} numbers").format(limit=LIMITS.tensor_cells),
                f"{cells:,}",
                way_out,
            )

    def _called(self, name: str) -> str:
        return called(self._thing, name)


def called(thing: str, name: str) -> str:
    """A tensor of a file, in errors."""
    return say("{file}, tensor {tensor},").format(file=thing, tensor=short_quote(name))


def not_known(thing: str, kind: str) -> FileError:
    """The error for numbers of a kind that is not known here."""
    return FileError(
        thing,
        say("must hold numbers of a kind that is known here"),
        kind,
        say("Save it as float16 or float32."),
    )


def is_shape(sides: Sequence[object]) -> bool:
    """Whether these are the sides of a tensor that there can be."""
    whole = [side for side in sides if type(side) is int and side >= 0]
    return (
        len(whole) == len(sides) <= MOST_AXES
        and math.prod(max(side, 1) for side in whole) <= MOST_CELLS
    )


def check_count(thing: str, count: int, most: int | None = None) -> None:
    """Refuse a file of too many tensors before they are listed."""
    most = most or LIMITS.tensors
    if count > most:
        raise LimitError(
            thing,
            say("must hold at most {limit:,} tensors").format(limit=most),
            f"{count:,}",
            say("Save fewer in one file."),
        )


def broken(thing: str, need: str, got: str) -> FileError:
    """The error for a file that is damaged, or that was made to do harm."""
    return FileError(thing, need, got, say("Load it again from where it came, or save it again."))
