"""Four soft heads for any sentence: the word before, the same word, noun and verb, all words.

They read the columns of `kind_word_place`. What a head finds, it adds to the same columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.making.inputs import Tokens
from mha_core.making.projections import LayerSizes, Projections, repeat_for_groups
from mha_core.scenario.x_columns import KIND, LEAST_WIDTH, PLACE, WORD

OF_SENTENCES: Final = "sentence_heads"  # the name of the preset

# The products of a query and a key are made for heads of this width.
USUAL_WIDTH: Final = 2
ONE_PLACE_BACK: Final = ((3.5, -2.0), (2.0, 3.5))  # turns a hand back by 30 degrees
THE_OTHER_KIND: Final = ((0.0, 3.0), (3.0, 0.0))


@dataclass(frozen=True)
class SentenceHead:
    """What a head compares, and what it takes over from the words that it looks at."""

    compares: slice
    asks: Callable[[int], FloatArray]  # the part of W_Q, for so many columns
    offers: float  # the part of W_K is so many times the identity
    takes: slice


SENTENCE_HEADS: Final = (
    SentenceHead(PLACE, lambda _: np.array(ONE_PLACE_BACK), 5.0, WORD),
    SentenceHead(WORD, lambda width: 3 * np.eye(width), 2.0, PLACE),
    SentenceHead(KIND, lambda _: np.array(THE_OTHER_KIND), 1.5, WORD),
    SentenceHead(KIND, lambda width: np.zeros((width, width)), 0.0, KIND),
)


def sentence_heads(sizes: LayerSizes, _tokens: Tokens, _seed: int) -> Projections:
    """The heads in turn, for the key/value heads and their query heads."""
    _check_widths(sizes)
    heads = [SENTENCE_HEADS[head % len(SENTENCE_HEADS)] for head in range(sizes.n_kv_heads)]
    w_q, w_k, w_v = (
        np.concatenate([part(sizes, head) for head in heads], axis=1) for part in (_w_q, _w_k, _w_v)
    )
    return Projections(repeat_for_groups(w_q, sizes, sizes.d_k), w_k, w_v, _w_o(sizes, heads))


def _w_q(sizes: LayerSizes, head: SentenceHead) -> FloatArray:
    asks = head.asks(_width(sizes.d_model, head.compares))
    scaled = math.sqrt(sizes.d_k / USUAL_WIDTH) * asks
    return _put(sizes.d_model, sizes.d_k, head.compares, scaled)


def _w_k(sizes: LayerSizes, head: SentenceHead) -> FloatArray:
    offers = head.offers * np.eye(_width(sizes.d_model_kv, head.compares))
    return _put(sizes.d_model_kv, sizes.d_k, head.compares, offers)


def _w_v(sizes: LayerSizes, head: SentenceHead) -> FloatArray:
    taken = np.eye(_width(sizes.of_values, head.takes))
    return _put(sizes.of_values, sizes.d_v, head.takes, taken)


def _w_o(sizes: LayerSizes, heads: list[SentenceHead]) -> FloatArray:
    """Each head's numbers go back to the columns that they are from; if several do, their mean."""
    rows = [_w_v(sizes, heads[head // sizes.group]).T for head in range(sizes.n_heads)]
    back = np.concatenate(rows)
    mean = back / np.maximum(back.sum(axis=0), 1)
    w_o = np.zeros((len(back), sizes.d_out))
    width = min(sizes.d_out, sizes.of_values)
    w_o[:, :width] = mean[:, :width]
    return w_o


def _width(d_model: int, columns: slice) -> int:
    return len(range(d_model)[columns])


def _put(d_model: int, width: int, columns: slice, part: FloatArray) -> FloatArray:
    """A matrix of zeros, except in the rows of these columns of X; too wide a part is cut."""
    matrix = np.zeros((d_model, width))
    used = min(width, part.shape[1])
    matrix[columns, :used] = part[:, :used]
    return matrix


def _check_widths(sizes: LayerSizes) -> None:
    widths = {"d_model": sizes.d_model, "d_model_kv": sizes.d_model_kv}
    widths["d_model_v"] = sizes.of_values
    for name, width in widths.items():
        if width < LEAST_WIDTH:
            raise ShapeError(
                name,
                say(
                    "must be at least {count}: these heads read columns of kind, word and place"
                ).format(count=LEAST_WIDTH),
                str(width),
                say("Set it to {count} or more, or take the preset 'random'.").format(
                    count=LEAST_WIDTH
                ),
            )
    if sizes.d_k < USUAL_WIDTH:
        raise ShapeError(
            "d_k",
            say("must be at least {count}: these heads compare {count} numbers of a word").format(
                count=USUAL_WIDTH
            ),
            str(sizes.d_k),
            say("Set d_k to {count} or more (it need not be d_model / n_heads).").format(
                count=USUAL_WIDTH
            ),
        )
