"""CLIP: the part that reads text, and the part that reads images, of which X must be given."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan
from mha_core.models.windows import CAUSAL
from mha_core.scenario.masks import Rule

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    said = config.inside("text_config") if "text_config" in config else config
    return replace(
        _encoder(said, names, CAUSAL, "final_layer_norm"),
        embedding=Embedding(
            names.name("embeddings.token_embedding.weight"),
            said.width(),
            positions=names.name("embeddings.position_embedding.weight"),
        ),
    )


def plan_of_images(config: Fields, names: Tensors) -> ModelPlan:
    said = config.inside("vision_config") if "vision_config" in config else config
    return _encoder(said, names, (), "")


def _encoder(config: Fields, names: Tensors, rules: tuple[Rule, ...], last_norm: str) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-5)
    block = partial(_block, config, names, width, eps, rules)
    last = names.norm(last_norm, eps) if last_norm else None
    return model(config.layers(), "encoder.layers", block, width, None, last)


def _block(
    config: Fields, names: Tensors, width: int, eps: float, rules: tuple[Rule, ...], place: str
) -> Block:
    matrices = separate(names, f"{place}.self_attn", FOUR)
    up_and_down = (f"{place}.mlp.fc1", f"{place}.mlp.fc2")
    return Block(
        equal_heads(matrices, config.heads(), width, rules=rules),
        plain_mlp(config, names, up_and_down, usual="quick_gelu"),
        norms_of(names, eps, f"{place}.layer_norm1", f"{place}.layer_norm2", are_before=True),
    )


FAMILY: Final = Family(
    name="CLIP",
    order=50,
    model_types=("clip", "clip_text_model"),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("embeddings.token_embedding.weight",),
    plan=plan,
)
