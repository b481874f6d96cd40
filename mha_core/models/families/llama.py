"""Llama, Mistral, SmolLM, Qwen2 and others like them: RMSNorm, SwiGLU, grouped queries, RoPE."""

from __future__ import annotations

from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, activation
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.rotation import rotary
from mha_core.models.sizes import grouped_heads
from mha_core.models.windows import window_rules
from mha_core.scenario.score_options import ScoreOptions

FOUR: Final = ("q_proj", "k_proj", "v_proj", "o_proj")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    return ModelPlan(
        width,
        tuple(_block(config, names, layer, width) for layer in range(config.layers())),
        Embedding(names.name("embed_tokens.weight"), width),
        _norm(config, names, "norm"),
    )


def _norm(config: Fields, names: Tensors, name: str) -> Norm:
    return names.norm(name, config.number("rms_norm_eps", default=1e-6), is_rms=True)


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    return Block(
        attention(config, names, layer, width),
        mlp(config, names, layer),
        Norms(
            attention_in=_norm(config, names, f"{place}.input_layernorm"),
            mlp_in=_norm(config, names, f"{place}.post_attention_layernorm"),
        ),
    )


def attention(config: Fields, names: Tensors, layer: int, width: int, **scores: Any) -> Attention:
    """The attention of models whose files have Llama's names; `scores` has what is their own."""
    n_heads, n_kv_heads, d_k = grouped_heads(config, width)
    in_neighbours = config.flag("stored_in_neighbours", default=False)  # as GGUF stores Llama's
    said = rotary(config, d_k)
    return Attention(
        separate(
            names,
            f"layers.{layer}.self_attn",
            FOUR,
            q={"heads_of_neighbours": n_heads * in_neighbours},
            k={"heads_of_neighbours": n_kv_heads * in_neighbours},
        ),
        n_heads,
        n_kv_heads,
        d_k,
        d_k,
        ScoreOptions(**{**said, **scores}),
        window_rules(config, layer),
    )


def mlp(config: Fields, names: Tensors, layer: int, usual: str = "silu") -> Mlp:
    """The gated MLP of Llama's files."""
    place = f"layers.{layer}.mlp"
    return Mlp(
        names.linear(f"{place}.up_proj"),
        names.linear(f"{place}.down_proj"),
        config.whole("intermediate_size", most=8 * LIMITS.width),
        activation(config, "hidden_activation", "hidden_act", default=usual),
        names.linear(f"{place}.gate_proj"),
    )


FAMILY: Final = Family(
    name="Llama",
    order=20,
    model_types=("llama", "mistral", "qwen2", "smollm"),
    anchor="layers.0.self_attn.q_proj.weight",
    beside=("layers.0.mlp.gate_proj.weight",),
    plan=plan,
)
