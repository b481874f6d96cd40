"""CLIP: the part that reads text, and the part that reads images, of which X must be given."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.sizes import width_a_head
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
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"encoder.layers.{layer}", width, eps, rules)
            for layer in range(config.layers())
        ),
        None,
        names.norm(last_norm, eps) if last_norm else None,
    )


def _block(
    config: Fields,
    names: Tensors,
    place: str,
    width: int,
    eps: float,
    rules: tuple[Rule, ...],
) -> Block:
    n_heads = config.heads()
    d_k = width_a_head(width, n_heads)
    four = separate(names, f"{place}.self_attn", FOUR)
    return Block(
        Attention(four, n_heads, n_heads, d_k, d_k, rules=rules),
        Mlp(
            names.linear(f"{place}.mlp.fc1"),
            names.linear(f"{place}.mlp.fc2"),
            inner_width(config),
            activation(config, "hidden_act", default="quick_gelu"),
        ),
        Norms(
            attention_in=names.norm(f"{place}.layer_norm1", eps),
            mlp_in=names.norm(f"{place}.layer_norm2", eps),
        ),
    )


FAMILY: Final = Family(
    name="CLIP",
    order=50,
    model_types=("clip", "clip_text_model"),
    anchor="encoder.layers.0.self_attn.q_proj.weight",
    beside=("embeddings.token_embedding.weight",),
    plan=plan,
)
