"""A file of tensors under other names: GGUF's, told as the hub's files tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import is_whole, need_one_of, short_repr
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.gguf_kinds import FIELDS, KINDS, TWO_NORMS


class Renamed:
    """The tensors of a file under names and with a config of one's own."""

    def __init__(
        self, file: TensorFile, names: Mapping[str, str], config: Mapping[str, Any]
    ) -> None:
        self._file = file
        self._names = names
        self.config = config
        self.shapes = {name: file.shapes[there] for name, there in names.items()}

    @property
    def folder(self) -> Path | None:
        return self._file.folder

    def read(self, name: str) -> FloatArray:
        return self._file.read(self._names[name])

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        return self._file.read_rows(self._names[name], rows)


def with_config(file: TensorFile, config: Mapping[str, Any]) -> TensorFile:
    """The file with these fields beside its own; the same file where there are none."""
    if not config:
        return file
    return Renamed(file, {name: name for name in file.shapes}, {**file.config, **config})


ARCHITECTURE: Final = "general.architecture"
SIZES: Final = ("embedding_length", "attention.head_count", "block_count")
NAME: Final = re.compile(r"(blk\.(\d+)\.)?(\w+)\.(weight|bias)")


def as_hub_names(file: TensorFile) -> TensorFile:
    """The same file with the hub's names, if it has GGUF's."""
    kind = file.config.get(ARCHITECTURE)
    if kind is None:
        return file
    if kind not in KINDS:
        raise FileError(
            say("The file"),
            say("{ways} as its architecture").format(ways=need_one_of(tuple(KINDS))),
            short_repr(kind),
            say("Take the model's safetensors, or map its tensors by hand."),
        )
    scaling = _scaling(file, kind)
    more: dict[str, Any] = {"rope_scaling": scaling} if scaling else {}
    width, heads, layers = (file.config.get(f"{kind}.{field}") for field in SIZES)
    if layers == KINDS[kind].largest and is_whole(width) and is_whole(heads) and heads:
        more["query_pre_attn_scalar"] = width / heads
    return _renamed(file, kind, more)


def _renamed(file: TensorFile, kind: str, more: Mapping[str, Any]) -> TensorFile:
    known, config = KINDS[kind], file.config
    said = {
        name: config[f"{kind}.{field}"]
        for field, names in FIELDS.items()
        if f"{kind}.{field}" in config
        for name in names
    }
    names = {**known.names, **(TWO_NORMS if "blk.0.attn_norm_2.weight" in file.shapes else {})}
    found = {there: NAME.fullmatch(there) for there in file.shapes}
    hub = {
        f"{known.layers}.{parts[2]}." * bool(parts[1]) + f"{names[parts[3]]}.{parts[4]}": there
        for there, parts in found.items()
        if parts and parts[3] in names
    }
    tokens = {name: value for name, value in config.items() if name.startswith("tokenizer.")}
    return Renamed(
        file, hub, {**tokens, **known.says, **said, "model_type": known.model_type, **more}
    )


def _scaling(file: TensorFile, kind: str) -> dict[str, Any]:
    """How the rotation is stretched: by a factor, or of each pair of columns by one of its own."""
    config = file.config
    for name in ("rope_freqs.weight", "rope_factors_short.weight"):
        if name in file.shapes:
            longest = config.get(f"{kind}.context_length", 1)
            return {
                "rope_type": "longrope",
                "short_factor": file.read(name).tolist(),
                "attention_factor": config.get(f"{kind}.rope.scaling.attn_factor", 1.0),
                "original_max_position_embeddings": longest,
            }
    if config.get(f"{kind}.rope.scaling.type") == "linear":
        factor = config.get(f"{kind}.rope.scaling.factor")
        return {"rope_type": "linear", "factor": factor}
    return {}
