"""BART, and what Whisper has in common with it."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import (
    FIRST_POSITION,
    decoder,
    equal_heads,
    model,
    norms_of,
    plain_mlp,
    shared_words,
)
from mha_core.models.plan import Block, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.windows import CAUSAL

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")
EPS: Final = 1e-5


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    of_encoder, of_decoder = (_embedding(config, names, width, part) for part in PARTS)
    return encoder_and_decoder(config, names, width, of_encoder, of_decoder, are_before=False)


PARTS: Final = ("encoder", "decoder")


def _embedding(config: Fields, names: Tensors, width: int, part: str) -> Embedding:
    scaled = config.flag("scale_embedding", default=False)
    return Embedding(
        shared_words(names),
        width,
        factor=width**0.5 if scaled else 1.0,
        positions=names.name(f"{part}.embed_positions.weight"),
        first_position=FIRST_POSITION,
        norm=names.norm(f"{part}.layernorm_embedding", EPS),
    )


def encoder_and_decoder(
    config: Fields,
    names: Tensors,
    width: int,
    of_encoder: Embedding | None,
    of_decoder: Embedding,
    last_norm: str = "",
    *,
    are_before: bool,
) -> ModelPlan:
    """The layers of both, with norms before each part or behind it."""

    def last(part: str) -> Norm | None:
        return names.norm(f"{part}.{last_norm}", EPS) if last_norm else None

    count = config.layers("encoder_layers")
    return model(
        count,
        "encoder.layers",
        partial(_layer_of_encoder, config, names, width, are_before=are_before),
        width,
        of_encoder,
        last("encoder"),
        decoder(
            config,
            names,
            "decoder.layers",
            partial(_layer_of_decoder, config, names, width, are_before=are_before),
            config.whole("decoder_layers", default=count, most=LIMITS.model_layers),
            of_decoder,
            last("decoder"),
            begins_with=2,
            ends_with=2,
        ),
    )


def _layer_of_encoder(
    config: Fields, names: Tensors, width: int, place: str, *, are_before: bool
) -> Block:
    n_heads = config.heads("encoder_attention_heads")
    of_attention, of_mlp = f"{place}.self_attn_layer_norm", f"{place}.final_layer_norm"
    return Block(
        equal_heads(separate(names, f"{place}.self_attn", FOUR), n_heads, width),
        _mlp(config, names, place, "encoder"),
        norms_of(names, EPS, of_attention, of_mlp, are_before=are_before),
    )


def _layer_of_decoder(
    config: Fields, names: Tensors, width: int, place: str, *, are_before: bool
) -> tuple[Block, Block]:
    n_heads = config.whole("decoder_attention_heads", most=LIMITS.heads)
    own, cross = (
        separate(names, f"{place}.{each}", FOUR) for each in ("self_attn", "encoder_attn")
    )
    norm = names.norm(f"{place}.self_attn_layer_norm", EPS)
    of_cross, of_mlp = f"{place}.encoder_attn_layer_norm", f"{place}.final_layer_norm"
    return (
        Block(
            equal_heads(own, n_heads, width, rules=CAUSAL),
            norms=Norms(attention_in=norm) if are_before else Norms(after_attention=norm),
        ),
        Block(
            equal_heads(cross, n_heads, width, is_cross=True),
            _mlp(config, names, place, "decoder"),
            norms_of(names, EPS, of_cross, of_mlp, are_before=are_before),
        ),
    )


def _mlp(config: Fields, names: Tensors, place: str, part: str) -> Mlp:
    up_and_down = (f"{place}.fc1", f"{place}.fc2")
    acts, width = "activation_function", f"{part}_ffn_dim"
    return plain_mlp(config, names, up_and_down, width, usual="gelu", acts=acts)


FAMILY: Final = Family(
    name="BART",
    order=54,
    model_types=("bart",),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("encoder.layernorm_embedding.weight",),
    plan=plan,
)
