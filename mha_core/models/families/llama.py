"""Llama, Mistral, Ministral 3, SmolLM, Qwen2: RMSNorm, SwiGLU, grouped queries, RoPE."""

from __future__ import annotations

from typing import Any, Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import ANCHOR, attention, decoder, gated_mlp, norms_before, rms_norm
from mha_core.models.plan import Block, ModelPlan
from mha_core.models.rotation import SCALING


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    return Block(
        attention(config, names, layer, width, **_growth(config)),
        gated_mlp(config, names, layer),
        norms_before(config, names, layer),
    )


def _growth(config: Fields) -> dict[str, Any]:
    """Ministral 3: scores grow behind each so many tokens as texts of the training were long."""
    scaling = config.inside(*SCALING)
    if "llama_4_scaling_beta" not in scaling:
        return {}
    return {
        "growth": scaling.number("llama_4_scaling_beta"),
        "growth_every": scaling.whole("original_max_position_embeddings"),
        "growth_kind": "steps_from_0",
    }


FAMILY: Final = Family(
    name="Llama",
    order=20,
    model_types=("llama", "mistral", "ministral", "ministral3", "qwen2"),
    anchor=ANCHOR,
    beside=("layers.0.mlp.gate_proj.weight", "layers.0.input_layernorm.weight"),
    plan=plan,
    has_names_of_others=True,
)
