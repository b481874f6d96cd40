"""OPT: a table of positions that begins at row 2, ReLU."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")
EPS: Final = 1e-5
FIRST_POSITION: Final = 2  # its table has two rows that stand for no position


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("_remove_final_layer_norm")
    width = config.width()
    columns = config.whole("word_embed_proj_dim", default=width, most=LIMITS.width)
    if columns != width:
        config.must_not("word_embed_proj_dim")
    is_before = config.flag("do_layer_norm_before", default=True)
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"layers.{layer}", width, is_before=is_before)
            for layer in range(config.layers())
        ),
        Embedding(
            names.name("embed_tokens.weight"),
            width,
            positions=names.name("embed_positions.weight"),
            first_position=FIRST_POSITION,
        ),
        names.norm("final_layer_norm", EPS) if is_before else None,
    )


def _block(config: Fields, names: Tensors, place: str, width: int, *, is_before: bool) -> Block:
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    of_attention = names.norm(f"{place}.self_attn_layer_norm", EPS)
    of_mlp = names.norm(f"{place}.final_layer_norm", EPS)
    return Block(
        Attention(
            separate(names, f"{place}.self_attn", FOUR),
            n_heads,
            n_heads,
            d_k,
            d_k,
            rules=CAUSAL,
        ),
        Mlp(
            names.linear(f"{place}.fc1"),
            names.linear(f"{place}.fc2"),
            inner_width(config, "ffn_dim"),
            activation(config, "activation_function", default="relu"),
        ),
        Norms(attention_in=of_attention, mlp_in=of_mlp)
        if is_before
        else Norms(after_attention=of_attention, after_mlp=of_mlp),
    )


FAMILY: Final = Family(
    name="OPT",
    order=46,
    model_types=("opt",),
    anchor="layers.0.self_attn.q_proj.weight",
    beside=("embed_positions.weight", "layers.0.fc1.weight"),
    plan=plan,
)
