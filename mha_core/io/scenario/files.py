"""A scenario as a file of either kind: .npz for numbers, .json for people.

A .npz that somebody else wrote may hold a layer too: see `layer_file.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from typing import Final, NamedTuple

from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FileError, MhaError
from mha_core.checks.text_source import short_quote
from mha_core.checks.values import short_repr
from mha_core.io.matrix.array_files import TEXT, kind_of, listed, not_as_named
from mha_core.io.matrix.other_kinds import not_read
from mha_core.io.scenario.layer_file import LayerInFile, layer_in_file
from mha_core.io.scenario.npz_file import is_saved_scenario
from mha_core.io.scenario.stack_files import (
    check_fits_json,
    check_fits_npz,
    stack_from_json,
    stack_from_npz,
    stack_to_json,
    stack_to_npz,
)
from mha_core.language import say, say_number
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack


class _Kind(NamedTuple):
    content: str  # what the first bytes of such a file say it is
    read: Callable[[bytes], Stack]
    write: Callable[[Stack], bytes]
    check_fits: Callable[[Stack], None]


_ARCHIVE: Final = kind_of(b"PK\x03\x04")
_KINDS: Final = {
    ".npz": _Kind(_ARCHIVE, stack_from_npz, stack_to_npz, check_fits_npz),
    ".json": _Kind(
        TEXT, stack_from_json, lambda stack: stack_to_json(stack).encode(), check_fits_json
    ),
}
SCENARIO_FILE_TYPES: Final = tuple(_KINDS)
FileName = str | PathLike[str]


def read_scenario(data: bytes, name: FileName, *, n_heads: int = 0) -> Scenario:
    """The scenario in a file with this name. Errors say what a file of that kind must be.

    `n_heads` is for a layer that somebody else has saved: its file seldom says it.
    """
    found = open_file(data, name)
    if isinstance(found, Scenario):
        return found
    if isinstance(found, Stack):
        raise FileError(
            say("The file {file}").format(file=short_quote(_text_of(name))),
            say("must hold one layer, without a prediction"),
            say_number("{count} layer", "{count} layers", len(found.layers)).format(
                count=len(found.layers)
            ),
            say("Read it with read_stack."),
        )
    if "layer" in found.asks:
        way_out = say("Choose one: open_file(...).of_layer(...).")
        raise FileError(
            say("The file {file}").format(file=short_quote(_text_of(name))),
            say("must hold one layer"),
            listed([*found.layers]),
            way_out,
        )
    return found.scenario(n_heads=n_heads)


def read_stack(data: bytes, name: FileName) -> Stack:
    """All layers in a file with this name; of a file of one layer, it alone."""
    found = open_file(data, name)
    return found if isinstance(found, Stack) else as_stack(read_scenario(data, name))


def open_file(data: bytes, name: FileName) -> Scenario | Stack | LayerInFile:
    """A saved scenario, several layers, or a layer about which a person may have to say more."""
    kind, thing = _kind_by(name), say("The file {file}").format(file=short_quote(_text_of(name)))
    if not isinstance(data, bytes):
        raise FileError(
            thing,
            say("must be given as its bytes"),
            type(data).__name__,
            say("Write Path(name).read_bytes()."),
        )
    content = kind_of(data[:100]) if data else say("nothing")
    if content != kind.content:
        raise not_as_named(thing, kind.content, content)
    if content == _ARCHIVE and not is_saved_scenario(data):
        return layer_in_file(data)
    stack = kind.read(data)
    return stack.first if stack.is_one_layer else stack


def write_stack(stack: Stack | Scenario, name: FileName) -> bytes:
    """A file that `read_stack` reads back to the last bit; of one layer, the scenario's file."""
    return _kind_by(name).write(as_stack(stack))


def write_scenario(s: Scenario, name: FileName) -> bytes:
    """A file that `read_scenario` reads back to the last bit. The name says its kind."""
    return write_stack(s, name)


def why_not_held(stack: Stack, name: str) -> str:
    """Why a file with this name cannot hold the layers; "" if it can. Nothing is written."""
    try:
        _kind_by(name).check_fits(stack)
    except MhaError as error:
        return str(error)
    return ""


def _kind_by(name: FileName) -> _Kind:
    text = _text_of(name)
    _, dot, ending = text.rpartition(".")
    kind = _KINDS.get(dot + ending.lower())
    if kind is None:
        raise not_read(text, SCENARIO_FILE_TYPES)
    return kind


def _text_of(name: object) -> str:
    if isinstance(name, str | PathLike):
        return fspath(name)
    need = say("must be a text, such as layer.npz")
    way_out = say("Its ending says the kind of file.")
    raise FileError(say("The name of the file"), need, short_repr(name), way_out)
