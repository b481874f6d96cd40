"""Matrices in files: .csv, .tsv, .json, .npy and .npz.

The bytes of a file must fit its name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Final

import numpy as np

from mha_core.checks.errors import FileError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, check_finite
from mha_core.checks.sizes import check_size
from mha_core.checks.text_source import short_quote
from mha_core.io.matrix.array_files import (
    TEXT,
    Array,
    ArrayHeader,
    check_real,
    kind_of,
    listed,
    not_as_named,
    npy_bytes,
    opened_archive,
    read_array,
    write_arrays,
)
from mha_core.io.matrix.matrix_text import (
    PLAIN_LINES,
    as_matrix,
    check_sides,
    format_matrix,
    layout_of,
    parse_matrix,
)
from mha_core.io.matrix.other_kinds import not_read
from mha_core.language import say

FILE_TYPES: Final = (".csv", ".tsv", ".json", ".npy", ".npz")


def read_matrix(
    data: bytes, name: str, *, entry: str | None = None, minus_infinity: bool = False
) -> FloatArray:
    """The matrix in a file with this name; a vector is one row.

    float32 stays float32; other types become float64. `entry` picks one array of an .npz; without
    it, the .npz must hold one matrix only. With `minus_infinity`, numbers may be -inf.

    >>> read_matrix(b"1;2,5", "w.csv")
    array([[1. , 2.5]])
    """
    thing = say("The file {file}").format(file=short_quote(name))
    extension = _extension(name)
    most = LIMITS.file_bytes if extension in (".npy", ".npz") else LIMITS.text_chars
    check_size(thing, len(data), most, say("Save the part you want to see."))
    if entry is not None and extension != ".npz":
        raise OptionError(
            thing,
            say("must be an .npz to pick an entry from"),
            extension,
            say("Leave the entry out."),
        )
    if extension == ".npz":
        matrix = _from_npz(thing, data, entry)
    elif extension == ".npy":
        matrix = _as_matrix(read_array(thing, BytesIO(data), _check_matrix))
    else:
        return _from_text(thing, data, extension, minus_infinity=minus_infinity)
    if minus_infinity:
        check_finite(
            say("{matrix} (where it is not -inf)").format(matrix=thing),
            np.where(np.isneginf(matrix), 0, matrix),
        )
    else:
        check_finite(thing, matrix)
    return matrix


def matrices_in(data: bytes) -> dict[str, tuple[int, int]]:
    """The matrices and vectors of a .npz by their names, each with its rows and columns.

    >>> matrices_in(write_matrix([[1, 2]], "w.npz"))
    {'matrix': (1, 2)}
    """
    with opened_archive(say("The file"), data) as archive:
        return {
            name: (header.shape[0] if header.is_matrix else 1, header.shape[-1])
            for name, header in archive.headers.items()
            if header.is_real and 0 < len(header.shape) <= 2
        }


def write_matrix(matrix: object, name: str) -> bytes:
    r"""A file that `read_matrix` reads back to the last bit. The name says its kind.

    Infinite numbers and NaN are written too, but only -inf can be read back.

    >>> write_matrix([[1, 0.5], [-2, 0]], "w.csv")
    b'1,0.5\n-2,0\n'
    """
    extension = _extension(name)
    numbers = as_matrix(say("The matrix"), matrix)
    if extension == ".npz":
        return write_arrays({"matrix": numbers})
    if extension == ".npy":
        return npy_bytes(numbers)
    return (format_matrix(numbers, extension.removeprefix(".")) + "\n").encode()


def _extension(name: str) -> str:
    _, dot, kind = name.rpartition(".")
    extension = dot + kind.lower()
    if extension not in FILE_TYPES:
        raise not_read(name, FILE_TYPES)
    return extension


# Text


def _from_text(thing: str, data: bytes, extension: str, *, minus_infinity: bool) -> FloatArray:
    kind = kind_of(data)
    if kind != TEXT:
        raise not_as_named(thing, say("text, as {ending} is").format(ending=extension), kind)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_as_named(
            thing, say("UTF-8 text"), say("another byte at {place}").format(place=error.start + 1)
        ) from error
    layout = layout_of(text)
    if extension == ".json":
        if not text.lstrip().startswith("["):
            start = short_quote(text) if text.strip() else say("nothing")
            raise not_as_named(thing, say("a JSON list of rows"), start)
    elif layout is not PLAIN_LINES:
        raise not_as_named(thing, PLAIN_LINES.title, layout.title)
    matrix = parse_matrix(text, thing, minus_infinity=minus_infinity)
    if extension == ".tsv" and "\t" not in text and matrix.shape[1] > 1:
        raise not_as_named(thing, say("numbers with tabs between them"), say("no tab"))
    if extension == ".json":
        _check_json(thing, text)
    return matrix


def _check_json(thing: str, text: str) -> None:
    """Refuse lists that are not JSON. They were parsed before, so they are not deep or large."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = say("something else at line {line}, column {column}").format(
            line=error.lineno, column=error.colno
        )
        raise not_as_named(thing, "JSON", place) from error


# Arrays


def _from_npz(thing: str, data: bytes, entry: str | None) -> FloatArray:
    with opened_archive(thing, data) as archive:
        chosen = _choose(thing, archive.headers, entry)
        return _as_matrix(archive.read(chosen, _check_matrix))


def _choose(thing: str, headers: Mapping[str, ArrayHeader], entry: str | None) -> str:
    there = listed([f"{name} {header}" for name, header in headers.items()])
    if entry is not None:
        if entry not in headers:
            raise OptionError(
                thing,
                say("must hold the array {array}").format(array=short_quote(entry)),
                there,
                say("Pick one of these."),
            )
        return entry
    matrices = [name for name, header in headers.items() if header.is_matrix]
    names = matrices if len(headers) > 1 else list(headers)
    if len(names) != 1:
        raise FileError(
            thing, say("must hold exactly one matrix"), there, say("Pick one by its name.")
        )
    return names[0]


def _check_matrix(thing: str, header: ArrayHeader) -> None:
    """Refuse an array that is not a matrix, a vector or a number, or is too large."""
    check_real(thing, header)
    if len(header.shape) > 2:
        raise ShapeError(
            thing,
            say("must have two axes, rows and columns"),
            short_quote(str(header.shape)),
            say("Save one head or one batch of it."),
        )
    rows, columns = (1, 1, *header.shape)[-2:]
    check_sides(thing, rows, columns)
    if rows * columns == 0:
        raise ShapeError(
            thing,
            say("must hold numbers"),
            say("shape {shape}").format(shape=header.shape),
            say("Add a row."),
        )


def _as_matrix(array: Array) -> FloatArray:
    """An array from a file with two axes: float32 stays float32, other types become float64."""
    is_float32 = array.dtype.kind == "f" and array.dtype.itemsize == 4
    with np.errstate(invalid="ignore"):  # NaN is refused later
        matrix: FloatArray = np.atleast_2d(array).astype(
            np.float32 if is_float32 else np.float64, order="C"
        )
    return matrix
