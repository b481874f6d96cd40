"""Falcon: Q, K and V in one matrix, laid out in three ways; its parts may work side by side."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.checks.values import check_head_groups
from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import model, plain_mlp, turning_heads
from mha_core.models.plan import Block, Embedding, ModelPlan, Norms
from mha_core.models.sizes import width_a_head


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("alibi")
    width = config.width()
    eps = config.number("layer_norm_epsilon", default=1e-5)
    return model(
        config.layers("n_layer"),
        "h",
        partial(_block, config, names, width, eps),
        width,
        Embedding(names.name("word_embeddings.weight"), width),
        names.norm("ln_f", eps),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    n_heads = config.heads("num_attention_heads", "n_head")
    n_kv_heads = _kv_heads(config, n_heads)
    d_k = width_a_head(width, n_heads)
    qkv, dense = f"{place}.self_attention.query_key_value", f"{place}.self_attention.dense"
    # Each group has its query heads, then its key, then its value: with one group that is
    # multi-query attention, with a group a head it is as in GPT-NeoX.
    are_apart = config.flag("qkv_apart", default=False)  # as GGUF stores them
    widths = (n_heads // n_kv_heads * d_k, d_k, d_k)
    matrices = fused(names, qkv, dense, widths, groups=n_kv_heads, are_apart=are_apart)
    up_and_down = (f"{place}.mlp.dense_h_to_4h", f"{place}.mlp.dense_4h_to_h")
    is_parallel = config.flag("new_decoder_architecture", default=False) or config.flag(
        "parallel_attn", default=True
    )
    return Block(
        turning_heads(config, matrices, (n_heads, n_kv_heads, d_k), usual_part=None),
        plain_mlp(
            config,
            names,
            up_and_down,
            "ffn_hidden_size",
            usual="gelu",
            acts="activation",
            width=4 * width,
        ),
        _norms(names, place, eps, is_parallel=is_parallel),
        is_parallel=is_parallel,
    )


def _kv_heads(config: Fields, n_heads: int) -> int:
    if config.flag("new_decoder_architecture", default=False):
        n_kv_heads = config.heads("num_kv_heads", "n_head_kv", default=n_heads)
        check_head_groups(n_heads, n_kv_heads)
        return n_kv_heads
    return 1 if config.flag("multi_query", default=True) else n_heads


def _norms(names: Tensors, place: str, eps: float, *, is_parallel: bool) -> Norms:
    """Two norms side by side in the largest ones; one for both; or one before each."""
    if f"{place}.ln_attn.weight" in names:
        return Norms(
            attention_in=names.norm(f"{place}.ln_attn", eps),
            mlp_in=names.norm(f"{place}.ln_mlp", eps),
        )
    before = names.norm(f"{place}.input_layernorm", eps)
    own = names.norm(f"{place}.post_attention_layernorm", eps)
    return Norms(attention_in=before, mlp_in=before if is_parallel else own)


FAMILY: Final = Family(
    name="Falcon",
    order=45,
    model_types=("falcon",),
    anchor="h.0.self_attention.query_key_value.weight",
    beside=("ln_f.weight",),
    plan=plan,
)
