"""AFMoE (Trinity): Qwen3's layers with a gate before W_O, norms on both sides, and experts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    normed_matrices,
    rms_norm,
)
from mha_core.models.mixtures import experts, gated, router
from mha_core.models.plan import Attention, Block, Experts, Mlp, ModelPlan, Norms
from mha_core.models.stored import Stored
from mha_core.models.windows import SLIDING, layer_kind

GATE: Final = "layers.0.self_attn.gate_proj.weight"


def plan(config: Fields, names: Tensors) -> ModelPlan:
    factor = config.width() ** 0.5 if config.flag("mup_enabled", default=False) else 1.0
    return decoder(config, names, _block, rms_norm(config, names, "norm"), factor)


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    norms = Norms(
        attention_in=rms_norm(config, names, f"{place}.input_layernorm"),
        attention_out=rms_norm(config, names, f"{place}.post_attention_layernorm"),
        mlp_in=rms_norm(config, names, f"{place}.pre_mlp_layernorm"),
        mlp_out=rms_norm(config, names, f"{place}.post_mlp_layernorm"),
    )
    return Block(_attention(config, names, layer, width), _mlp(config, names, layer), norms)


def _attention(config: Fields, names: Tensors, layer: int, width: int) -> Attention:
    """Only layers with a window turn."""
    turns = layer_kind(config, layer) == SLIDING
    normed = normed_matrices(config, names, layer, width, "head")
    made = attention(config, names, layer, width, turns=turns, **normed)
    gate = Stored(names.name(f"layers.{layer}.self_attn.gate_proj.weight"), is_transposed=True)
    return replace(made, names=replace(made.names, w_g=gate), d_g=made.d_v)


def _mlp(config: Fields, names: Tensors, layer: int) -> Mlp | Experts:
    place = f"layers.{layer}.mlp"
    if f"{place}.router.gate.weight" not in names:
        return gated_mlp(config, names, layer)
    width = inner_width(config, "moe_intermediate_size")
    chooses = router(
        config,
        names,
        f"{place}.router",
        rating="sigmoid",
        factor=config.number("route_scale", default=1.0),
        correction=Stored(names.name(f"{place}.expert_bias")),
    )
    shared = width * config.whole("num_shared_experts", default=2)
    return experts(
        config,
        names,
        place,
        chooses,
        width,
        shared=gated(config, names, f"{place}.shared_experts", shared),
    )


FAMILY: Final = Family(
    name="AFMoE",
    order=13,
    model_types=("afmoe",),
    anchor=ANCHOR,
    beside=(GATE, "layers.0.pre_mlp_layernorm.weight"),
    plan=plan,
)
