"""BLOOM: ALiBi; Q, K and V side by side in each head; the words have a norm."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, norms_of
from mha_core.models.plan import Block, Embedding, Mlp, ModelPlan
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("apply_residual_connection_post_layernorm")
    width = config.width("n_embed")
    eps = config.number("layer_norm_epsilon", default=1e-5)
    of_words = names.norm("word_embeddings_layernorm", eps)
    return model(
        config.layers("n_layer"),
        "h",
        partial(_block, config, names, width, eps),
        width,
        Embedding(names.name("word_embeddings.weight"), width, norm=of_words),
        names.norm("ln_f", eps),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    n_heads = config.heads("n_head", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    qkv, dense = f"{place}.self_attention.query_key_value", f"{place}.self_attention.dense"
    are_apart = config.flag("qkv_apart", default=False)  # as GGUF stores them
    widths = (d_k, d_k, d_k)
    matrices = fused(names, qkv, dense, widths, groups=n_heads, are_apart=are_apart)
    up, down = (names.linear(f"{place}.mlp.{each}") for each in ("dense_h_to_4h", "dense_4h_to_h"))
    before, own = f"{place}.input_layernorm", f"{place}.post_attention_layernorm"
    return Block(
        equal_heads(matrices, n_heads, width, scores=ScoreOptions(positions="alibi"), rules=CAUSAL),
        Mlp(up, down, 4 * width, "gelu_tanh"),
        norms_of(names, eps, before, own, are_before=True),
    )


FAMILY: Final = Family(
    name="BLOOM",
    order=44,
    model_types=("bloom",),
    anchor="h.0.self_attention.query_key_value.weight",
    beside=("word_embeddings_layernorm.weight",),
    plan=plan,
)
