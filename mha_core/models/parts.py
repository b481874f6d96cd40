"""The parts that many families share, whatever their names are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mha_core.models.family import Tensors, activation, inner_width
from mha_core.models.fields import MISSING, Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames

FIRST_POSITION: Final = 2  # of tables with two rows that stand for no position: BART's and OPT's


def model(
    count: int,
    places: str,
    block: Callable[[str], Block],
    width: int,
    embedding: Embedding | None,
    last_norm: Norm | None = None,
) -> ModelPlan:
    """A model of so many blocks, each made of what stands before its names in the file."""
    blocks = tuple(block(f"{places}.{layer}") for layer in range(count))
    return ModelPlan(width, blocks, embedding, last_norm)


def equal_heads(matrices: LayerNames, n_heads: int, width: int, **more: Any) -> Attention:
    """Heads that share the width, each with keys and values of its own."""
    d_k = width_a_head(width, n_heads)
    return Attention(matrices, n_heads, n_heads, d_k, d_k, **more)


def plain_mlp(
    config: Fields,
    names: Tensors,
    up_and_down: Sequence[str],
    *said: str,
    usual: str,
    acts: str = "hidden_act",
    width: Any = MISSING,
) -> Mlp:
    """An MLP without a gate, of two matrices.

    `said`: what the config calls its width, which `width` is where it does not say it; `acts`: what
    it calls the activation, which is `usual` where it does not.
    """
    up, down = map(names.linear, up_and_down)
    return Mlp(
        up, down, inner_width(config, *said, default=width), activation(config, acts, default=usual)
    )


def norms_of(names: Tensors, eps: float, attention: str, mlp: str, *, are_before: bool) -> Norms:
    """The norms of attention and of the MLP: before each, or behind it."""
    of_attention, of_mlp = names.norm(attention, eps), names.norm(mlp, eps)
    if are_before:
        return Norms(attention_in=of_attention, mlp_in=of_mlp)
    return Norms(after_attention=of_attention, after_mlp=of_mlp)
