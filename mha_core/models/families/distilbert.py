"""DistilBERT: BERT's layers under other names."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan

EPS: Final = 1e-12
FOUR: Final = ("q_lin", "k_lin", "v_lin", "out_lin")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("dim")
    return model(
        config.layers("n_layers"),
        "transformer.layer",
        partial(_block, config, names, width),
        width,
        Embedding(
            names.name("embeddings.word_embeddings.weight"),
            width,
            positions=names.name("embeddings.position_embeddings.weight"),
            norm=names.norm("embeddings.LayerNorm", EPS),
        ),
    )


def _block(config: Fields, names: Tensors, width: int, place: str) -> Block:
    n_heads = config.heads("n_heads", "num_attention_heads")
    up_and_down = (f"{place}.ffn.lin1", f"{place}.ffn.lin2")
    behind, own = f"{place}.sa_layer_norm", f"{place}.output_layer_norm"
    return Block(
        equal_heads(separate(names, f"{place}.attention", FOUR), n_heads, width),
        plain_mlp(config, names, up_and_down, "hidden_dim", usual="gelu", acts="activation"),
        norms_of(names, EPS, behind, own, are_before=False),
    )


FAMILY: Final = Family(
    name="DistilBERT",
    order=31,
    model_types=("distilbert",),
    anchor="transformer.layer.0.attention.q_lin.weight",
    plan=plan,
)
