"""gpt-oss: Llama's layers, with a sink in each head and experts behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.io.tensors.mxfp4 import BLOCKS
from mha_core.language import say
from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    four_matrices,
    norms_before,
    rms_norm,
)
from mha_core.models.plan import Block, Clipped, Experts, Linear, ModelPlan, Router
from mha_core.models.sizes import grouped_heads
from mha_core.models.stored import Stored


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, rms_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    n_heads, n_kv_heads, _ = grouped_heads(config, width)
    matrices = replace(
        four_matrices(config, names, layer, n_heads, n_kv_heads),
        sinks=Stored(names.name(f"{place}.self_attn.sinks")),
    )
    return Block(
        attention(config, names, layer, width, matrices=matrices),
        _experts(config, names, f"{place}.mlp"),
        norms_before(config, names, layer),
    )


def _experts(config: Fields, names: Tensors, place: str) -> Experts:
    count = config.whole("num_local_experts", most=LIMITS.width)
    width = inner_width(config)
    chosen = config.whole("num_experts_per_tok", "experts_per_token", most=count)
    return Experts(
        Router(names.linear(f"{place}.router"), count, chosen),
        *_matrices(names, f"{place}.experts", width),
        width,
        Clipped(
            config.number("swiglu_alpha", default=1.702), config.number("swiglu_limit", default=7.0)
        ),
    )


def _matrices(names: Tensors, place: str, width: int) -> tuple[Linear, Linear, Linear]:
    """Gate, up and down. GGUF has them apart; else the columns of gate and up take turns."""
    if f"{place}.gate_proj.weight" in names:
        gate, up, down = (names.linear(f"{place}.{each}_proj") for each in ("gate", "up", "down"))
        return gate, up, down
    both = f"{place}.gate_up_proj"
    return (
        _of_all(names, both, groups=width, begin=0, end=1),
        _of_all(names, both, groups=width, begin=1, end=2),
        _of_all(names, f"{place}.down_proj"),
    )


def _of_all(names: Tensors, name: str, **part: Any) -> Linear:
    """The matrices of all experts in one tensor, or a part of each, and their biases.

    Where they are packed, a row is an output; else they stand for x @ W.
    """
    bias = names.given(f"{name}_bias")
    return Linear(
        Stored(names.name(name), is_transposed=f"{name}{BLOCKS}" in names, **part),
        Stored(bias, **part) if bias else None,
    )


FAMILY: Final = Family(
    name="gpt-oss",
    order=17,
    model_types=("gpt_oss",),
    anchor=ANCHOR,
    beside=("layers.0.self_attn.sinks", "layers.0.mlp.router.weight"),
    plan=plan,
    says=say("Each head has a sink, which takes weight and has no value."),
)
