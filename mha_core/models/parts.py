"""The parts that many families share, whatever their names are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mha_core.models.family import Tensors, activation, inner_width
from mha_core.models.fields import MISSING, Fields
from mha_core.models.plan import Attention, Block, Decoder, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.rotation import in_longer_texts, rotary_with_growth
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions

FIRST_POSITION: Final = 2  # of tables with two rows that stand for no position: BART's and OPT's


def model(
    count: int,
    places: str,
    block: Callable[[str], Block],
    width: int,
    embedding: Embedding | None,
    last_norm: Norm | None = None,
    decoder: Decoder | None = None,
) -> ModelPlan:
    """A model of so many blocks, each made of what stands before its names in the file."""
    blocks = tuple(block(f"{places}.{layer}") for layer in range(count))
    return ModelPlan(width, blocks, embedding, last_norm, decoder)


def decoder(
    config: Fields,
    names: Tensors,
    places: str,
    layer: Callable[[str], tuple[Block, Block]],
    count: int,
    embedding: Embedding,
    last_norm: Norm | None,
    *,
    begins_with: int,
    ends_with: int,
) -> Decoder | None:
    """A decoder of so many layers, each of two blocks; None where the file has only the encoder.

    Its text begins and ends with these tokens, where the config does not say others.
    """
    if not names.has(places):
        return None
    return Decoder(
        tuple(block for number in range(count) for block in layer(f"{places}.{number}")),
        embedding,
        config.whole("decoder_start_token_id", default=begins_with, least=0),
        config.whole("eos_token_id", default=ends_with, least=0),
        last_norm,
    )


def shared_words(names: Tensors) -> str:
    """The table of words that encoder and decoder have together."""
    return names.name(
        "shared.weight" if "shared.weight" in names else "encoder.embed_tokens.weight"
    )


def equal_heads(matrices: LayerNames, n_heads: int, width: int, **more: Any) -> Attention:
    """Heads that share the width, each with keys and values of its own."""
    d_k = width_a_head(width, n_heads)
    return Attention(matrices, n_heads, n_heads, d_k, d_k, **more)


def turning_heads(
    config: Fields,
    matrices: LayerNames,
    sizes: tuple[int, int, int],
    usual_part: float | None,
    **scores: Any,
) -> Attention:
    """Causal heads of these numbers and this width, whose columns turn as the config says.

    `usual_part` of them turns where it says nothing; None: all, whatever it says.
    """
    n_heads, n_kv_heads, d_k = sizes
    turned, growth = rotary_with_growth(config, d_k, usual_part=usual_part)
    return Attention(
        matrices,
        *(n_heads, n_kv_heads, d_k, d_k),
        ScoreOptions(**turned, **scores),
        CAUSAL,
        turning_growth=growth,
        longer_texts=in_longer_texts(config),
    )


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
