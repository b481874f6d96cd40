"""The arrays of a .npz as tensors, each unpacked when it is asked for. Never a pickle.

An array `config` or `__config__` may hold what a config.json says: one text, or its bytes. Whole
numbers and flags that stand alone, such as `n_heads`, say it too.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.sizes import check_size
from mha_core.io.matrix.array_files import (
    Archive,
    ArrayHeader,
    check_archive_begins,
    check_real,
    whole_archive,
)
from mha_core.io.tensors.checked import CheckedTensors, Rows, broken, called, check_count, is_shape
from mha_core.io.tensors.json_object import json_object
from mha_core.io.tensors.kinds import Bytes
from mha_core.language import say

CONFIGS: Final = ("config", "__config__")
MOST_ARRAYS: Final = 4_096  # each has a header of its own, which is read when the file is opened
BYTES_OF_A_CHARACTER: Final = 4  # as NumPy keeps text
AT_ONCE: Final = 2**22  # bytes


def npz_in(thing: str, data: Bytes, folder: Path | None, config: Mapping[str, Any]) -> NpzTensors:
    """The tensors of a .npz. What the file itself says counts more than a config beside it."""
    check_archive_begins(thing, data[:AT_ONCE].tobytes())
    with whole_archive(thing):
        packed = zipfile.ZipFile(_Mapped(data))
        check_count(thing, len(packed.filelist), MOST_ARRAYS)
        archive = Archive(thing, packed, most_bytes=None)
        shapes = {name: header.shape for name, header in archive.headers.items()}
        alone = [name for name, header in archive.headers.items() if _is_said(header)]
        config = {**config, **{name: archive.read(name, check_real).item() for name in alone}}
        for name in CONFIGS:
            if name in shapes and _is_text(archive.headers[name]):
                del shapes[name]
                config = _config(thing, archive, name)
    for name, shape in shapes.items():
        if not is_shape(shape):
            raise broken(
                called(thing, name), say("must have a shape that there can be"), f"{shape}"
            )
    return NpzTensors(thing, archive, shapes, config, folder)


class NpzTensors(CheckedTensors):
    """The arrays of an open archive."""

    def __init__(
        self,
        thing: str,
        archive: Archive,
        shapes: Mapping[str, tuple[int, ...]],
        config: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        super().__init__(thing, shapes, config, folder)
        self._archive = archive

    def _take(self, name: str, rows: Rows | None) -> FloatArray:
        with whole_archive(self._thing):
            if rows is None:
                array = self._archive.read(name, check_real)
            elif self._archive.headers[name].fortran_order:
                array = self.read(name)[rows]  # columns stand together there
            else:
                array = self._archive.read_rows(name, rows.tolist(), check_real)
        with np.errstate(all="ignore"):  # what is no number stays none
            return np.require(array, np.result_type(array, np.float32), "C")


class _Mapped(io.RawIOBase):
    """Bytes as zipfile reads them, a few million at a time: a false list in it stays small."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._at = 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: len(self._data)}[whence]
        if at < 0:
            raise OSError("before the beginning")
        self._at = at
        return at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        most = AT_ONCE if size < 0 else min(size, AT_ONCE)
        piece = self._data[self._at : self._at + most].tobytes()
        self._at += len(piece)
        return piece


def _is_text(header: ArrayHeader) -> bool:
    """Whether an array is one text, or its bytes, and not numbers of a model."""
    is_one = header.dtype.kind == "U" and header.shape == ()
    return is_one or (header.dtype == np.uint8 and len(header.shape) == 1)


def _is_said(header: ArrayHeader) -> bool:
    """Whether it is one whole number, or one flag."""
    return header.shape == () and header.dtype.kind in "iub"


def _config(thing: str, archive: Archive, name: str) -> dict[str, Any]:
    of_it = say("{file}, config,").format(file=thing)
    most = LIMITS.header_bytes * BYTES_OF_A_CHARACTER
    array = archive.read(
        name, lambda _, header: check_size(of_it, header.bytes, most, say("Make it shorter."))
    )
    text = str(array[()]).encode("utf-8", "replace") if array.dtype.kind == "U" else array.tobytes()
    return json_object(of_it, text)
