"""Models of every architecture, written by the `gguf` package as its converter writes them.

The names are those of the package itself. What the converter does to numbers is written here anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from gguf.constants import MODEL_ARCH_NAMES

from mha_core import attend
from mha_core.models import open_model
from mha_core.models.gguf_kinds import KINDS
from mha_core.models.renamed import as_hub_names
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded

# The recorded model of each architecture, and what GGUF does not say of it.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("llama-head-size", {}),
    "qwen2": ("qwen2", {}),
    "qwen3": ("qwen3", {}),
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
    "phi3": ("phi3-longrope", {}),
    "starcoder2": ("starcoder2", {}),
    "stablelm": ("stablelm-parallel", {}),
    "olmo": ("olmo", {}),
    "olmo2": ("olmo2", {}),
    "command-r": ("cohere", {}),
    "gpt2": ("gpt2", {}),
    "gptneox": ("gpt-neox-one-after-the-other", {}),
    "falcon": ("falcon", {}),
    "bloom": ("bloom", {}),
    "bert": ("bert", {}),
}
BEFORE = ("", "model.", "transformer.", "gpt_neox.", "bert.")  # names in whole models
ARCH = {name: arch for arch, name in MODEL_ARCH_NAMES.items()}
CLOSE = 1e-5


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


def sizes(config: dict[str, Any]) -> dict[str, Any]:
    def said(*names: str, usual: Any = None) -> Any:
        return next((config[name] for name in names if name in config), usual)

    heads = said("num_attention_heads", "n_head")
    shares_one = config.get("multi_query") and not config.get("new_decoder_architecture")
    return {
        "heads": heads,
        "kv_heads": 1 if shares_one else said("num_key_value_heads", "num_kv_heads", usual=heads),
        "layers": said("num_hidden_layers", "n_layer"),
        "width": said("hidden_size", "n_embd"),
        "inner": said("intermediate_size", "ffn_hidden_size", "n_inner", usual=48),
        "eps": said("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"),
    }


def written(path: Path, kind: str, recorded: Recorded) -> Path:
    """The recorded model as a GGUF file."""
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
    _write_rotation(writer, kind, config, has["width"] // has["heads"])
    names = gguf.get_tensor_name_map(ARCH[kind], has["layers"])
    for name, array in recorded.file.tensors.items():
        found = (names.get_name(before + name, (".weight", ".bias")) for before in BEFORE)
        theirs = next(filter(None, found), None)
        if theirs is not None:  # a pooler has no name there
            made = as_the_converter(kind, name, array, has)
            writer.add_tensor(theirs, np.ascontiguousarray(made))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_rotation(writer: gguf.GGUFWriter, kind: str, config: dict[str, Any], d_k: int) -> None:
    rope = config.get("rope_parameters", {})
    part = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    if part != 1:
        writer.add_rope_dimension_count(int(part * d_k))
    if kind == "gemma3":
        writer.add_rope_freq_base(rope["full_attention"]["rope_theta"])
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["full_attention"]["factor"])
        return
    writer.add_rope_freq_base(rope.get("rope_theta", config.get("rope_theta", 10_000.0)))
    if "short_factor" in rope:
        short = np.array(rope["short_factor"], np.float32)
        writer.add_tensor("rope_factors_short.weight", short)
        longer = config["max_position_embeddings"] / config["original_max_position_embeddings"]
        known = config["original_max_position_embeddings"]
        writer.add_rope_scaling_attn_factors((1 + np.log(longer) / np.log(known)) ** 0.5)
        writer.add_rope_scaling_orig_ctx_len(known)


def test_every_architecture_is_tried() -> None:
    assert [*CASES] == [*KINDS]


@pytest.mark.parametrize("kind", CASES)
def test_it_is_the_same_model_as_its_safetensors(kind: str, tmp_path: Path) -> None:
    name, unsaid = CASES[kind]
    recorded = Recorded(name)
    model = open_model(written(tmp_path / "model.gguf", kind, recorded), unsaid)
    run, hub = model.run(IDS), open_model(recorded.file)
    assert model.family == hub.family
    for layer in range(model.n_layers):
        weights = attend(run.scenario(layer)).weights
        np.testing.assert_allclose(weights, recorded.expected[f"weights{layer}"], atol=CLOSE)
        for matrix in ("w_q", "w_k", "w_v", "w_o"):
            ours, theirs = (getattr(each.weights(layer), matrix) for each in (model, hub))
            np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_allclose(run.result, recorded.expected["result0"], atol=CLOSE, rtol=CLOSE)


def test_the_largest_falcon_has_two_norms_side_by_side(tmp_path: Path) -> None:
    recorded = Recorded("falcon-new")
    model = open_model(written(tmp_path / "model.gguf", "falcon", recorded))
    np.testing.assert_allclose(model.run(IDS).result, recorded.expected["result0"], atol=CLOSE)


@pytest.mark.parametrize(("layers", "is_said"), [(46, True), (26, False)])
def test_the_largest_gemma_2_scales_by_the_width_of_all_heads(layers: int, is_said: bool) -> None:
    sizes = {"block_count": layers, "embedding_length": 4608, "attention.head_count": 32}
    said = {f"gemma2.{field}": value for field, value in sizes.items()}
    config = as_hub_names(Held({}, {"general.architecture": "gemma2", **said})).config
    assert config.get("query_pre_attn_scalar") == (144 if is_said else None)
