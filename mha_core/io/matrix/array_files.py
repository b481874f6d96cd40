"""Arrays in NumPy's own files: a .npy holds one, a .npz is a ZIP archive of many. Never a pickle.

NumPy reads the header of an array. Its type and size are checked against the limits, and against
the bytes that follow, before the array is made. So nothing in a file is ever run, and a small file
cannot use much memory.
"""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import FileError, LimitError, MhaError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.text_source import short_quote
from mha_core.language import say

_LONGEST_HEADER: Final = 10_000  # of one array, as in NumPy

_NPY: Final = b"\x93NUMPY"
_ZIP: Final = b"PK\x03\x04"
_LISTED: Final = b"PK\x01\x02"  # begins each line of an archive's list
_KINDS: Final = {
    _NPY: say("a NumPy array (.npy)"),
    _ZIP: say("a ZIP archive such as .npz or .xlsx"),
    b"PK\x05\x06": say("an empty ZIP archive"),
    b"\x89PNG": say("a PNG picture"),
    b"\xff\xd8\xff": say("a JPEG picture"),
    b"GIF8": say("a GIF picture"),
    b"%PDF": say("a PDF"),
    b"\x1f\x8b": say("a gzip archive"),
    b"\xd0\xcf\x11\xe0": say("an old Excel or Word file"),
    b"\x89HDF": say("an HDF5 file"),
    b"\xff\xfe": say("UTF-16 text"),
    b"\xfe\xff": say("UTF-16 text"),
}

TEXT: Final = say("text")

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ArrayHeader:
    """The header of an array in a file: type, order and shape."""

    dtype: np.dtype[Any]
    fortran_order: bool
    shape: tuple[int, ...]

    @property
    def is_real(self) -> bool:
        """Whether it holds bool, integers, float16, float32 or float64."""
        return self.dtype.kind in "biuf" and self.dtype.itemsize <= 8

    @property
    def is_matrix(self) -> bool:
        return len(self.shape) == 2 and self.is_real

    @property
    def bytes(self) -> int:
        """How many bytes follow the header."""
        return math.prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{self.shape} {self.dtype.str}"


CheckHeader = Callable[[str, ArrayHeader], None]
"""Refuses an array by its header. It gets the name of the array in errors, and the header."""


def read_array(thing: str, stream: IO[bytes], check: CheckHeader) -> Array:
    """The array of a .npy, unless `check` refuses its header."""
    header = read_header(thing, stream)
    check(thing, header)
    return _array(thing, header, stream.read(header.bytes + 1))


def _array(thing: str, header: ArrayHeader, data: bytes) -> Array:
    """The array that this header and these bytes make."""
    if len(data) != header.bytes:
        raise FileError(
            thing,
            say("must hold the {count:,} numbers its header promises").format(
                count=math.prod(header.shape)
            ),
            say("more") if len(data) > header.bytes else f"{len(data) // header.dtype.itemsize:,}",
            say("Save it again with np.save."),
        )
    values = np.frombuffer(data, header.dtype)
    if header.dtype.kind == "b":  # a byte may be 2, which counts as True
        values = values.view(np.uint8) != 0
    return values.reshape(header.shape, order="F" if header.fortran_order else "C")


def read_header(thing: str, stream: IO[bytes]) -> ArrayHeader:
    """The header of a .npy, read by NumPy."""
    start = stream.read(len(_NPY) + 2)
    if not start.startswith(_NPY):
        raise not_as_named(thing, say("a NumPy array"), kind_of(start) if start else say("nothing"))
    is_first_version = start[len(_NPY) :].startswith(b"\x01")
    read = np.lib.format.read_array_header_2_0  # version 3 differs only in names, which are refused
    if is_first_version:
        read = np.lib.format.read_array_header_1_0
    try:
        shape, fortran_order, dtype = read(stream, max_header_size=_LONGEST_HEADER)
    except Exception as error:  # a harmful header can make Python's parser fail in any way
        raise _broken_header(thing) from error
    if any(side < 0 for side in shape):
        raise _broken_header(thing)
    return ArrayHeader(dtype, fortran_order, shape)


def check_real(thing: str, header: ArrayHeader) -> None:
    """Refuse an array that does not hold real numbers."""
    if not header.is_real:
        raise FileError(
            thing,
            say("must hold bool, integers, float16, float32 or float64"),
            say("type {type}").format(type=header.dtype.str),
            say("Convert it with .astype(float) and save it again."),
        )


def npy_bytes(array: Array) -> bytes:
    """An array as a .npy."""
    file = BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


# Archives


class Archive:
    """The arrays of an open .npz by name. Each is read when it is needed."""

    def __init__(
        self, thing: str, archive: zipfile.ZipFile, most_bytes: int | None = LIMITS.archive_bytes
    ) -> None:
        self._thing = thing
        self._archive = archive
        self._entries = _entries(thing, archive, most_bytes)
        self.headers = {name: self._header(name) for name in self._entries}

    def read(self, name: str, check: CheckHeader) -> Array:
        with self._archive.open(self._entries[name]) as stream:
            return read_array(self._called(name), stream, check)

    def read_rows(self, name: str, rows: Sequence[int], check: CheckHeader) -> Array:
        """Some rows of an array that has at least two axes and no Fortran order, in this order.

        What stands between them is unpacked, but not kept.
        """
        header = self.headers[name]
        check(self._called(name), header)
        size = header.bytes // max(header.shape[0], 1)
        wanted, places = np.unique(np.asarray(rows, np.intp), return_inverse=True)
        row = ArrayHeader(header.dtype, False, header.shape[1:])
        found = np.empty((len(wanted), *row.shape), row.dtype)
        with self._archive.open(self._entries[name]) as stream:
            read_header(self._called(name), stream)
            begin = stream.tell()
            for place, at in enumerate(wanted.tolist()):
                found[place] = self._row(name, row, stream, begin + size * at)
        return found[places]

    def _row(self, name: str, row: ArrayHeader, stream: IO[bytes], begin: int) -> Array:
        stream.seek(begin)
        return _array(self._called(name), row, stream.read(row.bytes))

    def _header(self, name: str) -> ArrayHeader:
        with self._archive.open(self._entries[name]) as stream:
            return read_header(self._called(name), stream)

    def _called(self, name: str) -> str:
        return say("{file}, array {array},").format(file=self._thing, array=short_quote(name))


@contextmanager
def opened_archive(thing: str, data: bytes) -> Iterator[Archive]:
    """The arrays in a .npz. A broken archive is a FileError."""
    check_archive_begins(thing, data)
    if data.count(_LISTED) > LIMITS.archive_arrays:  # before zipfile makes an object of each
        raise LimitError(
            thing,
            say("must hold at most {limit} arrays").format(limit=LIMITS.archive_arrays),
            say("more"),
            say("Save fewer arrays."),
        )
    with whole_archive(thing), zipfile.ZipFile(BytesIO(data)) as archive:
        yield Archive(thing, archive)


def check_archive_begins(thing: str, data: bytes) -> None:
    """Refuse a file that is no archive by its first bytes."""
    if not data.startswith(_ZIP):
        raise not_as_named(thing, say("a NumPy archive"), kind_of(data) if data else say("nothing"))


@contextmanager
def whole_archive(thing: str) -> Iterator[None]:
    """While an archive is read: a broken one is a FileError."""
    try:
        yield
    except MhaError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise FileError(
            thing,
            say("must be a whole NumPy archive"),
            say("a broken one"),
            say("Save it again with np.savez."),
        ) from error


def write_arrays(arrays: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    """A .npz that holds these arrays by their names."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            if not re.fullmatch(r"\w[\w .-]{0,99}", name):
                raise OptionError(
                    say("The name of an array"),
                    say("must be letters, digits, space, dot, - and _"),
                    short_quote(name),
                    say("Rename it."),
                )
            if array.dtype.kind not in "biufU":
                raise FileError(
                    say("The array {array}").format(array=name),
                    say("must hold numbers or text: no pickle is ever written"),
                    say("type {type}").format(type=array.dtype),
                    say("Convert it or leave it out."),
                )
            # With a fixed date, the same arrays give the same file.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, npy_bytes(array))
    return file.getvalue()


def _entries(
    thing: str, archive: zipfile.ZipFile, most_bytes: int | None
) -> dict[str, zipfile.ZipInfo]:
    """The arrays of an archive by name, after a check of the list in the archive.

    This list may be wrong, so `read_array` also reads no more bytes than the header says.
    """
    infos = archive.infolist()
    if most_bytes is not None:
        unpacked = sum(info.file_size for info in infos)
        way_out = say("Save fewer or smaller arrays.")
        check_size(say("{file}, unpacked,").format(file=thing), unpacked, most_bytes, way_out)
    entries = {info.filename.removesuffix(".npy"): info for info in infos}
    odd = [
        info.filename
        for info in infos
        if not info.filename.endswith(".npy")
        or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        or info.flag_bits & 1  # encrypted
    ]
    if odd or not entries or len(entries) < len(infos):
        got = say("two of one name") if entries else say("none")
        if odd:
            got = say("also {files}").format(files=listed(odd))
        raise not_as_named(thing, say("a NumPy archive of .npy arrays"), got)
    return entries


# The words of errors


def kind_of(data: bytes) -> str:
    """The kind of a file, by its first bytes.

    >>> kind_of(b"%PDF-1.7"), kind_of(b"1,2")
    ('a PDF', 'text')
    """
    for start, kind in _KINDS.items():
        if data.startswith(start):
            return kind
    return say("binary data") if b"\0" in data else TEXT


def not_as_named(thing: str, need: str, got: str) -> FileError:
    """The error for a file whose bytes do not fit its name."""
    return FileError(
        thing,
        say("must be {kind}").format(kind=need),
        got,
        say("Give it the right ending, or save it again in that format."),
    )


def listed(names: list[str], most: int = 10) -> str:
    """Names as an error lists them: at most `most`, and the number of the others."""
    quoted = [short_quote(name) for name in names[:most]]
    if len(names) > most:
        quoted.append(say("and {count} more").format(count=len(names) - most))
    return ", ".join(quoted)


def _broken_header(thing: str) -> FileError:
    return FileError(
        thing,
        say("must begin as NumPy writes it"),
        say("a broken header"),
        say("Save it again with np.save."),
    )
