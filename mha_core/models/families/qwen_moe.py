"""Qwen2-MoE and Qwen3-MoE: the layers of Qwen2 or Qwen3, of which some or all have experts."""

from __future__ import annotations

from typing import Any, Final

from mha_core.models.family import Family, Tensors, inner_width
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
from mha_core.models.mixtures import experts, gated, has_router, router
from mha_core.models.plan import Block, Experts, Mlp, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    is_normed = f"layers.{layer}.self_attn.q_norm.weight" in names
    normed = normed_matrices(config, names, layer, width, "head") if is_normed else {}
    return Block(
        attention(config, names, layer, width, **normed),
        _mlp(config, names, layer),
        norms_before(config, names, layer),
    )


def _mlp(config: Fields, names: Tensors, layer: int) -> Mlp | Experts:
    place = f"layers.{layer}.mlp"
    if not has_router(names, place):
        return gated_mlp(config, names, layer)
    is_parted = config.flag("norm_topk_prob", default=False)
    chooses = router(config, names, place, is_parted=is_parted)
    width = inner_width(config, "moe_intermediate_size")
    return experts(config, names, place, chooses, width, **_shared(config, names, place))


def _shared(config: Fields, names: Tensors, place: str) -> dict[str, Any]:
    """What every token passes in Qwen2-MoE."""
    gate = f"{place}.shared_expert_gate"
    if f"{gate}.weight" not in names:
        return {}
    width = inner_width(config, "shared_expert_intermediate_size")
    return {
        "shared": gated(config, names, f"{place}.shared_expert", width),
        "shared_gate": names.linear(gate),
    }


FAMILY: Final = Family(
    name="Qwen MoE",
    order=22,
    model_types=("qwen2_moe", "qwen3_moe"),
    anchor=ANCHOR,
    beside=("layers.0.mlp.gate.weight", "layers.0.input_layernorm.weight"),
    plan=plan,
    has_names_of_others=True,
)
