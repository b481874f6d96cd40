"""OLMoE: Llama's layers with experts; queries and keys are normed over all heads."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    normed_matrices,
    norms_before,
    rms_norm,
)
from mha_core.models.mixtures import experts, router
from mha_core.models.plan import Block, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("clip_qkv")
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}.mlp"
    is_parted = config.flag("norm_topk_prob", default=False)
    chooses = router(config, names, place, is_parted=is_parted)
    return Block(
        attention(
            config, names, layer, width, **normed_matrices(config, names, layer, width, "all")
        ),
        experts(config, names, place, chooses, inner_width(config)),
        norms_before(config, names, layer),
    )


FAMILY: Final = Family(
    name="OLMoE",
    order=23,
    model_types=("olmoe",),
    anchor=ANCHOR,
    beside=("layers.0.self_attn.q_norm.weight", "layers.0.mlp.gate.weight"),
    plan=plan,
    has_names_of_others=True,
)
