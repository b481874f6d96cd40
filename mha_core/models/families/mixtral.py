"""Mixtral: Mistral's layers with experts."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import ANCHOR, attention, decoder, norms_before, rms_norm
from mha_core.models.mixtures import experts, router
from mha_core.models.plan import Block, ModelPlan

GATE_UP_DOWN: Final = ("w1", "w3", "w2")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}.block_sparse_moe"
    chooses = router(config, names, place)
    return Block(
        attention(config, names, layer, width),
        experts(config, names, place, chooses, inner_width(config), called=GATE_UP_DOWN),
        norms_before(config, names, layer),
    )


FAMILY: Final = Family(
    name="Mixtral",
    order=21,
    model_types=("mixtral",),
    anchor=ANCHOR,
    beside=("layers.0.block_sparse_moe.gate.weight",),
    plan=plan,
    in_code={".mlp.": ".block_sparse_moe."},
)
