"""Our own format: words, positions and attention layers, no norms and no MLP."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, ModelPlan
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames, Stored
from mha_core.scenario.masks import Rule


def plan(config: Fields, names: Tensors) -> ModelPlan:
    n_heads = config.heads("heads", "n_heads")
    width = names.shape("embed")[-1]
    rules = (Rule("causal"),) if config.flag("causal", default=True) else ()
    n_layers = 0
    while f"layers.{n_layers}.w_q" in names:
        n_layers += 1
    return ModelPlan(
        width,
        tuple(_block(names, f"layers.{layer}", n_heads, rules) for layer in range(n_layers)),
        Embedding(names.name("embed"), width, positions=names.given("positions")),
    )


def _block(names: Tensors, place: str, n_heads: int, rules: tuple[Rule, ...]) -> Block:
    w_q, w_k, w_v, w_o = (Stored(names.name(f"{place}.w_{each}")) for each in "qkvo")
    b_q, b_k, b_v, b_o = (
        Stored(names.name(name)) if (name := f"{place}.b_{each}") in names else None
        for each in "qkvo"
    )
    d_k, d_v = (
        width_a_head(names.shape(f"{place}.{each}")[-1], n_heads) for each in ("w_q", "w_v")
    )
    matrices = LayerNames(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o)
    return Block(Attention(matrices, n_heads, n_heads, d_k, d_v, rules=rules))


FAMILY: Final = Family(
    name=say("Attention layers alone"),
    order=5,
    model_types=("attention-only",),
    anchor="layers.0.w_q",
    beside=("embed",),
    plan=plan,
)
