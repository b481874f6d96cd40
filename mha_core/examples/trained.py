"""A model that we trained, on a sentence in which a name of two words comes back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import WHAT_TWO_LAYERS_DO, Example
from mha_core.language import say
from mha_core.layer.attention import softmax
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.stack.attending import attend
from mha_core.stack.stack import Stack
from mha_core.stack.trained_stack import stack_of
from mha_core.trained.numbers import trained

NAME: Final = "trained"
SENTENCE: Final = tokenize("Once Mila Stone met Leo Snow at the farm . Leo")
N: Final = len(SENTENCE)
LAST, SNOW = N - 1, SENTENCE.index("Snow")
FIND, FIND_TOO = 0, 1  # heads: the recipe puts these first in layer 2
MOST: Final = 0.8
ALL_BUT_ONE: Final = 0.3  # what no other head comes to
LIKELY, UNLIKELY = 0.9, 0.1
SHOWN: Final = 2  # of the likeliest words after each token


@cache
def _stack() -> Stack:
    """Its W_U has the words of the sentence and those that it expects.

    A column for every word that it knows would be too wide for a page.
    """
    words = trained().words
    likeliest = np.argsort(-_logits(attend(stack_of(trained(), SENTENCE)).stream[-1]))[:, :SHOWN]
    expected = [words[number] for row in likeliest for number in row]
    own = [words[number] for number in trained().numbers(SENTENCE)]
    return stack_of(trained(), SENTENCE, tuple(dict.fromkeys([*own, *expected])), NAME)


def _logits(stream: FloatArray) -> FloatArray:
    """Of all words that the model knows."""
    made: FloatArray = stream @ trained().unembed
    return made


def _is_on_the_sentence(trace: Trace) -> bool:
    s, width = trace.scenario, trained().width
    is_alone = s.context is None and s.tokens == SENTENCE
    return is_alone and (s.n_heads, s.d_model, s.d_out) == (trained().heads, width, width)


def _looks_back(trace: Trace) -> FloatArray:
    """How much each head gives the word before, on average."""
    made: FloatArray = trace.weights.diagonal(-1, 1, 2).mean(axis=1)
    return made


def _looks_one_word_back(trace: Trace) -> bool:
    """Head 1, far more than any other."""
    if not _is_on_the_sentence(trace):
        return False
    one, *others = _looks_back(trace)
    return bool(one > MOST and max(others) < ALL_BUT_ONE)


def _x_is_learned(trace: Trace) -> bool:
    return _is_on_the_sentence(trace) and nearly_equal(trace.scenario.x, trained().x(SENTENCE))


def _finds_what_followed(trace: Trace) -> bool:
    """In two heads."""
    if not _is_on_the_sentence(trace):
        return False
    return bool((trace.weights[[FIND, FIND_TOO], LAST, SNOW] > MOST).all())


def _share_of_snow(end: FloatArray) -> float:
    """After the last word, of all words that the model knows, whatever W_U shows of them."""
    (snow,) = trained().numbers([SENTENCE[SNOW]])
    return float(softmax(_logits(end))[LAST, snow])


def _expects_snow(trace: Trace) -> bool:
    if not _is_on_the_sentence(trace):
        return False
    return _share_of_snow(trace.scenario.x + trace.output) > LIKELY


def _needs_this_layer(trace: Trace) -> bool:
    return _expects_snow(trace) and _share_of_snow(trace.scenario.x) < UNLIKELY


def _needs_the_head_that_looks_back(trace: Trace) -> bool:
    """Above this layer is layer 2 of the example: a trace of layer 1 knows no other."""
    if not _is_on_the_sentence(trace):
        return False
    without, *without_others = (
        attend(
            Stack((replace(trace.scenario, heads_off=frozenset({head})), *_stack().above))
        ).stream[-1]
        for head in range(trace.scenario.n_heads)
    )
    return _share_of_snow(without) < UNLIKELY and all(
        _share_of_snow(end) > LIKELY for end in without_others
    )


EXAMPLES: Final = (
    Example(
        name=NAME,
        title=say("A trained model: two layers that copy"),
        question=WHAT_TWO_LAYERS_DO,
        sentence=say("Nobody wrote these numbers: a model learned to look back, and then to copy."),
        holds=lambda trace: _x_is_learned(trace) and _looks_one_word_back(trace),
        build=lambda: _stack().first,
        build_stack=_stack,
        claims=(
            Claim(
                say(
                    "Head 1 looks at the word before: that gets over 0.8 of its weight on average, "
                    "and under 0.3 from each other head."
                ),
                _looks_one_word_back,
            ),
            Claim(
                say("Each row of X is what the model has learned of the word, and of the place."),
                _x_is_learned,
            ),
        ),
        claims_of_layers={
            1: (
                Claim(
                    say(
                        "The last Leo looks at Snow, which followed the first Leo: with over 0.8 "
                        "in heads 1 and 2."
                    ),
                    _finds_what_followed,
                ),
                Claim(
                    say(
                        "So the model expects Snow to come next, with a probability of over 0.9 "
                        "among all words that it knows."
                    ),
                    _expects_snow,
                ),
                Claim(
                    say("Without what this layer adds, Snow would get less than 0.1."),
                    _needs_this_layer,
                ),
            )
        },
        notes=(
            Claim(
                say(
                    "Layer 2 needs what head 1 of layer 1 has copied. Switch that head off, and "
                    "Snow gets less than 0.1. Without any other head of layer 1 it keeps over 0.9."
                ),
                _needs_the_head_that_looks_back,
            ),
        ),
    ),
)
