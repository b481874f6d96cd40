"""The models of the package glassllm: Llama's parts under names of its own, stored for x @ W."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Linear, Mlp, ModelPlan, Norm, Norms
from mha_core.models.rotation import rotary
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames, Stored
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    eps = config.number("eps")
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"blocks.{layer}", width, eps)
            for layer in range(config.layers("n_layers"))
        ),
        Embedding(names.name("E"), width),
        Norm(eps, names.name("norm_f.gamma"), is_rms=True),
    )


def _block(config: Fields, names: Tensors, place: str, width: int, eps: float) -> Block:
    n_heads, n_kv_heads = config.heads("n_heads"), config.heads("n_kv_heads")
    d_k = width_a_head(width, n_heads)
    turned = rotary(Fields({"rope_theta": config.number("rope_base")}), d_k, pairs="neighbours")
    matrices = (Stored(names.name(f"{place}.attn.W_{each}")) for each in "QKVO")
    up, gate, down = (Linear(Stored(names.name(f"{place}.ffn.{each}"))) for each in _MLP)
    return Block(
        Attention(
            LayerNames(*matrices), n_heads, n_kv_heads, d_k, d_k, ScoreOptions(**turned), CAUSAL
        ),
        Mlp(up, down, names.shape(f"{place}.ffn.W1")[-1], "silu", gate),
        Norms(
            attention_in=Norm(eps, names.name(f"{place}.norm1.gamma"), is_rms=True),
            mlp_in=Norm(eps, names.name(f"{place}.norm2.gamma"), is_rms=True),
        ),
    )


_MLP: Final = ("W3", "W1", "W2")  # up, gate, down
FAMILY: Final = Family(
    name="GlassLM",
    order=90,
    model_types=("glassllm",),
    anchor="blocks.0.attn.W_Q",
    beside=("E",),
    plan=plan,
)
