"""ALBERT: layers of a group are tied, they have the same weights; words have fewer columns."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-12)
    n_layers = config.layers()
    n_groups = config.whole("num_hidden_groups", default=1, most=n_layers)
    n_inner = config.whole("inner_group_num", default=1, most=LIMITS.model_layers)
    columns = config.whole("embedding_size", default=128, most=LIMITS.width)
    place = "embeddings"
    return ModelPlan(
        width,
        tuple(
            _block(config, names, layer * n_groups // n_layers, inner, width, eps)
            for layer in range(n_layers)
            for inner in range(n_inner)
        ),
        Embedding(
            names.name(f"{place}.word_embeddings.weight"),
            columns,
            positions=names.name(f"{place}.position_embeddings.weight"),
            kinds=names.given(f"{place}.token_type_embeddings.weight"),
            norm=names.norm(f"{place}.LayerNorm", eps),
            into_width=names.linear("encoder.embedding_hidden_mapping_in"),
        ),
    )


def _block(config: Fields, names: Tensors, group: int, inner: int, width: int, eps: float) -> Block:
    place = f"encoder.albert_layer_groups.{group}.albert_layers.{inner}"
    matrices = separate(names, f"{place}.attention", ("query", "key", "value", "dense"))
    up_and_down = (f"{place}.ffn", f"{place}.ffn_output")
    behind, own = f"{place}.attention.LayerNorm", f"{place}.full_layer_layer_norm"
    return Block(
        equal_heads(matrices, config.heads(), width),
        plain_mlp(config, names, up_and_down, usual="gelu_new"),
        norms_of(names, eps, behind, own, are_before=False),
    )


FAMILY: Final = Family(
    name="ALBERT",
    order=32,
    model_types=("albert",),
    anchor="encoder.albert_layer_groups.0.albert_layers.0.attention.query.weight",
    plan=plan,
)
