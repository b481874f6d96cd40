"""A file or a folder of tensors is opened by its name, whatever its format."""

from __future__ import annotations

from pathlib import Path

from mha_core.io.tensors.tensor_file import TensorFile


def open_tensors(path: Path | str, *, own_machine: bool = False) -> TensorFile:
    """The tensors in a file, or in the one model that a folder holds."""
    raise NotImplementedError


def tensors_of(name: str, data: bytes) -> TensorFile:
    """The tensors in an upload of this name. Nothing is written to disk."""
    raise NotImplementedError
