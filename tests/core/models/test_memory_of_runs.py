"""What a run takes is known before it: never less than it then takes, and not much more."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from mha_core.io.tensors.opening import open_tensors
from mha_core.models import Model, open_model
from mha_core.models.memory import block_bytes, layer_bytes, run_bytes
from mha_core.models.model import ModelOnText
from mha_core.survey.head_map import heads_on
from tests.core.models.own_model import own_model
from tests.core.models.packed_experts import both_ways

LARGE = 2**29


def llama(path: Path, width: int, heads: int, inner: int, kind: Any) -> Model:
    rng = np.random.default_rng(0)
    shapes = {
        "self_attn.q_proj": (width, width),
        "self_attn.k_proj": (width // 2, width),
        "self_attn.v_proj": (width // 2, width),
        "self_attn.o_proj": (width, width),
        "mlp.up_proj": (inner, width),
        "mlp.gate_proj": (inner, width),
        "mlp.down_proj": (width, inner),
    }
    tensors = {"embed_tokens.weight": np.ones((9, width), kind), "norm.weight": np.ones(width)}
    for layer in range(3):
        for name, shape in shapes.items():
            matrix = rng.standard_normal(shape) / width**0.5
            tensors[f"layers.{layer}.{name}.weight"] = matrix.astype(kind)
        for name in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"layers.{layer}.{name}.weight"] = np.ones(width)
    np.savez(path, **tensors)
    config = {
        **{"model_type": "llama", "hidden_size": width, "num_hidden_layers": 3},
        **{"num_attention_heads": heads, "num_key_value_heads": heads // 2},
        **{"intermediate_size": inner, "rms_norm_eps": 1e-5},
    }
    return open_model(open_tensors(path), config)


@pytest.mark.parametrize("has_first", [True, False])
@pytest.mark.parametrize(
    ("width", "heads", "inner", "tokens", "kept", "kind"),
    [
        (128, 8, 256, 301, LARGE, np.float32),  # the weights of the heads take most
        (256, 4, 512, 11, LARGE, np.float16),  # the matrices take most
        (256, 4, 512, 11, 1, np.float32),  # one block is kept at a time
    ],
)
def test_it_takes_no_more_and_not_much_less(
    tmp_path: Path,
    width: int,
    heads: int,
    inner: int,
    tokens: int,
    kept: int,
    kind: Any,
    has_first: bool,
) -> None:
    model = llama(tmp_path / "model.npz", width, heads, inner, kind)
    model.kept_bytes = kept
    need = model.bytes_for(tokens)
    tracemalloc.start()
    try:
        ids = np.random.default_rng(1).integers(0, 9, tokens).tolist()
        on_text = ModelOnText(model, model.text_of(ids), model.run(ids))
        for _ in heads_on(on_text, has_first=has_first):
            pass
        _, taken = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= need <= 2 * taken


def test_more_tokens_take_more_and_fewer_kept_blocks_less() -> None:
    model = open_model(own_model())
    needs = [run_bytes(model.plan, n_tokens, LARGE) for n_tokens in (1, 2, 7)]
    assert needs == sorted(set(needs))
    assert run_bytes(model.plan, 7, 1) <= needs[-1]
    attention = model.plan.blocks[0].attention
    assert layer_bytes(attention, 5, 7) > layer_bytes(attention, 5, 2)
    assert block_bytes(model.plan.blocks[0], 5) == 4 * (5 * (6 + 6 + 2 + 2) + 8 * 5)


def test_of_experts_one_is_there_at_a_time() -> None:
    model = open_model(both_ways()[0])
    block, width = model.plan.blocks[0], model.width
    alone = replace(block, mlp=None)
    router = block.mlp.router.count * (width + 1)
    assert block_bytes(block, width) == block_bytes(alone, width) + 4 * router
    experts = 4 * 3 * width * block.mlp.width * block.mlp.router.count
    without = run_bytes(replace(model.plan, blocks=(alone, alone)), 3, 1)
    assert 0 < run_bytes(model.plan, 3, 1) - without < experts / 2


def test_a_run_with_packed_experts_takes_no_more_than_is_said(tmp_path: Path) -> None:
    packed, _ = both_ways(256)
    tensors = {
        name: array.astype(np.uint8 if name.endswith(("_blocks", "_scales")) else np.float32)
        for name, array in packed.tensors.items()
    }
    save_file(tensors, tmp_path / "model.safetensors")
    model = open_model(open_tensors(tmp_path / "model.safetensors"), packed.config)
    ids = [3, 1, 4, 1, 5] * 6
    need = model.bytes_for(len(ids))
    model.run(ids[:1]).result.sum()  # what stays after any run, as modules that are imported
    tracemalloc.start()
    try:
        assert model.run(ids).result.shape == (30, 256)
        _, taken = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= need <= 2 * taken
