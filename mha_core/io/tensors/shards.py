"""A model in several files, with an index that says in which file each tensor is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.text_source import short_quote
from mha_core.io.matrix.array_files import listed
from mha_core.io.tensors.beside import beside, content_of
from mha_core.io.tensors.checked import CheckedTensors, Rows, broken, called, check_count
from mha_core.io.tensors.json_object import json_object
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say

INDEX: Final = ".index.json"
MOST_SHARDS: Final = 512


def shards_in(
    thing: str, index: Path, config: Mapping[str, Any], opened: Callable[[Path], TensorFile]
) -> ShardedTensors:
    """The tensors that an index names, in files that `opened` opens."""
    places = _places(thing, json_object(thing, content_of(thing, index)))
    names = sorted(set(places.values()))
    check_count(thing, len(places))
    _check_files(thing, names, index.name)
    if missing := [name for name in names if not beside(index.parent, name).is_file()]:
        need = say("must stand beside the {count} files that it names").format(count=len(names))
        got = say("no {files}").format(files=listed(missing))
        raise FileError(thing, need, got, say("Load them too, into the same folder."))
    files = {name: opened(index.parent / name) for name in names}
    for tensor, name in places.items():
        if tensor not in files[name].shapes:
            need = say("must be in {file}, as the index says").format(file=short_quote(name))
            raise broken(called(thing, tensor), need, say("no such tensor there"))
    of_tensors = {tensor: files[name] for tensor, name in places.items()}
    return ShardedTensors(thing, of_tensors, config, index.parent)


class ShardedTensors(CheckedTensors):
    """Tensors of several files."""

    def __init__(
        self, thing: str, files: Mapping[str, TensorFile], config: Mapping[str, Any], folder: Path
    ) -> None:
        shapes = {tensor: file.shapes[tensor] for tensor, file in files.items()}
        super().__init__(thing, shapes, config, folder)
        self._files = files

    def _take(self, name: str, rows: Rows | None) -> FloatArray:
        file = self._files[name]
        return file.read(name) if rows is None else file.read_rows(name, rows.tolist())


def _places(thing: str, index: Mapping[str, Any]) -> dict[str, str]:
    """The name of the file of each tensor."""
    match index.get("weight_map"):
        case {**places} if places and all(type(name) is str for name in places.values()):
            return {str(tensor): str(name) for tensor, name in places.items()}
        case _:
            need = say("must say in weight_map in which file each tensor is")
            raise broken(thing, need, say("something else"))


def _check_files(thing: str, names: list[str], index: str) -> None:
    """Refuse files of another kind: so none is an index itself, which could go in a circle."""
    ending = Path(index.removesuffix(INDEX)).suffix
    if wrong := [name for name in names if not name.endswith(ending)]:
        need = say("must name files that end in {ending}").format(ending=ending)
        raise broken(thing, need, listed(wrong))
    if len(names) > MOST_SHARDS:
        need = say("must name at most {limit} files").format(limit=MOST_SHARDS)
        raise broken(thing, need, f"{len(names)}")
