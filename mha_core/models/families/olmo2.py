"""OLMo 2 and 3: norms stand on what each part gives; queries and keys are normed over all heads."""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    normed_matrices,
    rms_norm,
)
from mha_core.models.plan import Block, ModelPlan, Norms
from mha_core.models.rotation import SCALING
from mha_core.models.windows import SLIDING, layer_kind


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    normed = normed_matrices(config, names, layer, width, "all")
    return Block(
        attention(_unstretched(config, layer), names, layer, width, **normed),
        gated_mlp(config, names, layer),
        Norms(
            attention_out=rms_norm(config, names, f"{place}.post_attention_layernorm"),
            mlp_out=rms_norm(config, names, f"{place}.post_feedforward_layernorm"),
        ),
    )


def _unstretched(config: Fields, layer: int) -> Fields:
    """In OLMo 3, layers with a window turn as if the config stretched no rotation.

    Newer configs say so themselves.
    """
    scaling = config.inside(*SCALING)
    if layer_kind(config, layer) != SLIDING or SLIDING in scaling:
        return config
    base = scaling.given("rope_theta", default=config.config.get("rope_theta"))
    return Fields({**config.config, **dict.fromkeys(SCALING), "rope_theta": base})


FAMILY: Final = Family(
    name="OLMo 2",
    order=19,
    model_types=("olmo2", "olmo3"),
    anchor=ANCHOR,
    beside=("layers.0.self_attn.q_norm.weight", "layers.0.post_feedforward_layernorm.weight"),
    plan=plan,
)
