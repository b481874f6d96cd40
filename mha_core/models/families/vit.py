"""ViT and DeiT: BERT's names, norms before each part. X comes from patches and must be given."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.language import say
from mha_core.models.families.bert import inner, matrices
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-12)
    block = partial(_block, config, names, width, eps)
    return model(config.layers(), "encoder.layer", block, width, None, names.norm("layernorm", eps))


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    before, own = f"{place}.layernorm_before", f"{place}.layernorm_after"
    return Block(
        equal_heads(matrices(names, place, "attention"), config.heads(), width),
        plain_mlp(config, names, inner(place), usual="gelu"),
        norms_of(names, eps, before, own, are_before=True),
    )


FAMILY: Final = Family(
    name="ViT",
    order=52,
    model_types=("vit", "deit"),
    anchor="encoder.layer.0.attention.attention.query.weight",
    beside=("layernorm.weight",),
    plan=plan,
    in_code={
        "layers.": "encoder.layer.",
        **{"q_proj": "attention.query", "k_proj": "attention.key", "v_proj": "attention.value"},
        "o_proj": "output.dense",
    },
    says=say("Its input comes from pixels, which are not read here: give X, a row for each patch."),
)
