"""BART's encoder, and Whisper's, whose input comes from sound."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.families.t5 import ONLY_THE_ENCODER
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import FIRST_POSITION, equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan, Norm

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")
EPS: Final = 1e-5


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    scaled = config.flag("scale_embedding", default=False)
    embedding = Embedding(
        names.name("shared.weight" if "shared.weight" in names else "encoder.embed_tokens.weight"),
        width,
        factor=width**0.5 if scaled else 1.0,
        positions=names.name("encoder.embed_positions.weight"),
        first_position=FIRST_POSITION,
        norm=names.norm("encoder.layernorm_embedding", EPS),
    )
    return encoder(config, names, width, embedding, are_before=False)


def encoder(
    config: Fields,
    names: Tensors,
    width: int,
    embedding: Embedding | None,
    last_norm: Norm | None = None,
    *,
    are_before: bool,
) -> ModelPlan:
    """The layers, with norms before each part or behind it."""
    block = partial(_block, config, names, width, are_before=are_before)
    count = config.layers("encoder_layers")
    return model(count, "encoder.layers", block, width, embedding, last_norm)


def _block(config: Fields, names: Tensors, width: int, place: str, *, are_before: bool) -> Block:
    matrices = separate(names, f"{place}.self_attn", FOUR)
    up_and_down = (f"{place}.fc1", f"{place}.fc2")
    of_attention, of_mlp = f"{place}.self_attn_layer_norm", f"{place}.final_layer_norm"
    return Block(
        equal_heads(matrices, config.heads("encoder_attention_heads"), width),
        plain_mlp(
            config,
            names,
            up_and_down,
            "encoder_ffn_dim",
            usual="gelu",
            acts="activation_function",
        ),
        norms_of(names, EPS, of_attention, of_mlp, are_before=are_before),
    )


FAMILY: Final = Family(
    name="BART",
    order=54,
    model_types=("bart",),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("encoder.layernorm_embedding.weight",),
    plan=plan,
    says=ONLY_THE_ENCODER,
)
