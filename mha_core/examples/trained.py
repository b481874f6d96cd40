"""A model that we trained, on a sentence in which a name of two words comes back."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import WHAT_TWO_LAYERS_DO, Example
from mha_core.language import say
from mha_core.layer.attention import softmax
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.models.ours.numbers import trained
from mha_core.models.ours.trained import stack_of
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.stack.attending import attend
from mha_core.stack.stack import Stack

NAME: Final = "trained"
SENTENCE: Final = tokenize("Mila Stone met Leo Snow . Then Leo Snow thanked Mila")
N: Final = len(SENTENCE)
STONE, LAST = 1, N - 1
SNOW: Final = SENTENCE.index("Snow")
AGAIN: Final = N - 1 - SENTENCE[::-1].index("Leo")
LOOKS_BACK, FINDS = 0, 0  # the recipe puts the two heads first
MOST: Final = 0.8
ALL_BUT_ONE: Final = 0.5  # what no other head comes to
LIKELY: Final = 0.9
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
    one, *others = _looks_back(trace).tolist()
    return bool(one > MOST and max(others) < ALL_BUT_ONE)


def _x_is_learned(trace: Trace) -> bool:
    return _is_on_the_sentence(trace) and nearly_equal(trace.scenario.x, trained().x(SENTENCE))


def _finds_what_followed(trace: Trace, row: int, followed: int) -> bool:
    if not _is_on_the_sentence(trace):
        return False
    return bool(trace.weights[FINDS, row, followed] > MOST)


def _expects_stone(trace: Trace) -> bool:
    """Of all words that the model knows, whatever W_U shows of them."""
    if not _is_on_the_sentence(trace):
        return False
    share = softmax(_logits(trace.scenario.x + trace.output))[LAST]
    (stone,) = trained().numbers(["Stone"])
    return bool(share[stone] > LIKELY)


def _stone_comes_from_the_second_layer(trace: Trace) -> bool:
    """Without what it adds, Stone is not what the model expects."""
    if not _expects_stone(trace):
        return False
    (stone,) = trained().numbers(["Stone"])
    return bool(_logits(trace.scenario.x)[LAST].argmax() != stone)


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
                    "and under 0.5 from each other head."
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
                    say("In head 1 the last Mila gives Stone over 0.8: it followed the first one."),
                    lambda trace: _finds_what_followed(trace, LAST, STONE),
                ),
                Claim(
                    say("The second Leo gives Snow over 0.8, in the same head."),
                    lambda trace: _finds_what_followed(trace, AGAIN, SNOW),
                ),
                Claim(
                    say(
                        "So after the last word the model expects Stone, with a probability of "
                        "over 0.9 among all words that it knows."
                    ),
                    _expects_stone,
                ),
                Claim(
                    say("Without what this layer adds, it would expect another word."),
                    _stone_comes_from_the_second_layer,
                ),
            ),
        },
        notes=(),
    ),
)
