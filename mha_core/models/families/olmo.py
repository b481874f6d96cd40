"""OLMo: Llama's layers with norms that have no gain."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import ANCHOR, attention, decoder, gated_mlp
from mha_core.models.plan import Block, ModelPlan, Norm, Norms

NORM: Final = Norm(1e-5)


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("clip_qkv")
    return decoder(config, names, _block, NORM)


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    return Block(
        attention(config, names, layer, width),
        gated_mlp(config, names, layer),
        Norms(attention_in=NORM, mlp_in=NORM),
    )


FAMILY: Final = Family(name="OLMo", order=26, model_types=("olmo",), anchor=ANCHOR, plan=plan)
