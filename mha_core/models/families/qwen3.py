"""Qwen3: Llama's layers, with queries and keys of each head normed before they turn."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    normed_matrices,
    norms_before,
    rms_norm,
)
from mha_core.models.plan import Block, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    normed = normed_matrices(config, names, layer, width, "head")
    return Block(
        attention(config, names, layer, width, **normed),
        gated_mlp(config, names, layer),
        norms_before(config, names, layer),
    )


FAMILY: Final = Family(
    name="Qwen3",
    order=18,
    model_types=("qwen3",),
    anchor=ANCHOR,
    beside=("layers.0.self_attn.q_norm.weight", "layers.0.input_layernorm.weight"),
    plan=plan,
)
