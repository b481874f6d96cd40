"""Tensors that a test holds in memory, and numbers for them that nobody has to keep in a file."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mha_core.checks.shapes import FloatArray


class Held:
    """A file of tensors that is none. `was_read` has the names of what somebody has read."""

    def __init__(
        self,
        tensors: Mapping[str, FloatArray],
        config: Mapping[str, Any],
        folder: Path | None = None,
    ) -> None:
        self.tensors = tensors
        self.shapes = {name: array.shape for name, array in tensors.items()}
        self.config = config
        self.folder = folder
        self.was_read: list[str] = []

    def read(self, name: str) -> FloatArray:
        self.was_read.append(name)
        return self.tensors[name]

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        return self.tensors[name][list(rows)]


def made_numbers(name: str, shape: Sequence[int]) -> FloatArray:
    """The numbers of the tensor of this name: the same everywhere. Gains are about 1."""
    drawn = random.Random(name)
    count = int(np.prod(shape))
    numbers = np.array([drawn.uniform(-1, 1) for _ in range(count)], np.float32).reshape(shape)
    if len(shape) == 1:
        is_gain = name.endswith("weight")
        return np.float32(0.3) * numbers + np.float32(is_gain)
    return numbers * np.float32(1.5 / shape[-1] ** 0.5)


def made_model(
    shapes: Mapping[str, Sequence[int]], config: Mapping[str, Any], folder: Path | None = None
) -> Held:
    """A model of made numbers."""
    return Held({name: made_numbers(name, shape) for name, shape in shapes.items()}, config, folder)
