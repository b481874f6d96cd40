"""A small model that was trained, in the manner of the monthly puzzles: what does it compute?

Its 108 numbers are those that `tools/train_reversal.py` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.questions import Choice, Question, does
from mha_core.puzzles.sentences import SEED
from mha_core.puzzles.wants import Predicts, Want
from mha_core.scenario.x_columns import OWN_PLACES, own_recipe

WORDS: Final = ("a", "b", "c", "d")
PLACES: Final = 5  # all sentences have so many words
D_K: Final = 2
NUMBERS: Final = {
    "w_q": [
        [-0.2, -0.7],
        [-0.2, -0.4],
        [-0.2, -0.6],
        [-0.2, -0.5],
        [1.4, 2.4],
        [2.5, 0.5],
        [1.1, -1.8],
        [-1.6, 1.9],
        [-1.8, -0.9],
    ],
    "w_k": [
        [-0.3, -0.1],
        [-0.2, -0.1],
        [-0.2, -0.1],
        [-0.2, -0.1],
        [-2.0, -1.4],
        [-1.9, 1.8],
        [0.3, -2.3],
        [2.2, -0.2],
        [0.6, 2.7],
    ],
    "w_v": [
        [1.5, 0.9],
        [-1.2, 1.4],
        [0.9, -2.0],
        [-1.8, -1.5],
        [0.0, 0.1],
        [0.1, 0.0],
        [-0.1, 0.2],
        [0.0, 0.1],
        [-0.2, 0.3],
    ],
    "w_o": [
        [0.5, -0.6, 1.2, 1.9, 1.5, -0.3, 0.6, -0.4, -0.2],
        [0.1, 1.9, 0.0, 0.1, -0.2, 0.9, 0.9, 2.0, 0.4],
    ],
    "w_u": [
        [0.7, 0.2, 0.6, -0.4],
        [0.5, 0.7, -0.5, -0.9],
        [0.8, 0.1, 0.7, -0.9],
        [1.3, -0.2, 0.7, -1.0],
        [1.1, -1.0, 0.5, -0.8],
        [0.5, 0.2, -0.7, -0.5],
        [0.8, 0.0, -0.4, -0.7],
        [0.0, 0.9, -1.6, -0.5],
        [0.2, 0.5, -0.4, 0.2],
    ],
}


def _arrays() -> Arrays:
    return {name: np.array(rows) for name, rows in NUMBERS.items()}


def _drawn() -> Iterator[tuple[str, ...]]:
    rng = np.random.default_rng(SEED)
    while True:
        yield tuple(map(str, rng.choice(WORDS, size=PLACES)))


def _job(word_after: Callable[[Tokens, int], str]) -> Callable[[Tokens], list[Want]]:
    """At each place, the word that this says of it is predicted."""

    def wanted(tokens: Tokens) -> list[Want]:
        places = range(len(tokens))
        return [Predicts(place, word_after(tokens, place), WORDS) for place in places]

    return wanted


def _mirrored(tokens: Tokens, place: int) -> str:
    return tokens[len(tokens) - 1 - place]


PUZZLE: Final = Puzzle(
    "read-trained",
    say("Read a trained model"),
    "",
    of_zeros(len(WORDS) + PLACES, d_k=D_K, d_v=D_K, x=own_recipe(OWN_PLACES, PLACES, WORDS)),
    ("w_q", "w_k", "w_v", "w_o", "w_u"),
    _job(_mirrored),
    ("a b c d d", "b a d c a", "c c a b d"),
    _arrays,
    most_numbers=108,
    hints=(),
    source=say("a model of 108 numbers, trained for this page"),
    x_of=partial(word_and_place, words=WORDS, places=PLACES),
    words=WORDS,
    places=PLACES,
    w_u=np.zeros((len(WORDS) + PLACES, len(WORDS))),
    draw=_drawn,
    beside={say("places"): PLACES},
)
JOBS: Final = {
    say("At each word, it predicts the word that stands before it; at the first one, the last."): (
        lambda tokens, place: tokens[place - 1]
    ),
    say("It turns the sentence round: at the first word it predicts the last one, and so on."): (
        _mirrored
    ),
    say("At each word, it predicts the first word of the sentence."): lambda tokens, _: tokens[0],
    say("At each word, it predicts that word."): lambda tokens, place: tokens[place],
}
READ_TRAINED: Final = Question(
    "read-trained",
    PUZZLE.title,
    say("A model of 108 numbers was trained on sentences of five words. What does it predict?"),
    PUZZLE,
    _arrays,
    tuple(Choice(says, partial(does, PUZZLE, _arrays, _job(job))) for says, job in JOBS.items()),
    say(
        "W_Q and W_K put the places around a circle: the query of a place points at the key of "
        "the mirrored one. W_V gives each word a direction, and W_O with W_U makes it a word again."
    ),
)
