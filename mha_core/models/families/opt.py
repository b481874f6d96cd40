"""OPT: a table of positions that begins at row 2, ReLU."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import FIRST_POSITION, equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan
from mha_core.models.windows import CAUSAL

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")
EPS: Final = 1e-5


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("_remove_final_layer_norm")
    width = config.width()
    columns = config.whole("word_embed_proj_dim", default=width, most=LIMITS.width)
    if columns != width:
        config.must_not("word_embed_proj_dim")
    is_before = config.flag("do_layer_norm_before", default=True)
    return model(
        config.layers(),
        "layers",
        partial(_block, config, names, width, is_before=is_before),
        width,
        Embedding(
            names.name("embed_tokens.weight"),
            width,
            positions=names.name("embed_positions.weight"),
            first_position=FIRST_POSITION,
        ),
        names.norm("final_layer_norm", EPS) if is_before else None,
    )


def _block(config: Fields, names: Tensors, width: int, place: str, *, is_before: bool) -> Block:
    matrices = separate(names, f"{place}.self_attn", FOUR)
    up_and_down = (f"{place}.fc1", f"{place}.fc2")
    of_attention, of_mlp = f"{place}.self_attn_layer_norm", f"{place}.final_layer_norm"
    return Block(
        equal_heads(matrices, config.heads(), width, rules=CAUSAL),
        plain_mlp(config, names, up_and_down, "ffn_dim", usual="relu", acts="activation_function"),
        norms_of(names, EPS, of_attention, of_mlp, are_before=is_before),
    )


FAMILY: Final = Family(
    name="OPT",
    order=46,
    model_types=("opt",),
    anchor="layers.0.self_attn.q_proj.weight",
    beside=("embed_positions.weight", "layers.0.fc1.weight"),
    plan=plan,
)
