"""Matrices in files: .csv, .tsv, .json, .npy and .npz, and never a pickle.

A file's name is a claim, and its bytes are held against it. The header of an array is read here, by
hand, and what it promises is checked against the limits and the bytes that follow before an array
is made. So nothing in a file is ever run, and a small file cannot ask for much memory.
"""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import FileError, LimitError, MhaError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, check_finite
from mha_core.io.matrix.text import as_matrix, check_sides, format_matrix, layout_of, parse_matrix
from mha_core.io.matrix.text_source import shown

FILE_TYPES: Final = (".csv", ".tsv", ".json", ".npy", ".npz")

MOST_ENTRIES: Final = 256
MOST_UNPACKED: Final = 16 * LIMITS.file_bytes  # of all arrays of an .npz together
_LONGEST_HEADER: Final = 10_000  # of one array, as in NumPy

_NPY: Final = b"\x93NUMPY"
_ZIP: Final = b"PK\x03\x04"
_KINDS: Final = {
    _NPY: "a NumPy array (.npy)",
    _ZIP: "a ZIP archive such as .npz or .xlsx",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"\x89HDF": "an HDF5 file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}

_DESCR: Final = re.compile(r"'descr' *: *('[^']{1,20}'|\[)")  # [ begins a record of fields
_ORDER: Final = re.compile(r"'fortran_order' *: *(True|False)")
_SHAPE: Final = re.compile(r"'shape' *: *\(((?:[0-9]{1,18}, ?)*+(?:[0-9]{1,18})?)\)")
_REAL: Final = re.compile(r"[<>|=]?(?:b1|[iu][1248]|f[248])")


def read_matrix(
    data: bytes, name: str, *, entry: str | None = None, minus_infinity: bool = False
) -> FloatArray:
    """The matrix in a file with this name; a vector is one row.

    float32 stays float32, all else becomes float64. `entry` picks one array of an .npz; without
    it, the .npz must hold one matrix only. With `minus_infinity`, numbers may be -inf.

    >>> read_matrix(b"1;2,5", "w.csv")
    array([[1. , 2.5]])
    """
    thing = f"The file {shown(name)}"
    extension = _extension(thing, name)
    if len(data) > LIMITS.file_bytes:
        raise LimitError(
            thing,
            f"must be at most {LIMITS.file_bytes} bytes",
            str(len(data)),
            "Save the part you want to see.",
        )
    if entry is not None and extension != ".npz":
        raise OptionError(
            thing, "must be an .npz to pick an entry from", extension, "Leave the entry out."
        )
    if extension == ".npz":
        matrix = _from_npz(thing, data, entry)
    elif extension == ".npy":
        stream = BytesIO(data)
        matrix = _read_numbers(thing, stream, _read_header(thing, stream))
    else:
        return _from_text(thing, data, extension, minus_infinity=minus_infinity)
    if minus_infinity:
        check_finite(f"{thing} (where it is not -inf)", np.where(np.isneginf(matrix), 0, matrix))
    else:
        check_finite(thing, matrix)
    return matrix


def write_matrix(matrix: object, name: str) -> bytes:
    r"""A file that `read_matrix` reads back to the last bit; its kind is that of the name.

    What is computed may be written even where it is not finite; of that, only -inf can be read.

    >>> write_matrix([[1, 0.5], [-2, 0]], "w.csv")
    b'1,0.5\n-2,0\n'
    """
    extension = _extension(f"The file {shown(name)}", name)
    numbers = as_matrix("The matrix", matrix)
    if extension == ".npz":
        return write_arrays({"matrix": numbers})
    if extension == ".npy":
        return _npy_bytes(numbers)
    return (format_matrix(numbers, extension.removeprefix(".")) + "\n").encode()


def write_arrays(arrays: Mapping[str, npt.NDArray[np.generic]]) -> bytes:
    """An .npz that holds every array under its name, as a whole trace."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            if not re.fullmatch(r"\w[\w .-]{0,99}", name):
                raise OptionError(
                    "The name of an array",
                    "must be letters, digits, space, dot, - and _",
                    shown(name),
                    "Rename it.",
                )
            if array.dtype.kind not in "biufU":
                raise FileError(
                    f"The array {name}",
                    "must hold numbers or text, for no pickle is ever written",
                    f"type {array.dtype}",
                    "Convert it or leave it out.",
                )
            # A fixed date: the same arrays give the same file.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, _npy_bytes(array))
    return file.getvalue()


def _npy_bytes(array: npt.NDArray[np.generic]) -> bytes:
    file = BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _extension(thing: str, name: str) -> str:
    _, dot, kind = name.rpartition(".")
    extension = dot + kind.lower()
    if extension not in FILE_TYPES:
        raise FileError(
            thing, f"must end in {', '.join(FILE_TYPES)}", shown(name), "Save it as one of these."
        )
    return extension


def _kind_of(data: bytes) -> str:
    """What the first bytes say a file is.

    >>> _kind_of(b"%PDF-1.7"), _kind_of(b"1,2")
    ('a PDF', 'text')
    """
    for start, kind in _KINDS.items():
        if data.startswith(start):
            return kind
    return "binary data" if b"\0" in data else "text"


# Text


def _from_text(thing: str, data: bytes, extension: str, *, minus_infinity: bool) -> FloatArray:
    kind = _kind_of(data)
    if kind != "text":
        raise _not_as_named(thing, f"text, as {extension} is", kind)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_as_named(thing, "UTF-8 text", f"another byte at {error.start + 1}") from error
    layout = layout_of(text)
    if extension == ".json":
        if not text.lstrip().startswith("["):
            start = shown(text) if text.strip() else "nothing"
            raise _not_as_named(thing, "a JSON list of rows", start)
    elif layout != "lines":
        marks = {"latex": "LaTeX", "lists": "text with brackets", "table": "a table with |"}
        raise _not_as_named(thing, "rows of plain numbers", marks[layout])
    matrix = parse_matrix(text, thing, minus_infinity=minus_infinity)
    if extension == ".tsv" and "\t" not in text and matrix.shape[1] > 1:
        raise _not_as_named(thing, "numbers with tabs between them", "no tab")
    if extension == ".json":
        _check_json(thing, text)
    return matrix


def _check_json(thing: str, text: str) -> None:
    """Refuse lists that JSON does not know; they are short of depth and size, as parsed before."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = f"something else at line {error.lineno}, column {error.colno}"
        raise _not_as_named(thing, "JSON", place) from error


def _not_as_named(thing: str, need: str, got: str) -> FileError:
    return FileError(
        thing, f"must be {need}", got, "Give it the name that fits, or save it again as named."
    )


# Arrays


@dataclass(frozen=True)
class _Header:
    """What an array in a file says of itself."""

    dtype: str
    fortran_order: bool
    shape: tuple[int, ...]

    @property
    def is_matrix(self) -> bool:
        return len(self.shape) == 2 and _REAL.fullmatch(self.dtype) is not None

    def __str__(self) -> str:
        return f"{self.shape} {self.dtype}"


def _read_header(thing: str, stream: IO[bytes]) -> _Header:
    start = stream.read(len(_NPY) + 2)
    if not start.startswith(_NPY):
        raise _not_as_named(thing, "a NumPy array", _kind_of(start) if start else "nothing")
    # Version 1 counts the bytes of its header in two bytes, all later ones in four.
    count = stream.read(2 if start[len(_NPY) :].startswith(b"\x01") else 4)
    size = int.from_bytes(count, "little")
    header = stream.read(min(size, _LONGEST_HEADER)).decode("latin-1")
    dtype, order, shape = (part.search(header) for part in (_DESCR, _ORDER, _SHAPE))
    if not (len(header) == size and dtype and order and shape):
        raise FileError(
            thing, "must begin as NumPy writes it", "a broken header", "Save it again with np.save."
        )
    sides = tuple(int(side) for side in shape[1].split(",") if side.strip())
    return _Header(dtype[1].strip("'"), order[1] == "True", sides)


def _read_numbers(thing: str, stream: IO[bytes], header: _Header) -> FloatArray:
    if not _REAL.fullmatch(header.dtype):
        raise FileError(
            thing,
            "must hold bool, integers, float16, float32 or float64",
            f"type {header.dtype}",
            "Convert it with .astype(float) and save it again.",
        )
    if len(header.shape) > 2:
        raise ShapeError(
            thing,
            "must have two axes, rows and columns",
            shown(str(header.shape)),
            "Save one head or one batch of it.",
        )
    rows, columns = (1, 1, *header.shape)[-2:]
    check_sides(thing, rows, columns)
    if rows * columns == 0:
        raise ShapeError(thing, "must hold numbers", f"shape {header.shape}", "Add a row.")
    dtype = np.dtype(header.dtype)
    promised = rows * columns * dtype.itemsize
    data = stream.read(promised + 1)
    if len(data) != promised:
        raise FileError(
            thing,
            f"must hold the {promised} bytes its header promises",
            "more" if len(data) > promised else str(len(data)),
            "Save it again with np.save.",
        )
    numbers = np.frombuffer(data, dtype)
    if dtype.kind == "b":  # a byte of 2 is neither: let it be True
        numbers = numbers.view(np.uint8) != 0
    if header.fortran_order:
        numbers = numbers.reshape(columns, rows).T
    is_float32 = dtype.kind == "f" and dtype.itemsize == 4
    with np.errstate(invalid="ignore"):  # NaN is refused afterwards, in words
        matrix: FloatArray = numbers.reshape(rows, columns).astype(
            np.float32 if is_float32 else np.float64, order="C"
        )
    return matrix


def _from_npz(thing: str, data: bytes, entry: str | None) -> FloatArray:
    if not data.startswith(_ZIP):
        raise _not_as_named(thing, "a NumPy archive", _kind_of(data) if data else "nothing")
    if data.count(b"PK\x01\x02") > MOST_ENTRIES:  # before zipfile makes an object of each
        raise LimitError(
            thing, f"must hold at most {MOST_ENTRIES} arrays", "more", "Save fewer arrays."
        )
    with _zip_trouble_is_a_file_error(thing), zipfile.ZipFile(BytesIO(data)) as archive:
        entries = _entries(thing, archive)
        headers = {}
        for name, info in entries.items():
            with archive.open(info) as stream:
                headers[name] = _read_header(f"{thing}, array {shown(name)},", stream)
        chosen = _choose(thing, headers, entry)
        with archive.open(entries[chosen]) as stream:
            thing = f"{thing}, array {shown(chosen)},"
            return _read_numbers(thing, stream, _read_header(thing, stream))


def _entries(thing: str, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The arrays of an archive by name, after a look at what the archive says of them.

    What it says may be a lie, so `_read_numbers` also takes no more bytes than the header promises.
    """
    infos = archive.infolist()
    unpacked = sum(info.file_size for info in infos)
    if unpacked > MOST_UNPACKED:
        raise LimitError(
            thing,
            f"must unpack to at most {MOST_UNPACKED} bytes",
            str(unpacked),
            "Save fewer or smaller arrays.",
        )
    entries = {info.filename.removesuffix(".npy"): info for info in infos}
    odd = [
        info.filename
        for info in infos
        if not info.filename.endswith(".npy")
        or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        or info.flag_bits & 1  # encrypted
    ]
    if odd or not entries or len(entries) < len(infos):
        got = f"also {_listed(odd)}" if odd else "two of one name" if entries else "none"
        raise _not_as_named(thing, "a NumPy archive of .npy arrays", got)
    return entries


def _choose(thing: str, headers: Mapping[str, _Header], entry: str | None) -> str:
    listed = _listed([f"{name} {header}" for name, header in headers.items()])
    if entry is not None:
        if entry not in headers:
            raise OptionError(
                thing, f"must hold the array {shown(entry)}", listed, "Pick one of these."
            )
        return entry
    matrices = [name for name, header in headers.items() if header.is_matrix]
    names = matrices if len(headers) > 1 else list(headers)
    if len(names) != 1:
        raise FileError(thing, "must hold exactly one matrix", listed, "Pick one by its name.")
    return names[0]


def _listed(names: list[str], most: int = 10) -> str:
    rest = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([shown(name) for name in names[:most]] + rest)


@contextmanager
def _zip_trouble_is_a_file_error(thing: str) -> Iterator[None]:
    try:
        yield
    except MhaError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise FileError(
            thing, "must be a whole NumPy archive", "a broken one", "Save it again with np.savez."
        ) from error
