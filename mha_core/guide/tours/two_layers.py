"""Two layers do what one cannot: the first leaves copies, the second looks among them."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.examples import load_stack
from mha_core.examples.two_layers import (
    COPY,
    NEARLY,
    WIDTH,
    WORDS,
    B,
    copies_the_word_before,
    has_its_shape,
    looks_at_its_word,
    looks_at_the_one_before,
    looks_at_what_followed,
    looks_for_its_word,
    one_layer_alone,
)
from mha_core.guide.tours.tour import Stop, Tour
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.nearly_equal import nearly_equal


def _b_says_what_came_before(trace: Trace) -> bool:
    if not has_its_shape(trace):
        return False
    both = (np.arange(WIDTH) == B) | (np.arange(WIDTH) == COPY)
    row, place = trace.scenario.x[B], slice(WORDS, COPY)
    return nearly_equal(np.delete(row, place), np.delete(both, place), within=NEARLY)


_layers: Final = partial(load_stack, "induction")
_at = partial(Stop, scenario=_layers)

TWO_LAYERS: Final = Tour(
    "two-layers",
    say("Two layers do what one cannot"),
    say("After “a b”, the next a is to look at b. One layer cannot find it, two can."),
    (
        Stop(
            say(
                "The last a is to find b, which followed the first a. One layer cannot: b's row "
                "does not say what came before it. Looking for its own word, the last a finds the "
                "first a, and b gets no more than c and d."
            ),
            scenario=one_layer_alone,
            title=say("One layer that looks for the same word"),
            screen="weights",
            holds=looks_at_its_word,
        ),
        _at(
            say(
                "So take two. In layer 1, each token looks at the one before it. No token sees "
                "itself, so the first one sees nothing."
            ),
            screen="weights",
            holds=looks_at_the_one_before,
        ),
        _at(
            say(
                "W_V takes the word of that token along, and W_O puts it into four columns that "
                "were free: a copy. The row of b gets an a."
            ),
            screen="output",
            holds=copies_the_word_before,
        ),
        _at(
            say(
                "X of layer 2 is X of layer 1 and what that layer added. Now the row of b has two "
                "words: its own, and the a that came before it."
            ),
            layer=1,
            screen="input",
            holds=_b_says_what_came_before,
        ),
        _at(
            say(
                "In layer 2, a query says its own word, and a key says its copy. So the last a has "
                "the score 10 with b, and nearly 0 with the three others that it sees."
            ),
            layer=1,
            screen="scores",
            holds=looks_for_its_word,
        ),
        _at(
            say("The last a looks at b, with a weight of 0.999864: e¹⁰ / (e¹⁰ + 3)."),
            layer=1,
            screen="weights",
            all_heads=True,
            holds=looks_at_what_followed,
        ),
    ),
)
