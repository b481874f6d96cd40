"""Phi 3 and 4: Llama's layers with fused matrices."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import attention, decoder, norms_before, rms_norm
from mha_core.models.plan import Block, Mlp, ModelPlan
from mha_core.models.sizes import grouped_heads


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    n_heads, n_kv_heads, d_k = grouped_heads(config, width)
    widths = (n_heads * d_k, n_kv_heads * d_k, n_kv_heads * d_k)
    matrices = fused(names, f"{place}.self_attn.qkv_proj", f"{place}.self_attn.o_proj", widths)
    return Block(
        attention(config, names, layer, width, matrices=matrices, rotated={"usual_part": 1.0}),
        _mlp(config, names, f"{place}.mlp"),
        norms_before(config, names, layer),
    )


def _mlp(config: Fields, names: Tensors, place: str) -> Mlp:
    width = inner_width(config)
    both = f"{place}.gate_up_proj"
    return Mlp(
        names.linear(both, begin=width, end=2 * width),
        names.linear(f"{place}.down_proj"),
        width,
        activation(config, "hidden_act", default="silu"),
        names.linear(both, end=width),
    )


FAMILY: Final = Family(
    name="Phi 3",
    order=43,
    model_types=("phi3",),
    anchor="layers.0.self_attn.qkv_proj.weight",
    beside=("layers.0.mlp.gate_up_proj.weight",),
    plan=plan,
)
