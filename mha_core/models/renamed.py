"""A file of tensors under other names: GGUF's, told as the hub's files tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import is_whole, is_within, need_one_of, short_repr
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.gguf_kinds import (
    BY_SIGMOID,
    FIELDS,
    HARMLESS,
    KINDS,
    SCALING,
    WITHOUT_ENDING,
    Kind,
)
from mha_core.models.joined import with_joined
from mha_core.models.windows import FULL, SLIDING


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


def check_config(config: object) -> Mapping[str, Any]:
    """What a caller gives beside a file or a module: fields by their names, or nothing."""
    if config is None or isinstance(config, Mapping):
        return config or {}
    raise OptionError(
        "config",
        say("must be the fields of a config.json"),
        short_repr(config),
        say('Write config={{"model_type": "llama", ...}}.').format(),
    )


def with_config(file: TensorFile, config: Mapping[str, Any]) -> TensorFile:
    """The file with these fields beside its own; the same file where there are none.

    Newer files say the base of the rotation among others, and where it is given, it counts.
    """
    if not config:
        return file
    own = _without(BASE, file.config) if BASE in config else file.config
    return Renamed(file, {name: name for name in file.shapes}, {**own, **config})


def _without(name: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields without this one, wherever it stands."""
    return {
        key: _without(name, value) if isinstance(value, Mapping) else value
        for key, value in config.items()
        if key != name
    }


BASE: Final = "rope_theta"
ARCHITECTURE: Final = "general.architecture"
SIZES: Final = ("embedding_length", "attention.head_count", "block_count")
NAME: Final = re.compile(r"(enc\.|dec\.|)(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)")
PARTS: Final[Mapping[str, str]] = {"": "", "enc.": "encoder.", "dec.": "decoder."}


def as_hub_names(file: TensorFile) -> TensorFile:
    """The same file with the hub's names, if it has GGUF's."""
    kind = file.config.get(ARCHITECTURE)
    if kind is None:
        return file
    if not isinstance(kind, str) or kind not in KINDS:
        raise FileError(
            say("The file"),
            say("{ways} as its architecture").format(ways=need_one_of(tuple(KINDS))),
            short_repr(kind),
            say("Take the model's safetensors, or map its tensors by hand."),
        )
    names = _hub_names(file, KINDS[kind])
    return with_joined(Renamed(file, names, _hub_config(file, kind, KINDS[kind])))


def _hub_names(file: TensorFile, known: Kind) -> dict[str, str]:
    """The tensors by the hub's names. In a layer, what is not known would do what is not known."""
    names = {"output": "lm_head", **known.names}
    for tensor, others in known.where.items():
        names |= others if tensor in file.shapes else {}
    found = {}
    for there in file.shapes:
        if (parts := NAME.fullmatch(there)) is None:
            continue
        part, layer, name, ending = parts.groups()
        if part + name in names:
            place = f"{known.layers}.{layer}." if layer else ""
            hub = names[part + name]
            end = "" if hub in WITHOUT_ENDING else f".{ending}"
            found[f"{PARTS[part]}{place}{hub}{end}"] = there
        elif layer and name not in HARMLESS:
            raise FileError(
                say("The file"),
                say("must have in its layers only tensors that its architecture is known to have"),
                short_repr(there),
                say("Take the model's safetensors, or map its tensors by hand."),
            )
    return found


def _hub_config(file: TensorFile, kind: str, known: Kind) -> dict[str, Any]:
    """What the hub's config.json would say."""
    config = file.config
    said = {
        name: config[f"{kind}.{field}"]
        for field, names in {**FIELDS, **known.fields}.items()
        if f"{kind}.{field}" in config
        for name in names
    }
    if said.get("sliding_window") == 0:  # so Phi 4 says that it has none
        del said["sliding_window"]
    if scaling := _scaling(file, kind, known):
        said["rope_scaling"] = scaling
    if layer_types := _layer_types(config, kind, known):
        said["layer_types"] = layer_types
    width, heads, layers = (config.get(f"{kind}.{field}") for field in SIZES)
    if layers == known.largest and is_whole(width) and is_whole(heads) and heads:
        said["query_pre_attn_scalar"] = width / heads
    tokens = {name: value for name, value in config.items() if name.startswith("tokenizer.")}
    rated = known.by_sigmoid if config.get(f"{kind}.expert_gating_func") == BY_SIGMOID else {}
    return {**tokens, **known.says, **said, "model_type": known.model_type, **rated}


def _scaling(file: TensorFile, kind: str, known: Kind) -> dict[str, Any]:
    """How the rotation is stretched: by a factor, or of each pair of columns by one of its own."""
    config = file.config
    for name in ("rope_freqs.weight", "rope_factors_short.weight"):
        if name in file.shapes:
            longest = config.get(f"{kind}.context_length", 1)
            of_training = f"{kind}.rope.scaling.original_context_length"
            of_long = "rope_factors_long.weight"
            long = {"long_factor": file.read(of_long).tolist()} if of_long in file.shapes else {}
            return {
                "rope_type": "longrope",
                "short_factor": file.read(name).tolist(),
                "attention_factor": config.get(f"{kind}.rope.scaling.attn_factor", 1.0),
                "original_max_position_embeddings": config.get(of_training, longest),
                **long,
            }
    said = {
        ours: config[f"{kind}.rope.scaling.{theirs}"]
        for theirs, ours in SCALING.items()
        if f"{kind}.rope.scaling.{theirs}" in config
    }
    if said.get("rope_type", "none") == "none":
        return {}
    by: Any = said.get("mscale_all_dim")
    if known.log_multiplier and is_within(by, 0, LIMITS.magnitude):
        # Both are equal in all models of the kind: what turns grows no more than the rest.
        said |= dict.fromkeys(("mscale", "mscale_all_dim"), by * known.log_multiplier)
    return {"mscale": 1.0, **known.scaling, **said}


def _layer_types(config: Mapping[str, Any], kind: str, known: Kind) -> list[str]:
    """Which layers have a window: as the file says, or as is usual; nothing where all are alike."""
    pattern = config.get(f"{kind}.attention.sliding_window_pattern", known.every)
    count = config.get(f"{kind}.block_count")
    if is_whole(pattern) and pattern > 0 and is_whole(count) and 0 < count <= LIMITS.model_layers:
        pattern = [(layer + 1) % pattern != 0 for layer in range(count)]
    return [SLIDING if slides else FULL for slides in pattern] if isinstance(pattern, list) else []
