"""GPT-NeoX and Pythia: Q, K and V side by side in each head, a part of the columns turns."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import fused
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.rotation import rotary
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-5)
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"layers.{layer}", width, eps) for layer in range(config.layers())
        ),
        Embedding(names.name("embed_in.weight"), width),
        names.norm("final_layer_norm", eps),
    )


def _block(config: Fields, names: Tensors, place: str, width: int, eps: float) -> Block:
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    return Block(
        Attention(
            fused(
                names,
                f"{place}.attention.query_key_value",
                f"{place}.attention.dense",
                (d_k, d_k, d_k),
                groups=n_heads,
            ),
            n_heads,
            n_heads,
            d_k,
            d_k,
            ScoreOptions(**rotary(config, d_k, usual_part=0.25)),
            CAUSAL,
        ),
        Mlp(
            names.linear(f"{place}.mlp.dense_h_to_4h"),
            names.linear(f"{place}.mlp.dense_4h_to_h"),
            inner_width(config),
            activation(config, "hidden_act", default="gelu"),
        ),
        Norms(
            attention_in=names.norm(f"{place}.input_layernorm", eps),
            mlp_in=names.norm(f"{place}.post_attention_layernorm", eps),
        ),
        is_parallel=config.flag("use_parallel_residual", default=True),
    )


FAMILY: Final = Family(
    name="GPT-NeoX",
    order=40,
    model_types=("gpt_neox",),
    anchor="layers.0.attention.query_key_value.weight",
    plan=plan,
)
