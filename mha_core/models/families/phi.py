"""Phi 1 and 2: a part of the columns turns; attention and MLP read the same norm.

With `qk_layernorm`, each query and key of a head goes through a LayerNorm, the same for all heads.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import model, plain_mlp, turning_heads
from mha_core.models.plan import Block, Embedding, ModelPlan, Norms
from mha_core.models.sizes import grouped_heads
from mha_core.models.stored import Stored

FOUR: Final = ("q_proj", "k_proj", "v_proj", "dense")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-5)
    return model(
        config.layers(),
        "layers",
        partial(_block, config, names, width, eps),
        width,
        Embedding(names.name("embed_tokens.weight"), width),
        names.norm("final_layernorm", eps),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    matrices = separate(names, f"{place}.self_attn", FOUR)
    normed: dict[str, Any] = {}
    if config.flag("qk_layernorm", default=False):
        normed = {"qk_norm": "head", "qk_norm_kind": "layer", "qk_norm_eps": eps}
        matrices = replace(matrices, **_of_norms(names, f"{place}.self_attn"))
    up_and_down = (f"{place}.mlp.fc1", f"{place}.mlp.fc2")
    norm = names.norm(f"{place}.input_layernorm", eps)
    return Block(
        turning_heads(config, matrices, grouped_heads(config, width), usual_part=0.5, **normed),
        plain_mlp(config, names, up_and_down, usual="gelu_new"),
        Norms(attention_in=norm, mlp_in=norm),
        is_parallel=True,
    )


def _of_norms(names: Tensors, place: str) -> dict[str, Stored]:
    """The gains and the shifts of queries and keys."""
    return {
        f"{of}_{role}": Stored(names.name(f"{place}.{of}_layernorm.{name}"))
        for of in ("q", "k")
        for role, name in (("gain", "weight"), ("shift", "bias"))
    }


FAMILY: Final = Family(
    name="Phi", order=42, model_types=("phi",), anchor="layers.0.self_attn.dense.weight", plan=plan
)
