"""MiniCPM 3: latents as in DeepSeek V2, an MLP for all tokens, and factors on what is added."""

from __future__ import annotations

import math
from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_deepseek import ANCHOR, BESIDE, block
from mha_core.models.like_llama import decoder, gated_mlp, rms_norm
from mha_core.models.plan import Block, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    last = rms_norm(config, names, "norm")
    return decoder(config, names, _block, last, config.number("scale_emb", default=1.0))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    mlp, root = gated_mlp(config, names, layer), math.sqrt(config.layers())
    factor = config.number("scale_depth", default=root) / root
    return block(config, names, layer, mlp, pairs="halves", factor=factor)


FAMILY: Final = Family(
    name="MiniCPM 3",
    order=16,
    model_types=("minicpm3",),
    anchor=ANCHOR,
    beside=BESIDE,
    plan=plan,
    has_names_of_others=True,
)
