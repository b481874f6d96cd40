"""Whisper's encoder. Its input is made of sound, which is not read here: X must be given."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.families.bart import EPS, encoder
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import ModelPlan


def plan(config: Fields, names: Tensors) -> ModelPlan:
    last = names.norm("encoder.layer_norm", EPS)
    return encoder(config, names, config.width("d_model"), None, last, are_before=True)


FAMILY: Final = Family(
    name="Whisper",
    order=55,
    model_types=("whisper",),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("encoder.conv1.weight",),
    plan=plan,
    says=say("Its input comes from sound, which is not read here: give X. This is its encoder."),
)
