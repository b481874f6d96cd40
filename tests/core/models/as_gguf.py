"""Recorded models as GGUF files, written by the `gguf` package as its converter writes them.

The names are those of the package itself. What the converter does to numbers is written here anew.
GPT-J has names there, but no converter of llama.cpp: its numbers are moved by none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import gguf
import numpy as np
from gguf.constants import MODEL_ARCH_NAMES

from tests.core.models.recorded_models import Recorded

# The recorded model of each architecture, and what GGUF does not say of it.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("llama-head-size", {}),
    "qwen2": ("qwen2", {}),
    "qwen3": ("qwen3", {}),
    "qwen2moe": ("qwen2-moe", {}),
    "qwen3moe": ("qwen3-moe", {}),
    "olmoe": ("olmoe", {}),
    "deepseek2": ("deepseek-v3", {}),
    "minicpm3": ("minicpm3", {}),
    "gemma": ("gemma", {}),
    "gemma2": ("gemma2", {"query_pre_attn_scalar": 5}),
    "gemma3": (
        "gemma3",
        {
            "query_pre_attn_scalar": 5,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        },
    ),
    "phi2": ("phi", {}),
    "phi3": ("phi3-longrope-long", {}),
    "starcoder2": ("starcoder2", {}),
    "stablelm": ("stablelm-parallel", {}),
    "olmo": ("olmo", {}),
    "olmo2": ("olmo2", {}),
    "command-r": ("cohere", {}),
    "gpt-oss": ("gpt-oss", {}),
    "gpt2": ("gpt2", {}),
    "gptj": ("gptj", {}),
    "gptneox": ("gpt-neox-one-after-the-other", {}),
    "falcon": ("falcon", {}),
    "bloom": ("bloom", {}),
    "bert": ("bert", {}),
    "t5": ("t5-whole", {}),
    "t5encoder": ("t5-gated", {}),
}
BEFORE = ("", "model.", "transformer.", "gpt_neox.", "bert.")  # names in whole models
ARCH = {name: arch for arch, name in MODEL_ARCH_NAMES.items()}


def as_the_converter(kind: str, name: str, array: Any, config: dict[str, Any]) -> Any:
    """The numbers of a tensor as llama.cpp's converter writes them."""
    heads, kv_heads = config["heads"], config["kv_heads"]
    if kind in ("llama", "olmo") and (".q_proj" in name or ".k_proj" in name):
        count = heads if ".q_proj" in name else kv_heads
        pairs = array.reshape(count, 2, -1, *array.shape[1:])
        return pairs.swapaxes(1, 2).reshape(array.shape)
    if kind.startswith("gemma") and name.endswith("norm.weight"):
        return array + np.float32(1)
    if kind == "gpt2" and ".c_" in name and array.ndim == 2:
        return array.T
    if kind in ("falcon", "gptneox", "bloom") and "query_key_value" in name:
        groups = kv_heads if kind == "falcon" else heads
        parted = array.reshape(groups, heads // groups + 2, -1, *array.shape[1:])
        parts = (parted[:, :-2], parted[:, -2:-1], parted[:, -1:])
        return np.concatenate([part.reshape(-1, *array.shape[1:]) for part in parts])
    return array


def converted(
    kind: str, name: str, array: Any, config: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """A tensor as the converter writes it, under the name that it looks up. Some become two."""
    if name.endswith("e_score_correction_bias"):
        yield name.replace("_bias", ".bias"), array
        return
    if ".experts." not in name or kind != "gpt-oss":
        yield name, as_the_converter(kind, name, array, config)
        return
    name, is_bias = name.removesuffix("_bias"), name.endswith("_bias")
    ending = "bias" if is_bias else "weight"
    rows = array if is_bias else array.swapaxes(1, 2)  # a row for each output
    if name.endswith("gate_up_proj"):
        yield name.replace("gate_up", "gate") + f".{ending}", rows[:, ::2]
        yield name.replace("gate_up", "up") + f".{ending}", rows[:, 1::2]
    else:
        yield f"{name}.{ending}", rows


def sizes(config: dict[str, Any]) -> dict[str, Any]:
    def said(*names: str, usual: Any = None) -> Any:
        return next((config[name] for name in names if name in config), usual)

    heads = said("num_attention_heads", "n_head", "num_heads")
    shares_one = config.get("multi_query") and not config.get("new_decoder_architecture")
    return {
        "heads": heads,
        "kv_heads": 1 if shares_one else said("num_key_value_heads", "num_kv_heads", usual=heads),
        "layers": said("num_hidden_layers", "n_layer", "num_layers"),
        "width": said("hidden_size", "n_embd", "d_model"),
        "inner": said("intermediate_size", "ffn_hidden_size", "n_inner", "d_ff", usual=48),
        "eps": said("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"),
    }


def written(
    path: Path,
    kind: str,
    recorded: Recorded,
    more: Mapping[str, Any] = MappingProxyType({}),
    says: Mapping[str, Any] = MappingProxyType({}),
) -> Path:
    """The recorded model as a GGUF file, with more tensors and with more fields."""
    config = recorded.config
    has = sizes(config)
    writer = gguf.GGUFWriter(path, kind)
    writer.add_block_count(has["layers"])
    writer.add_embedding_length(has["width"])
    writer.add_feed_forward_length(has["inner"])
    writer.add_head_count(has["heads"])
    writer.add_head_count_kv(has["kv_heads"])
    is_rms = "rms_norm_eps" in config
    (writer.add_layer_norm_rms_eps if is_rms else writer.add_layer_norm_eps)(has["eps"] or 1e-5)
    writer.add_context_length(config.get("max_position_embeddings", 64))
    if "head_dim" in config:
        writer.add_key_length(config["head_dim"])
    if "sliding_window" in config:
        writer.add_sliding_window(config["sliding_window"])
    if "attn_logit_softcapping" in config:
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
    if "use_parallel_residual" in config:
        writer.add_parallel_residual(config["use_parallel_residual"])
    if "num_experts_per_tok" in config:
        _write_experts(writer, config)
    if kind in ("t5", "t5encoder"):
        writer.add_key_length(config["d_kv"])
        writer.add_relative_attn_buckets_count(config["relative_attention_num_buckets"])
        writer.add_decoder_block_count(config["num_decoder_layers"])
        writer.add_decoder_start_token_id(config["pad_token_id"])
    else:
        _write_rotation(writer, kind, config, has["width"] // has["heads"])
    if "kv_lora_rank" in config:
        _write_latents(writer, config)
    names = gguf.get_tensor_name_map(ARCH[kind], max(has["layers"], 3))
    for hub, array in with_stacked_experts(recorded.file.tensors).items():
        for name, made in converted(kind, hub, array, has):
            ended = name if name.endswith((".weight", ".bias")) else f"{name}.weight"
            found = (names.get_name(before + ended, (".weight", ".bias")) for before in BEFORE)
            theirs = next(filter(None, found), None)
            if theirs is not None:  # a pooler has no name there
                writer.add_tensor(theirs, np.ascontiguousarray(made))
    for name, array in more.items():
        writer.add_tensor(name, array)
    for field, value in says.items():
        writer.add_key_value(f"{kind}.{field}", value, *_type_of(value))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def with_stacked_experts(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors with one for all experts of a layer, where the hub has one for each."""
    stacked: dict[str, Any] = {}
    for name, array in tensors.items():
        place, number, what = re.fullmatch(r"(.*experts\.|)(\d+\.|)(.*)", name).groups()  # type: ignore[union-attr] # it always fits
        if place and number:
            stacked.setdefault(place + what, []).append(array)
        else:
            stacked[name] = array
    return {name: np.array(array) for name, array in stacked.items()}


def _write_experts(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    said = ("n_routed_experts", "num_experts", "num_local_experts")
    writer.add_expert_count(next(config[name] for name in said if name in config))
    writer.add_expert_used_count(config["num_experts_per_tok"])
    inner = config.get("moe_intermediate_size", config["intermediate_size"])
    writer.add_expert_feed_forward_length(inner)
    if "shared_expert_intermediate_size" in config:
        writer.add_expert_shared_feed_forward_length(config["shared_expert_intermediate_size"])


def _write_latents(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    """What the converter says of layers with latents, beside what it says of all."""
    turning, still = config["qk_rope_head_dim"], config["qk_nope_head_dim"]
    writer.add_key_length(turning + still)
    writer.add_value_length(config["v_head_dim"])
    writer.add_rope_dimension_count(turning)
    writer.add_kv_lora_rank(config["kv_lora_rank"])
    if config.get("q_lora_rank"):
        writer.add_q_lora_rank(config["q_lora_rank"])
    if "n_shared_experts" not in config:
        return
    writer.add_expert_shared_count(config["n_shared_experts"])
    writer.add_expert_weights_scale(config["routed_scaling_factor"])
    writer.add_expert_weights_norm(config["norm_topk_prob"])
    kinds = gguf.ExpertGatingFuncType
    is_third = config["model_type"] == "deepseek_v3"
    writer.add_expert_gating_func(kinds.SIGMOID if is_third else kinds.SOFTMAX)
    if config.get("n_group"):
        writer.add_expert_group_count(config["n_group"])
        writer.add_expert_group_used_count(config["topk_group"])
    if "mscale_all_dim" in config["rope_parameters"]:
        writer.add_rope_scaling_yarn_log_mul(0.1 * config["rope_parameters"]["mscale_all_dim"])


def _type_of(value: Any) -> tuple[gguf.GGUFValueType, gguf.GGUFValueType | None]:
    """That of the value; of a list, that of its items too."""
    if isinstance(value, list):
        return gguf.GGUFValueType.ARRAY, gguf.GGUFValueType.get_type(value[0])
    return gguf.GGUFValueType.get_type(value), None


def _write_rotation(writer: gguf.GGUFWriter, kind: str, config: dict[str, Any], d_k: int) -> None:
    rope = config.get("rope_parameters", {})
    part = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    if part != 1 or "rotary_dim" in config:
        writer.add_rope_dimension_count(config.get("rotary_dim", int(part * d_k)))
    if kind == "gemma3":
        writer.add_rope_freq_base(rope["full_attention"]["rope_theta"])
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["full_attention"]["factor"])
        return
    rope = rope.get("full_attention", rope)
    writer.add_rope_freq_base(rope.get("rope_theta", config.get("rope_theta", 10_000.0)))
    if rope.get("rope_type") == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        if "beta_fast" in rope:
            writer.add_rope_scaling_yarn_beta_fast(rope["beta_fast"])
            writer.add_rope_scaling_yarn_beta_slow(rope["beta_slow"])
    if "short_factor" in rope:
        for each in ("short", "long"):
            factors = np.array(rope[f"{each}_factor"], np.float32)
            writer.add_tensor(f"rope_factors_{each}.weight", factors)
        known = {**rope, **config}["original_max_position_embeddings"]
        longer = config["max_position_embeddings"] / known
        writer.add_rope_scaling_attn_factors((1 + np.log(longer) / np.log(known)) ** 0.5)
        writer.add_rope_scaling_orig_ctx_len(known)
