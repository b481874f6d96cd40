"""BART's encoder, and Whisper's, whose input comes from sound."""

from __future__ import annotations

from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.families.t5 import ONLY_THE_ENCODER
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")
EPS: Final = 1e-5
FIRST_POSITION: Final = 2  # its table has two rows that stand for no position


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
    return ModelPlan(width, blocks(config, names, width, is_before=False), embedding)


def blocks(config: Fields, names: Tensors, width: int, *, is_before: bool) -> tuple[Block, ...]:
    """The layers, with norms before each part or behind it."""
    count = config.layers("encoder_layers")
    return tuple(
        _block(config, names, f"encoder.layers.{layer}", width, is_before=is_before)
        for layer in range(count)
    )


def _block(config: Fields, names: Tensors, place: str, width: int, *, is_before: bool) -> Block:
    n_heads = config.heads("encoder_attention_heads")
    d_k = width_a_head(width, n_heads)
    of_attention = names.norm(f"{place}.self_attn_layer_norm", EPS)
    of_mlp = names.norm(f"{place}.final_layer_norm", EPS)
    return Block(
        Attention(separate(names, f"{place}.self_attn", FOUR), n_heads, n_heads, d_k, d_k),
        Mlp(
            names.linear(f"{place}.fc1"),
            names.linear(f"{place}.fc2"),
            inner_width(config, "encoder_ffn_dim"),
            activation(config, "activation_function", default="gelu"),
        ),
        Norms(attention_in=of_attention, mlp_in=of_mlp)
        if is_before
        else Norms(after_attention=of_attention, after_mlp=of_mlp),
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
