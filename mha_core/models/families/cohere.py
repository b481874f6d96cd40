"""Command R: Llama's names, but pairs of neighbours turn, and the parts work side by side.

Command R+ norms queries and keys by a LayerNorm, with gains of each head.
"""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    layer_norm,
    layer_normed_matrices,
)
from mha_core.models.plan import Block, ModelPlan, Norms
from mha_core.models.windows import FULL, layer_kind

Q_NORM: Final = "self_attn.q_norm"


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, layer_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    norm = layer_norm(config, names, f"layers.{layer}.input_layernorm")
    sees_all = layer_kind(config, layer) == FULL  # such layers of Command R7B turn none
    is_normed = config.flag("use_qk_norm", default=f"layers.{layer}.{Q_NORM}.weight" in names)
    of = ("q_norm", "k_norm")
    normed = layer_normed_matrices(config, names, layer, width, of) if is_normed else {}
    rotated = {"pairs": "neighbours"}
    return Block(
        attention(config, names, layer, width, turns=not sees_all, rotated=rotated, **normed),
        gated_mlp(config, names, layer),
        Norms(attention_in=norm, mlp_in=norm),
        is_parallel=True,
    )


FAMILY: Final = Family(
    name="Command R", order=28, model_types=("cohere", "cohere2"), anchor=ANCHOR, plan=plan
)
