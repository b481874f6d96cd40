"""BLOOM: ALiBi; Q, K and V side by side in each head; the words have a norm."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("apply_residual_connection_post_layernorm")
    width = config.width("n_embed")
    eps = config.number("layer_norm_epsilon", default=1e-5)
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"h.{layer}", width, eps)
            for layer in range(config.layers("n_layer"))
        ),
        Embedding(
            names.name("word_embeddings.weight"),
            width,
            norm=names.norm("word_embeddings_layernorm", eps),
        ),
        names.norm("ln_f", eps),
    )


def _block(config: Fields, names: Tensors, place: str, width: int, eps: float) -> Block:
    n_heads = config.heads("n_head", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    qkv, dense = f"{place}.self_attention.query_key_value", f"{place}.self_attention.dense"
    return Block(
        Attention(
            fused(names, qkv, dense, (d_k, d_k, d_k), groups=n_heads),
            n_heads,
            n_heads,
            d_k,
            d_k,
            ScoreOptions(positions="alibi"),
            CAUSAL,
        ),
        Mlp(
            names.linear(f"{place}.mlp.dense_h_to_4h"),
            names.linear(f"{place}.mlp.dense_4h_to_h"),
            4 * width,
            "gelu_tanh",
        ),
        Norms(
            attention_in=names.norm(f"{place}.input_layernorm", eps),
            mlp_in=names.norm(f"{place}.post_attention_layernorm", eps),
        ),
    )


FAMILY: Final = Family(
    name="BLOOM",
    order=44,
    model_types=("bloom",),
    anchor="h.0.self_attention.query_key_value.weight",
    beside=("word_embeddings_layernorm.weight",),
    plan=plan,
)
