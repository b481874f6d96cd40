"""CLIP's reader of images. What its patches are made of is not computed: X must be given."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.families.clip import plan_of_images
from mha_core.models.family import Family

FAMILY: Final = Family(
    name="CLIP for images",
    order=51,
    model_types=("clip_vision_model",),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("embeddings.class_embedding",),
    plan=plan_of_images,
    says=say("Its input comes from pixels, which are not read here: give X, a row for each patch."),
)
