"""Whisper. What its encoder reads is made of sound, which is not read here: X must be given."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.families.bart import encoder_and_decoder
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Embedding, ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    of_decoder = Embedding(
        names.name("decoder.embed_tokens.weight"),
        width,
        positions=names.name("decoder.embed_positions.weight"),
    )
    return encoder_and_decoder(
        config, names, width, None, of_decoder, "layer_norm", are_before=True
    )


FAMILY: Final = Family(
    name="Whisper",
    order=55,
    model_types=("whisper",),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("encoder.conv1.weight",),
    plan=plan,
    says=say("Its input comes from sound, which is not read here: give X."),
)
