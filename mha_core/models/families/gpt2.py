"""GPT-2: Q, K and V in one Conv1D, which is not transposed."""

from __future__ import annotations

import math
from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head
from mha_core.scenario.masks import Rule
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("n_embd")
    eps = config.number("layer_norm_epsilon", default=1e-5)
    return ModelPlan(
        width,
        tuple(
            _block(config, names, layer, width, eps) for layer in range(config.layers("n_layer"))
        ),
        Embedding(names.name("wte.weight"), width, positions=names.name("wpe.weight")),
        names.norm("ln_f", eps),
    )


def _block(config: Fields, names: Tensors, layer: int, width: int, eps: float) -> Block:
    place = f"h.{layer}"
    is_linear = config.flag("stored_as_linear", default=False)  # as GGUF stores it
    n_heads = config.heads("n_head", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    qkv = fused(
        names,
        f"{place}.attn.c_attn",
        f"{place}.attn.c_proj",
        (width, width, width),
        is_transposed=is_linear,
    )
    scale = 1.0 if config.given("scale_attn_weights", default=True) is False else d_k**-0.5
    if config.flag("scale_attn_by_inverse_layer_idx", default=False):
        scale /= layer + 1
    scores = ScoreOptions() if math.isclose(scale, d_k**-0.5) else ScoreOptions(scale=scale)
    return Block(
        Attention(qkv, n_heads, n_heads, d_k, d_k, scores, (Rule("causal"),)),
        Mlp(
            names.linear(f"{place}.mlp.c_fc", is_transposed=is_linear),
            names.linear(f"{place}.mlp.c_proj", is_transposed=is_linear),
            inner_width(config, "n_inner", default=4 * width),
            activation(config, "activation_function", default="gelu_new"),
        ),
        Norms(
            attention_in=names.norm(f"{place}.ln_1", eps), mlp_in=names.norm(f"{place}.ln_2", eps)
        ),
    )


FAMILY: Final = Family(
    name="GPT-2",
    order=10,
    model_types=("gpt2",),
    anchor="h.0.attn.c_attn.weight",
    beside=("wpe.weight",),
    plan=plan,
)
