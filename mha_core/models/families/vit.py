"""ViT and DeiT: BERT's names, norms before each part. X comes from patches and must be given."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.attention_names import of_linears
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-12)
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"encoder.layer.{layer}", width, eps)
            for layer in range(config.layers())
        ),
        None,
        names.norm("layernorm", eps),
    )


def _block(config: Fields, names: Tensors, place: str, width: int, eps: float) -> Block:
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    query, key, value = (
        names.linear(f"{place}.attention.attention.{each}") for each in ("query", "key", "value")
    )
    four = of_linears(query, key, value, names.linear(f"{place}.attention.output.dense"))
    return Block(
        Attention(four, n_heads, n_heads, d_k, d_k),
        Mlp(
            names.linear(f"{place}.intermediate.dense"),
            names.linear(f"{place}.output.dense"),
            inner_width(config),
            activation(config, "hidden_act", default="gelu"),
        ),
        Norms(
            attention_in=names.norm(f"{place}.layernorm_before", eps),
            mlp_in=names.norm(f"{place}.layernorm_after", eps),
        ),
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
