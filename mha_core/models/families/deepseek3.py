"""DeepSeek V3, Kimi K2, GLM 4.7 Flash: latents, and experts that are rated one by one."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_deepseek import ANCHOR, BESIDE, block, mlp_of
from mha_core.models.like_llama import decoder, rms_norm
from mha_core.models.mixtures import groups, router
from mha_core.models.plan import Block, ModelPlan, Router
from mha_core.models.stored import Stored


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("topk_method", "noaux_tc")
    config.must_not("scoring_func", "sigmoid")
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    mlp = mlp_of(config, names, layer, _router)
    in_neighbours = config.flag("rope_interleave", default=True)
    return block(config, names, layer, mlp, pairs="neighbours" if in_neighbours else "halves")


def _router(config: Fields, names: Tensors, place: str) -> Router:
    return router(
        config,
        names,
        place,
        rating="sigmoid",
        is_parted=config.flag("norm_topk_prob", default=True),
        factor=config.number("routed_scaling_factor", default=1.0),
        correction=Stored(names.name(f"{place}.gate.e_score_correction_bias")),
        **groups(config, told_by=2),
    )


FAMILY: Final = Family(
    name="DeepSeek V3",
    order=15,
    model_types=("deepseek_v3", "kimi_k2", "glm4_moe_lite"),
    anchor=ANCHOR,
    beside=BESIDE,
    plan=plan,
    has_names_of_others=True,
)
