"""What every file of tensors offers, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from mha_core.checks.shapes import FloatArray


class TensorFile(Protocol):
    """Named tensors in a file, or in several. Only what is asked for is read."""

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each tensor by its name, as NumPy says it."""

    @property
    def config(self) -> Mapping[str, Any]:
        """What says how the tensors are meant; empty where nothing says it.

        It is `config.json` beside the file, or the file's own fields: GGUF's metadata by its names,
        and the text `config` of a .npz.
        """

    @property
    def folder(self) -> Path | None:
        """Where `tokenizer.json` or `vocab.txt` may stand beside the file; None for an upload."""

    def read(self, name: str) -> FloatArray:
        """One tensor in float32, in C order; it may be read-only.

        It is float64 where the file has that, or whole numbers that float32 would round.
        """

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        """These rows of a matrix, in this order: an embedding may be too large to be read whole."""
