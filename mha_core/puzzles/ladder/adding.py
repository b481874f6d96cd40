"""A sum by a mean: the last of three tokens says what two digits make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.sentences import SEED
from mha_core.puzzles.wants import Predicts, Want
from mha_core.scenario.x_columns import DIGITS, WITH_SUM

*TEN, EQUALS = DIGITS
ONE: Final = len(DIGITS)  # the column of ones, and the one that is to be filled
SUM: Final = ONE + 1
WIDTH: Final = SUM + 1
SUMS: Final = tuple(map(str, range(2 * int(TEN[-1]) + 1)))
TOKENS: Final = 3
VALUES: Final = np.arange(len(TEN), dtype=float)
SHARP: Final = 0.8  # the right sum is e to that, 2.2 times, as likely as those beside it
LARGE: Final = 10.0
ALL_ONES: Final = 100.0  # what the column of ones is then


def digits_one_and_sum(tokens: Tokens) -> FloatArray:
    """X with a column for each digit and for =, a column of ones, and one of zeros for the sum."""
    n = len(tokens)
    return np.hstack([word_and_place(tokens, DIGITS)[:, :ONE], np.ones((n, 1)), np.zeros((n, 1))])


def _sum(tokens: Tokens) -> list[Want]:
    a, b, _ = tokens
    return [Predicts(TOKENS - 1, str(int(a) + int(b)), SUMS)]


def _two_digits() -> Iterator[tuple[str, ...]]:
    """Each sum that there may be, then digits by chance."""
    for total in range(len(SUMS)):
        yield (str(total // 2), str(total - total // 2), EQUALS)
    rng = np.random.default_rng(SEED)
    while True:
        yield (*map(str, rng.choice(TEN, size=2)), EQUALS)


def _adding(values: FloatArray = VALUES, square: float = SHARP) -> Arrays:
    """The logit of s is 2 s (a + b) − s²: of all s, it is greatest for a + b."""
    w_v, w_o = np.zeros((WIDTH, 2)), np.zeros((2, WIDTH))
    w_v[: len(TEN), 0], w_v[ONE, 1] = values, LARGE
    w_o[0, SUM], w_o[1, ONE] = LARGE, (ALL_ONES - 1) / LARGE
    s, w_u = np.arange(len(SUMS)), np.zeros((WIDTH, len(SUMS)))
    w_u[SUM] = SHARP * 2 * s * TOKENS / LARGE
    w_u[ONE] = -square * s**2 / ALL_ONES
    return {"w_v": w_v, "w_o": w_o, "w_u": w_u}


ADD_DIGITS: Final = Puzzle(
    "add-digits",
    say("Add two digits"),
    say(
        "After two digits, the token = predicts their sum: at least twice as likely as each other "
        "number. All three tokens get the same weight."
    ),
    of_zeros(WIDTH, d_k=1, d_v=2, x=WITH_SUM),
    ("w_v", "w_o", "w_u"),
    _sum,
    ("3 4 =", "0 9 =", "8 8 ="),
    _adding,
    most_numbers=len(TEN) - 1 + 3 + 2 * (len(SUMS) - 1),
    hints=(
        say("What comes out is the mean of the values: of a digit, its value is a number."),
        say(
            "The logit 2 s (a + b) − s² is greatest where s is a + b. The column of ones makes s²."
        ),
        say(
            "W_V: 0 to 9 for the digits, and in a second column 10 for the ones. W_O: 10 for the "
            "sum, 9.9 for the ones. W_U: 0.48 s for the sum, −0.008 s² for the ones."
        ),
    ),
    source=say(
        "After Nanda et al., 2023, Progress Measures for Grokking via Mechanistic Interpretability"
    ),
    near_misses={
        "9 counts as 8": lambda: _adding(np.minimum(VALUES, 8)),
        "no square is taken off": lambda: _adding(square=0),
        "the square is a bit too large": lambda: _adding(square=SHARP * 1.05),
    },
    x_of=digits_one_and_sum,
    words=DIGITS,
    places=TOKENS,
    w_u=np.zeros((WIDTH, len(SUMS))),
    predicted=SUMS,
    draw=_two_digits,
)
