"""GGUF: fields, then the list of the tensors, then the tensors. Many are quantised.

The `gguf` package turns quantised blocks into numbers. Its reader is not used: it makes objects of
every token, believes every length, and takes no upload.

Shapes are as NumPy says them: GGUF itself lists the axes in the other order. The rows of W_Q and
W_K stay as the file has them. For some families (Llama, Mistral) the two columns that rotate
together are neighbours there, but half a head apart in the safetensors of the same model.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from mha_core.checks.errors import FileError, LimitError
from mha_core.checks.limits import LIMITS
from mha_core.checks.text_source import short_quote
from mha_core.io.tensors.checked import MOST_AXES, broken, called, check_count, is_shape
from mha_core.io.tensors.cursor import Cursor
from mha_core.io.tensors.kinds import BF16, F16, F32, F64, I8, I16, I32, I64, Bytes, Kind
from mha_core.io.tensors.quantised import quantised
from mha_core.io.tensors.stored import Stored, StoredTensors
from mha_core.language import say

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)
MOST_FIELDS: Final = 4_096
MOST_ALIGNMENT: Final = 2**16
ALIGNMENT: Final = 32  # of the tensors, where no field says another

# The types of a field by their numbers: those of numbers as `struct` writes them, a text, a list.
NUMBERS: Final = {**dict(enumerate("BbHhIif?")), 10: "Q", 11: "q", 12: "d"}
TEXT: Final = 8
LIST: Final = 9
PLAIN: Final = {0: F32, 1: F16, 24: I8, 25: I16, 26: I32, 27: I64, 28: F64, 30: BF16}


def gguf_in(
    thing: str, data: Bytes, folder: Path | None, config: Mapping[str, Any]
) -> StoredTensors:
    """The tensors of a GGUF file. Its fields are its config, whatever stands beside it."""
    del config
    cursor = Cursor(thing, memoryview(data.data))
    tensor_count, field_count = _begin(cursor)
    fields = Fields(cursor, _fields(cursor, field_count))
    parts = fields.get("split.count", 1)
    if type(parts) is int and parts > 1:
        raise FileError(
            thing,
            say("must hold a whole model"),
            say("one part of {count}").format(count=parts),
            say("Join the parts with llama-gguf-split --merge."),
        )
    listed = dict(_tensors(cursor, tensor_count))
    step = _alignment(thing, fields)
    begin = -(-cursor.at // step) * step
    tensors = {
        name: Stored(kind, shape, begin + start, begin + start + kind.size(shape))
        for name, (kind, shape, start) in listed.items()
    }
    return StoredTensors(thing, data, tensors, fields, folder)


class Field(NamedTuple):
    """Where the value of a field stands; of a list, the type of its items and how many they are."""

    type: int
    items: int | None
    at: int


class Fields(Mapping[str, Any]):
    """The fields of a GGUF by their names, as plain Python values.

    Each is read when it is asked for: a list of 150,000 tokens is made only then.
    """

    def __init__(self, cursor: Cursor, fields: Mapping[str, Field]) -> None:
        self._thing = cursor.thing
        self._data = cursor.data
        self._fields = fields

    def __getitem__(self, name: str) -> Any:
        field = self._fields[name]
        cursor = Cursor(self._thing, self._data, field.at)
        count = 1 if field.items is None else field.items
        if field.type == TEXT:
            values = [cursor.text() for _ in range(count)]
        else:
            values = [*cursor.numbers(NUMBERS[field.type], count)]
        return values[0] if field.items is None else values

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def _begin(cursor: Cursor) -> tuple[int, int]:
    """How many tensors and how many fields there are."""
    start = bytes(cursor.data[: len(MAGIC)])
    if start != MAGIC:
        raise broken(cursor.thing, say("must begin with the letters GGUF"), repr(start))
    cursor.skip(len(MAGIC))
    version = cursor.number("I")
    if version not in VERSIONS:
        raise FileError(
            cursor.thing,
            say("must be little-endian, of version 2 or 3"),
            say("version {version}").format(version=version),
            say("Convert the model again with a newer llama.cpp."),
        )
    tensor_count, field_count = cursor.numbers("Q", 2)
    check_count(cursor.thing, tensor_count)
    _check_most(cursor.thing, say("fields"), field_count, MOST_FIELDS)
    return tensor_count, field_count


def _fields(cursor: Cursor, count: int) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    items = 0
    for _ in range(count):
        name = _new_name(cursor, say("must name each field once"), fields)
        fields[name] = field = _field(cursor, name)
        items += field.items or 0
        _check_most(cursor.thing, say("items in its lists"), items, LIMITS.header_items)
        _skip_value(cursor, field)
    return fields


def _field(cursor: Cursor, name: str) -> Field:
    kind, count = cursor.number("I"), None
    if kind == LIST:
        kind, count = cursor.number("I"), cursor.number("Q")
    if kind != TEXT and kind not in NUMBERS:
        raise FileError(
            say("{file}, field {field},").format(file=cursor.thing, field=short_quote(name)),
            say("must be a number, a text or a list of these"),
            say("type {type}").format(type=kind),
            say("Leave it out."),
        )
    return Field(kind, count, cursor.at)


def _skip_value(cursor: Cursor, field: Field) -> None:
    count = 1 if field.items is None else field.items
    if field.type == TEXT:
        cursor.skip_texts(count)
    else:
        cursor.skip(count * struct.calcsize(f"<{NUMBERS[field.type]}"))


def _tensors(cursor: Cursor, count: int) -> Iterator[tuple[str, tuple[Kind, tuple[int, ...], int]]]:
    """Each tensor by its name: how its numbers are written, its shape, and where it begins."""
    names: set[str] = set()
    for _ in range(count):
        name = _new_name(cursor, say("must name each tensor once"), names)
        names.add(name)
        thing = called(cursor.thing, name)
        _check_most(thing, say("axes"), axes := cursor.number("I"), MOST_AXES)
        shape = cursor.numbers("Q", axes)[::-1]
        number, start = cursor.number("I"), cursor.number("Q")
        kind = PLAIN.get(number) or quantised(cursor.thing, number)
        if not is_shape(shape) or not kind.fits(shape):
            need = say("must have a shape that there can be in {kind}").format(kind=kind.name)
            raise broken(thing, need, str(shape))
        yield name, (kind, shape, start)


def _new_name(cursor: Cursor, need: str, taken: Container[str]) -> str:
    name = cursor.text()
    if name in taken:
        raise broken(cursor.thing, need, say("{field} twice").format(field=short_quote(name)))
    return name


def _alignment(thing: str, fields: Fields) -> int:
    step = fields.get("general.alignment", ALIGNMENT)
    if type(step) is not int or not 0 < step <= MOST_ALIGNMENT:
        need = say("must align its tensors at 1 to {most:,} bytes").format(most=MOST_ALIGNMENT)
        raise broken(thing, need, short_quote(str(step)))
    return step


def _check_most(thing: str, what: str, count: int, most: int) -> None:
    if count > most:
        raise LimitError(
            thing,
            say("must have at most {limit:,} {things}").format(limit=most, things=what),
            f"{count:,}",
            say("Save less in one file."),
        )
