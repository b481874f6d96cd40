"""Plain data from JSON as the fields of a scenario. Each is checked when it is read.

A reader takes the path of a field, such as `scores.scale`, and its plain value. It gives the value
of the field, or an error that says what is wrong.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import FormatError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import is_one_of, is_whole, is_within, need_one_of
from mha_core.language import say

VERSION: Final = 1
DTYPES: Final = ("float64", "float32")
LARGEST_WHOLE: Final = 2**53  # what every reader of JSON can hold exactly
LARGEST_FLOAT: Final = sys.float_info.max
LONGEST_SHOWN: Final = 60
CORRECT_IT: Final = say("Correct it.")

Reader = Callable[[str, object], Any]


def read_fields(
    path: str, data: object, readers: Mapping[str, Reader], required: Sequence[str] = ()
) -> dict[str, Any]:
    """The fields of an object, each by its own reader. Unknown and missing ones are refused."""
    if not isinstance(data, dict):
        raise refused(path.rstrip("."), say("must be an object with named fields"), data)
    for name in data:
        if name not in readers:
            raise format_error(
                say("The field {field}").format(field=short_json(path + name)),
                say("must be one that version {version} knows ({fields})").format(
                    version=VERSION, fields=", ".join(readers)
                ),
                say("another in a file of version {version}").format(version=VERSION),
                say("Remove it, or open the file with the version of this app that wrote it."),
            )
    for name in required:
        if name not in data:
            raise format_error(
                say("The field '{field}'").format(field=path + name),
                say("must be given"),
                say("nothing"),
                say("Add it."),
            )
    return {name: readers[name](path + name, value) for name, value in data.items()}


def or_null(read: Reader) -> Reader:
    return lambda path, value: None if value is None else read(path, value)


def text_or(read: Reader) -> Reader:
    return lambda path, value: value if isinstance(value, str) else read(path, value)


def read_text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise refused(path, say("must be a text"), value)
    return value


def read_whole(path: str, value: object) -> int:
    if not is_whole(value) or not is_within(value, -LARGEST_WHOLE, LARGEST_WHOLE):
        raise refused(path, say("must be a whole number of at most 2^53 in size"), value)
    return value


def read_number(path: str, value: Any) -> float:
    if isinstance(value, float) and math.isfinite(value):  # as almost all are, in a large file
        return value
    if not is_within(value, -LARGEST_FLOAT, LARGEST_FLOAT):
        raise refused(path, say("must be a finite number"), value)
    return float(value)


def read_number_or_minus_infinity(path: str, value: object) -> float:
    return -math.inf if value == "-inf" else read_number(path, value)


def read_bool(path: str, value: object) -> bool:
    if type(value) is not bool:
        raise refused(path, say("must be true or false"), value)
    return value


def one_of(*words: str) -> Reader:
    def read(path: str, value: object) -> str:
        if not is_one_of(value, words):
            raise refused(path, need_one_of(words), value)
        return str(value)

    return read


def list_of(read: Reader) -> Reader:
    def read_list(path: str, value: object) -> list[Any]:
        if not isinstance(value, list):
            raise refused(path, say("must be a list"), value)
        return [read(path, item) for item in value]

    return read_list


def rows_of(read: Reader) -> Reader:
    read_rows = list_of(list_of(read))

    def read_equal_rows(path: str, value: object) -> list[list[Any]]:
        rows: list[list[Any]] = read_rows(path, value)
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1:
            raise format_error(
                say("The field '{field}'").format(field=path),
                say("must have rows of equal length"),
                say("rows of {short} and of {long}").format(short=lengths[0], long=lengths[-1]),
                say("Give every row the same count of numbers."),
            )
        return rows

    return read_equal_rows


def array_of(dtype: str, axes: int, cell: Reader = read_number) -> Reader:
    read = rows_of(cell) if axes == 2 else list_of(cell)

    def read_array(path: str, value: object) -> FloatArray:
        with np.errstate(over="ignore"):  # larger than float32 becomes inf, which is refused later
            array: FloatArray = np.array(read(path, value), np.float64).astype(dtype)
        return array

    return read_array


# Errors


def refused(path: str, need: str, value: object) -> FormatError:
    return format_error(
        say("The field {field}").format(field=short_json(path)), need, short_json(value)
    )


def format_error(thing: str, need: str, got: str, way_out: str = CORRECT_IT) -> FormatError:
    return FormatError(thing, need, got, way_out)


def short_json(value: object) -> str:
    """A value in the words of an error: short, and without the contents of a list or an object."""
    if value is None:
        return say("nothing")
    if isinstance(value, list | dict):
        return say("a list") if isinstance(value, list) else say("an object")
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
