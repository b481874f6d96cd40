"""A file of tensors under other names: GGUF's, told as the hub's files tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import need_one_of, short_repr
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say


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
# The kinds of GGUF files that are read; what each stands for; whether its converter has moved the
# columns of Q and K that turn together side by side.
KINDS: Final = {"llama": ("llama", True), "qwen2": ("qwen2", False)}
FIELDS: Final = {
    "block_count": "num_hidden_layers",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "attention.sliding_window": "sliding_window",
    "context_length": "max_position_embeddings",
    "rope.freq_base": "rope_theta",
}
NAMES: Final = {
    "token_embd": "embed_tokens",
    "output_norm": "norm",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_down": "mlp.down_proj",
}
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
    if "rope_freqs.weight" in file.shapes:
        return _with_stretched_waves(file, kind)
    return _renamed(file, kind, {})


def _renamed(file: TensorFile, kind: str, more: Mapping[str, Any]) -> TensorFile:
    model_type, in_neighbours = KINDS[kind]
    said = {
        name: file.config[f"{kind}.{field}"]
        for field, name in FIELDS.items()
        if f"{kind}.{field}" in file.config
    }
    config = {
        **{name: value for name, value in file.config.items() if name.startswith("tokenizer.")},
        **said,
        "model_type": model_type,
        "stored_in_neighbours": in_neighbours,
        **more,
    }
    names = {}
    for there in file.shapes:
        if (found := NAME.fullmatch(there)) and found[3] in NAMES:
            place = f"layers.{found[2]}." if found[1] else ""
            names[f"{place}{NAMES[found[3]]}.{found[4]}"] = there
    return Renamed(file, names, config)


def _with_stretched_waves(file: TensorFile, kind: str) -> TensorFile:
    """Llama 3.1 in GGUF: a tensor says by how much each pair of columns turns slower."""
    factors = file.read("rope_freqs.weight").tolist()
    longest = file.config.get(f"{kind}.context_length", 1)
    scaling = {
        "rope_type": "longrope",
        "short_factor": factors,
        "attention_factor": 1.0,
        "original_max_position_embeddings": longest,
    }
    return _renamed(file, kind, {"rope_scaling": scaling})
