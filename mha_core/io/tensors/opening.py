"""A file or a folder of tensors is opened by its name, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from mha_core.checks.errors import FileError
from mha_core.checks.text_source import short_quote
from mha_core.checks.values import short_repr
from mha_core.io.matrix.array_files import listed
from mha_core.io.matrix.other_kinds import not_read
from mha_core.io.tensors.beside import check_is_file, config_beside, not_readable
from mha_core.io.tensors.gguf_file import gguf_in
from mha_core.io.tensors.kinds import Bytes
from mha_core.io.tensors.npz_tensors import npz_in
from mha_core.io.tensors.other_models import OTHER_MODELS, TORCH_TYPES
from mha_core.io.tensors.safetensors_file import safetensors_in
from mha_core.io.tensors.shards import INDEX, shards_in
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.io.tensors.torch_file import torch_in
from mha_core.language import say

FORMATS: Final = {".safetensors": safetensors_in, ".gguf": gguf_in, ".npz": npz_in}
TENSOR_FILE_TYPES: Final = tuple(FORMATS)
POINTER: Final = b"version https://git-lfs."  # a few lines, where Git keeps the file elsewhere

# What a folder is searched for, the likeliest first.
MODELS: Final = (
    "model.safetensors",
    f"*.safetensors{INDEX}",
    *(f"*{ending}" for ending in TENSOR_FILE_TYPES),
)
MODELS_OF_TORCH: Final = (
    "pytorch_model.bin",
    f"*.bin{INDEX}",
    *(f"*{ending}" for ending in TORCH_TYPES),
)


def open_tensors(path: Path | str, *, own_machine: bool = False) -> TensorFile:
    """The tensors in a file that is mapped, of a model in several files, or of a folder of one.

    On one's own machine PyTorch's files are read too, if PyTorch is installed.
    """
    path = Path(path)
    if path.is_dir():
        path = _model_in(path)
    return _opened(path, config_beside(path.parent), own_machine=own_machine)


def tensors_in(source: TensorFile | Path | str, *, own_machine: bool = False) -> TensorFile:
    """Those of a file or a folder, or tensors that are open already."""
    if isinstance(source, str | Path) and str(source):
        return open_tensors(Path(source).expanduser(), own_machine=own_machine)
    if all(hasattr(source, name) for name in ("shapes", "config", "read", "read_rows")):
        return cast("TensorFile", source)
    raise FileError(
        say("The source"),
        say("must be the path of a file or a folder, or tensors that are open"),
        short_repr(source),
        say("Write open_model('model.safetensors'). A module of PyTorch is read by capture(...)."),
    )


def tensors_of(name: str, data: bytes) -> TensorFile:
    """The tensors in an upload of this name. Nothing is written to disk."""
    ending = _ending(name)
    if ending not in FORMATS:
        raise not_read(name, TENSOR_FILE_TYPES, kinds=OTHER_MODELS)
    return _tensors_in(ending, _called(name), np.frombuffer(data, np.uint8), None, {})


def _opened(path: Path, config: Mapping[str, Any], *, own_machine: bool) -> TensorFile:
    thing = _called(path.name)
    ending = _ending(path.name.removesuffix(INDEX))
    if ending not in FORMATS and not (ending in TORCH_TYPES and own_machine):
        raise not_read(path.name, TENSOR_FILE_TYPES, kinds=OTHER_MODELS)
    check_is_file(thing, path)
    if path.name.endswith(INDEX):
        return shards_in(
            thing, path, config, lambda shard: _opened(shard, {}, own_machine=own_machine)
        )
    if ending in TORCH_TYPES:
        return torch_in(thing, path, config)
    return _tensors_in(ending, thing, _mapped(thing, path), path.parent, config)


def _tensors_in(
    ending: str, thing: str, data: Bytes, folder: Path | None, config: Mapping[str, Any]
) -> TensorFile:
    if data[: len(POINTER)].tobytes() == POINTER:
        raise FileError(
            thing,
            say("must hold the numbers of a model"),
            say("the few lines that Git LFS leaves in their place"),
            say("Run git lfs pull, or load the file again."),
        )
    return FORMATS[ending](thing, data, folder, config)


def _model_in(folder: Path) -> Path:
    """The one model in a folder."""
    thing = say("The folder {folder}").format(folder=short_quote(folder.name))
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise not_readable(thing, error) from error
    for wanted in (*MODELS, *MODELS_OF_TORCH):
        found = [name for name in names if fnmatch(name, wanted)]
        if len(found) > 1:
            need, way_out = say("must hold one model"), say("Give the path of one of these files.")
            raise FileError(thing, need, listed(found), way_out)
        if found:
            return folder / found[0]
    need = say("must hold a model in a file of the types {endings}").format(
        endings=", ".join(TENSOR_FILE_TYPES)
    )
    got = listed(names) or say("nothing")
    raise FileError(thing, need, got, say("Give the path of the file."))


def _mapped(thing: str, path: Path) -> Bytes:
    """The bytes of a file, which the system reads when they are looked at."""
    try:
        if path.stat().st_size == 0:  # nothing to map
            return np.empty(0, np.uint8)
        return np.asarray(np.memmap(path, np.uint8, "r"))
    except OSError as error:
        raise not_readable(thing, error) from error


def _ending(name: str) -> str:
    _, dot, ending = name.rpartition(".")
    return dot + ending.lower()


def _called(name: str) -> str:
    return say("The file {file}").format(file=short_quote(name))
