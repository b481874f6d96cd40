"""GPT-NeoX and Pythia: Q, K and V side by side in each head, a part of the columns turns."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import model, norms_of, plain_mlp, turning_heads
from mha_core.models.plan import Block, Embedding, ModelPlan
from mha_core.models.sizes import width_a_head


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-5)
    return model(
        config.layers(),
        "layers",
        partial(_block, config, names, width, eps),
        width,
        Embedding(names.name("embed_in.weight"), width),
        names.norm("final_layer_norm", eps),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    qkv, dense = f"{place}.attention.query_key_value", f"{place}.attention.dense"
    are_apart = config.flag("qkv_apart", default=False)  # as GGUF stores them
    widths = (d_k, d_k, d_k)
    matrices = fused(names, qkv, dense, widths, groups=n_heads, are_apart=are_apart)
    up_and_down = (f"{place}.mlp.dense_h_to_4h", f"{place}.mlp.dense_4h_to_h")
    before, own = f"{place}.input_layernorm", f"{place}.post_attention_layernorm"
    return Block(
        turning_heads(config, matrices, (n_heads, n_heads, d_k), usual_part=0.25),
        plain_mlp(config, names, up_and_down, usual="gelu"),
        norms_of(names, eps, before, own, are_before=True),
        is_parallel=config.flag("use_parallel_residual", default=True),
    )


FAMILY: Final = Family(
    name="GPT-NeoX",
    order=40,
    model_types=("gpt_neox",),
    anchor="layers.0.attention.query_key_value.weight",
    plan=plan,
)
