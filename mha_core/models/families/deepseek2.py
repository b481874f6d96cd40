"""DeepSeek V2: latents, and experts that a softmax rates. Their groups may be chosen first."""

from __future__ import annotations

from typing import Any, Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_deepseek import ANCHOR, BESIDE, block, mlp_of
from mha_core.models.like_llama import decoder, rms_norm
from mha_core.models.mixtures import groups, router
from mha_core.models.plan import Block, ModelPlan, Router

IN_GROUPS: Final = "group_limited_greedy"


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("norm_topk_prob")  # where codes differ in what it does
    config.must_not("topk_method", "greedy", IN_GROUPS)
    config.must_not("scoring_func", "softmax")
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    mlp = mlp_of(config, names, layer, _router)
    return block(config, names, layer, mlp, pairs="neighbours")


def _router(config: Fields, names: Tensors, place: str) -> Router:
    in_groups = config.word("topk_method", default="greedy") == IN_GROUPS
    more: dict[str, Any] = groups(config, told_by=1) if in_groups else {}
    factor = config.number("routed_scaling_factor", default=1.0)
    return router(config, names, place, is_parted=False, factor=factor, **more)


FAMILY: Final = Family(
    name="DeepSeek V2",
    order=14,
    model_types=("deepseek_v2",),
    anchor=ANCHOR,
    beside=BESIDE,
    plan=plan,
    has_names_of_others=True,
)
