"""What two heads do and one head cannot: W_K and W_V are given, W_Q and W_O are to be written."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import STRONG, WIDTH
from mha_core.puzzles.puzzle import PLACES, WORDS, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.wants import Makes, Want

HEADS: Final = 2
ASKED: Final = ("a", "b")  # a head can ask for these alone: its keys say no other word
OF_PLACES: Final = range(len(WORDS), WIDTH)
QUIET: Final = 0.5  # the 1 of a, in sentences of an odd length
LOUD: Final = 1.5  # and in all others


def with_noise(tokens: Tokens) -> FloatArray:
    """X with words and places. What stands for a is quiet or loud: no token knows which."""
    x = word_and_place(tokens)
    x[:, WORDS.index("a")] *= QUIET if len(tokens) % 2 else LOUD
    return x


def _half_and_half(tokens: Tokens) -> list[Want]:
    """If a word stands there more than once, its half is shared. If it is lacking, none is."""
    if not set(ASKED) <= set(tokens):
        return []
    is_word = np.array([[token == word for token in tokens] for word in ASKED], dtype=float)
    halves = np.zeros(PLACES)
    halves[: len(tokens)] = (is_word / is_word.sum(axis=1, keepdims=True)).mean(axis=0)
    return [Makes(query, OF_PLACES, halves) for query in range(len(tokens))]


KEYS: Final = STRONG * np.eye(WIDTH)[:, : len(ASKED)]
TAKE_PLACES: Final = np.eye(WIDTH)[:, len(WORDS) :]
START: Final = replace(
    of_zeros(WIDTH, d_k=HEADS * len(ASKED), d_v=HEADS * PLACES),
    n_heads=HEADS,
    w_k=np.hstack([KEYS] * HEADS),
    w_v=np.hstack([TAKE_PLACES] * HEADS),
)
OF_A: Final = (1, 0)  # what a head asks for
OF_B: Final = (0, 1)
OF_BOTH: Final = (1, 1)
ASKS: Final = 8.0


def _asking(
    first: tuple[int, int],
    second: tuple[int, int],
    parts: tuple[float, float] = (0.5, 0.5),
    strength: float = ASKS,
) -> Arrays:
    """What each head asks for, whatever the token, and how much of each comes out."""
    w_q = np.zeros_like(START.w_q)
    w_q[: len(WORDS)] = strength * np.array([*first, *second])
    return {"w_q": w_q, "w_o": np.vstack([part * TAKE_PLACES.T for part in parts])}


NOISY_KEY: Final = Puzzle(
    "noisy-key",
    say("Two heads for two words"),
    say(
        "Each token makes the place of a and the place of b, half of each. What X says of a is 0.5 "
        "in some sentences and 1.5 in others."
    ),
    START,
    ("w_q", "w_o"),
    _half_and_half,
    ("c a d b e", "b a a d", "d b e a c c"),
    lambda: _asking(OF_A, OF_B),
    most_numbers=HEADS * (len(WORDS) + PLACES),
    hints=(
        say("W_K is given: the first number of a key says a, the second says b."),
        say("A head that asks for both sees one of them alone. Let each head ask for one."),
        say(
            "W_Q: for each word an 8 in the first column of head 1 and in the second of head 2. "
            "W_O: 0.5 for each place, in the rows of both heads."
        ),
    ),
    source=say("After Stanford CS224N, the assignment on attention"),
    near_misses={
        "one head asks for both": lambda: _asking(OF_BOTH, (0, 0), parts=(1, 0)),
        "both heads ask for both": lambda: _asking(OF_BOTH, OF_BOTH),
        "too weak": lambda: _asking(OF_A, OF_B, strength=ASKS / 4),
    },
    x_of=with_noise,
    needed=ASKED,
)
