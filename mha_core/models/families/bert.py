"""BERT and RoBERTa, and what is made of them, as MiniLM: norms stand after each part."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import of_linears
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL

PADDED: Final = ("roberta", "xlm-roberta", "camembert")  # positions begin behind that of padding


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("position_embedding_type", "absolute")
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-12)
    is_padded = config.word("model_type", default="bert") in PADDED
    place = "embeddings"
    return ModelPlan(
        width,
        tuple(_block(config, names, layer, width, eps) for layer in range(config.layers())),
        Embedding(
            names.name(f"{place}.word_embeddings.weight"),
            width,
            positions=names.name(f"{place}.position_embeddings.weight"),
            first_position=config.whole("pad_token_id", default=1, least=0) + 1 if is_padded else 0,
            kinds=names.given(f"{place}.token_type_embeddings.weight"),
            norm=names.norm(f"{place}.LayerNorm", eps),
        ),
    )


def _block(config: Fields, names: Tensors, layer: int, width: int, eps: float) -> Block:
    place = f"encoder.layer.{layer}"
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    query, key, value = (
        names.linear(f"{place}.attention.self.{each}") for each in ("query", "key", "value")
    )
    return Block(
        Attention(
            of_linears(query, key, value, names.linear(f"{place}.attention.output.dense")),
            n_heads,
            n_heads,
            d_k,
            d_k,
            rules=CAUSAL if config.flag("is_decoder", default=False) else (),
        ),
        Mlp(
            names.linear(f"{place}.intermediate.dense"),
            names.linear(f"{place}.output.dense"),
            inner_width(config),
            activation(config, "hidden_act", default="gelu"),
        ),
        Norms(
            after_attention=names.norm(f"{place}.attention.output.LayerNorm", eps),
            after_mlp=names.norm(f"{place}.output.LayerNorm", eps),
        ),
    )


FAMILY: Final = Family(
    name="BERT",
    order=30,
    model_types=("bert", *PADDED),
    anchor="encoder.layer.0.attention.self.query.weight",
    beside=("embeddings.word_embeddings.weight",),
    plan=plan,
)
