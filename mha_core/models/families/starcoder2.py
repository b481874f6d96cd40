"""StarCoder 2: Llama's attention with LayerNorm and an MLP without a gate."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import ANCHOR, attention, decoder, layer_norm
from mha_core.models.parts import plain_mlp
from mha_core.models.plan import Block, ModelPlan, Norms


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, layer_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    return Block(
        attention(config, names, layer, width),
        plain_mlp(config, names, (f"{place}.mlp.c_fc", f"{place}.mlp.c_proj"), usual="gelu_tanh"),
        Norms(
            attention_in=layer_norm(config, names, f"{place}.input_layernorm"),
            mlp_in=layer_norm(config, names, f"{place}.post_attention_layernorm"),
        ),
    )


FAMILY: Final = Family(
    name="StarCoder 2",
    order=44,
    model_types=("starcoder2",),
    anchor=ANCHOR,
    beside=("layers.0.mlp.c_fc.weight",),
    plan=plan,
)
