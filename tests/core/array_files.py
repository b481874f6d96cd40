"""Files of arrays made by hand, whole and harmful, and what reading them says."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from mha_core.checks.errors import MhaError
from mha_core.io.matrix.files import read_matrix

HEADER = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"
MATRIX = np.array([[1, -2.5, 1 / 3], [0.25, 5e-324, -0.0]])


class Harmful:
    """Its pickle makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.path,)


def npy(array: object, version: tuple[int, int] | None = None) -> bytes:
    file = BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), version)
    return file.getvalue()


def npy_saying(header: str, rest: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + rest


def npz(**arrays: object) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def zipped(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return file.getvalue()


def changed(data: bytes, place: int, new: bytes) -> bytes:
    """The same file with other bytes in one place."""
    return data[:place] + new + data[place + len(new) :]


def claiming_size(archive: bytes, size: int) -> bytes:
    """The same archive, whose list says that its first entry unpacks to so many bytes."""
    return changed(archive, archive.index(b"PK\x01\x02") + 24, size.to_bytes(4, "little"))


def refusal(kind: type[MhaError], data: bytes, name: str, *, entry: str | None = None) -> str:
    with pytest.raises(MhaError) as caught:
        read_matrix(data, name, entry=entry)
    assert type(caught.value) is kind
    return str(caught.value)
