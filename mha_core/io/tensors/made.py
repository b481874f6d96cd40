"""A file with tensors more, which are made of its own when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile


class MadeTensors:
    """`made` has the shapes of those that are made, by name.

    `make` makes one of them, and `make_rows` some of its rows.
    """

    def __init__(
        self,
        file: TensorFile,
        made: Mapping[str, tuple[int, ...]],
        make: Callable[[str], FloatArray],
        make_rows: Callable[[str, Sequence[int]], FloatArray],
    ) -> None:
        self._file = file
        self._made = made
        self._make = make
        self._make_rows = make_rows
        self.shapes = {**file.shapes, **made}

    @property
    def config(self) -> Mapping[str, Any]:
        return self._file.config

    @property
    def folder(self) -> Path | None:
        return self._file.folder

    def read(self, name: str) -> FloatArray:
        return self._make(name) if name in self._made else self._file.read(name)

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        if name in self._made:
            return self._make_rows(name, rows)
        return self._file.read_rows(name, rows)
