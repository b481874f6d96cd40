"""What can be counted by a mean: how deep a token stands within brackets."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import FREE
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.wants import Makes, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import BRACKETS, WITH_DEPTH

UP: Final = 1.0
DOWN: Final = -1.0
DEPTH: Final = len(BRACKETS)  # the column that is to be filled
WIDTH: Final = DEPTH + 1
D_K: Final = 2


def brackets_and_depth(tokens: Tokens) -> FloatArray:
    """X with a column for each bracket, and one of zeros: there the depth is to be written."""
    return word_and_place(tokens, BRACKETS)[:, :WIDTH] * [1, 1, 0]


def _depth(tokens: Tokens) -> list[Want]:
    """Divided by how many tokens there are up to itself."""
    depths = np.cumsum([UP if token == "(" else DOWN for token in tokens])
    return [
        Makes(place, (DEPTH,), np.array([depth / (place + 1)]))
        for place, depth in enumerate(depths)
    ]


def _counting(up: float, down: float, look: float = 0) -> Arrays:
    """It takes one number for each bracket. If it looks, then at brackets of its own kind."""
    one = np.eye(WIDTH)
    w_q = look * one[:, :D_K]
    w_v = np.array([[up], [down], [0]])
    return {"w_q": w_q, "w_k": w_q, "w_v": w_v, "w_o": one[[DEPTH]]}


BRACKETS_DEPTH: Final = Puzzle(
    "brackets-depth",
    say("How deep in brackets"),
    say(
        "Each token makes its depth, divided by how many tokens there are up to itself, in the "
        "column “depth”: ( goes one up, ) goes one down."
    ),
    replace(of_zeros(WIDTH, d_k=D_K, d_v=1, x=WITH_DEPTH), mask=Mask((Rule("causal"),))),
    (*FREE, "w_v", "w_o"),
    _depth,
    ("( ( ) (", "( ) ) )", "( ( ( ) )"),
    lambda: _counting(UP, DOWN),
    most_numbers=3,
    hints=(
        say("With equal weights, what comes out is the mean of the values."),
        say("One number for each bracket is enough: 1 for ( and −1 for )."),
        say("W_Q and W_K stay zeros. W_V has 1 and −1, W_O has a 1 in the column “depth”."),
    ),
    source=say(
        "After Bhattamishra et al., 2020, On the Ability and Limitations of Transformers to "
        "Recognize Formal Languages"
    ),
    near_misses={
        "it counts ( alone": lambda: _counting(UP, 0),
        "both go up": lambda: _counting(UP, UP),
        "it looks at brackets of its own kind": lambda: _counting(UP, DOWN, look=4),
    },
    x_of=brackets_and_depth,
    words=BRACKETS,
)
