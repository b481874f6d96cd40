"""DistilBERT: BERT's layers under other names."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head

EPS: Final = 1e-12


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("dim")
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"transformer.layer.{layer}", width)
            for layer in range(config.layers("n_layers"))
        ),
        Embedding(
            names.name("embeddings.word_embeddings.weight"),
            width,
            positions=names.name("embeddings.position_embeddings.weight"),
            norm=names.norm("embeddings.LayerNorm", EPS),
        ),
    )


def _block(config: Fields, names: Tensors, place: str, width: int) -> Block:
    n_heads = config.heads("n_heads", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    four = ("q_lin", "k_lin", "v_lin", "out_lin")
    return Block(
        Attention(separate(names, f"{place}.attention", four), n_heads, n_heads, d_k, d_k),
        Mlp(
            names.linear(f"{place}.ffn.lin1"),
            names.linear(f"{place}.ffn.lin2"),
            inner_width(config, "hidden_dim"),
            activation(config, "activation", default="gelu"),
        ),
        Norms(
            after_attention=names.norm(f"{place}.sa_layer_norm", EPS),
            after_mlp=names.norm(f"{place}.output_layer_norm", EPS),
        ),
    )


FAMILY: Final = Family(
    name="DistilBERT",
    order=31,
    model_types=("distilbert",),
    anchor="transformer.layer.0.attention.q_lin.weight",
    plan=plan,
)
