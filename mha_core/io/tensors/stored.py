"""Tensors that stand in a file one after the other, each as plain bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.checked import CheckedTensors, Rows, Shape, broken, called, not_known
from mha_core.io.tensors.kinds import Bytes, Kind
from mha_core.language import say


class Stored(NamedTuple):
    """Where a tensor stands: between which bytes of the file, and how its numbers are written."""

    kind: Kind
    shape: Shape
    start: int
    end: int


class StoredTensors(CheckedTensors):
    """Tensors in the bytes of a file, mapped or uploaded."""

    def __init__(
        self,
        thing: str,
        data: Bytes,
        tensors: Mapping[str, Stored],
        config: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        check_places(thing, tensors, len(data))
        super().__init__(thing, {name: t.shape for name, t in tensors.items()}, config, folder)
        self._data = data
        self._tensors = tensors

    def _take(self, name: str, rows: Rows | None) -> FloatArray:
        stored = self._tensors[name]
        kind, shape = stored.kind, stored.shape
        raw = self._data[stored.start : stored.start + kind.size(shape)]
        if rows is not None:
            raw = raw.reshape(shape[0], len(raw) // max(shape[0], 1))[rows]
            shape = (len(rows), *shape[1:])
        lines = raw.reshape(math.prod(shape[:-1]), kind.size(shape[-1:]))
        try:
            with np.errstate(all="ignore"):  # what is no number stays none
                return kind.numbers(lines).reshape(shape)
        except NotImplementedError as error:
            raise not_known(self._called(name), kind.name) from error


def check_places(thing: str, tensors: Mapping[str, Stored], size: int) -> None:
    """Refuse tensors that reach beyond the file, or into each other."""
    reached = 0
    for name, stored in sorted(tensors.items(), key=lambda item: (item[1].start, item[1].end)):
        if stored.start < reached:
            need = say("must begin where the one before it ends")
            raise broken(called(thing, name), need, say("a place inside of it"))
        reached = stored.end
        if reached > size:
            need = say("must end at byte {end:,}").format(end=reached)
            got = say("a file of {size:,} bytes").format(size=size)
            raise broken(called(thing, name), need, got)
