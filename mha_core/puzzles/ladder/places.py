"""The token before, where places are told in other ways than by a table: by waves, by rotation."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import FREE, SEEN, before_each
from mha_core.puzzles.puzzle import WORDS, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.scenario.score_options import ScoreOptions
from mha_core.scenario.x_columns import BY_WAVES as X_BY_WAVES
from mha_core.scenario.x_columns import WAVES, WITH_A_ONE

BASE: Final = 100.0
D_K: Final = 2 * WAVES
STRONG: Final = 5.0
STEPS: Final = BASE ** (-np.arange(0, D_K, 2) / D_K)  # radians from one place to the next


def with_waves(tokens: Tokens) -> FloatArray:
    """X with a column for each word, then cosine and sine of each wave at the token's place."""
    angles = np.arange(len(tokens))[:, None] * STEPS
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(len(tokens), D_K)
    return np.hstack([_words(tokens), waves])


def with_a_one(tokens: Tokens) -> FloatArray:
    """X with a column for each word, then a column of ones."""
    return np.hstack([_words(tokens), np.ones((len(tokens), 1))])


def _words(tokens: Tokens) -> FloatArray:
    return word_and_place(tokens)[:, : len(WORDS)]


def _turns(steps: float) -> FloatArray:
    """What turns each pair of columns back by so many places."""
    turns = np.zeros((D_K, D_K))
    for pair, step in enumerate(STEPS):
        cos, sin = np.cos(steps * step), np.sin(steps * step)
        turns[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cos, -sin], [sin, cos]]
    return turns


def _below_words(rows: FloatArray) -> FloatArray:
    return np.vstack([np.zeros((len(WORDS), D_K)), rows])


def _by_waves(steps: float, strength: float = STRONG) -> Arrays:
    """A query looks for the waves so many places before its own."""
    return {
        "w_q": _below_words(strength * _turns(steps)),
        "w_k": _below_words(strength * np.eye(D_K)),
    }


def _by_rope(steps: float, strength: float = STRONG) -> Arrays:
    """All keys are one row and all queries another, turned back: RoPE turns each to its place."""
    row = np.tile([1.0, 0.0], D_K // 2)[None]
    return {
        "w_q": _below_words(strength * row @ _turns(steps)),
        "w_k": _below_words(strength * row),
    }


BY_WAVES: Final = Puzzle(
    "before-waves",
    say("Look at the token before you, by waves"),
    say(
        "Each token but the first gives nearly all of its weight to the one before it. X says its "
        "place by waves: a pair of columns turns by one step from row to row."
    ),
    of_zeros(len(WORDS) + D_K, d_k=D_K, d_v=len(WORDS), x=X_BY_WAVES),
    FREE,
    before_each,
    SEEN,
    lambda: _by_waves(1),
    most_numbers=3 * D_K,
    hints=(
        say("Let a key say where it stands: W_K copies the columns of waves."),
        say("One place before is the same waves, each pair of columns turned back by one step."),
        say(
            "A pair is turned by cos, −sin in its first row and sin, cos in its second. Row 2 of X "
            "has cos and sin of one step."
        ),
    ),
    source=say("After Vaswani et al., 2017, Attention Is All You Need"),
    near_misses={
        "itself": lambda: _by_waves(0),
        "the token after": lambda: _by_waves(-1),
        "too weak": lambda: _by_waves(1, 2.0),
    },
    x_of=with_waves,
)

BY_ROPE: Final = Puzzle(
    "before-rope",
    say("Look at the token before you, by rotation"),
    say(
        "Each token but the first gives nearly all of its weight to the one before it. X says no "
        "place: RoPE turns each pair of columns of a query and of a key by its place."
    ),
    replace(
        of_zeros(len(WORDS) + 1, d_k=D_K, d_v=len(WORDS), x=WITH_A_ONE),
        scores=ScoreOptions(positions="rope", rope_base=BASE),
    ),
    FREE,
    before_each,
    SEEN,
    lambda: _by_rope(1),
    most_numbers=D_K + D_K // 2,
    hints=(
        say("X does not say where a token stands. The last column is 1 for each token."),
        say(
            "RoPE turns each key and each query to its place. If both are the same row, a token "
            "looks at itself."
        ),
        say(
            "Turn the row of the queries back by one step: cos and −sin in each pair of columns. "
            "One step is 1, 0.32, 0.1 and 0.03 radians."
        ),
    ),
    source=say("After Su et al., 2021, RoFormer"),
    near_misses={
        "itself": lambda: _by_rope(0),
        "the token after": lambda: _by_rope(-1),
        "too weak": lambda: _by_rope(1, 2.0),
    },
    x_of=with_a_one,
)

OF_PLACES: Final = (BY_WAVES, BY_ROPE)
