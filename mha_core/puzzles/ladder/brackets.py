"""What can be counted by a mean: how deep a token stands within brackets.

With the lowest depth so far, a second layer tells whether each bracket has its other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import FREE
from mha_core.puzzles.puzzle import PLACES, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.sentences import SEED
from mha_core.puzzles.wants import Makes, Predicts, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import BRACKETS, WITH_DEPTH, WITH_LOWEST

UP: Final = 1.0
DOWN: Final = -1.0
DEPTH: Final = len(BRACKETS)  # the column that is to be filled
WIDTH: Final = DEPTH + 1
D_K: Final = 2
BACKWARDS: Final = Mask((Rule("causal"),))


def brackets_and_depth(tokens: Tokens) -> FloatArray:
    """X with a column for each bracket, and one of zeros: there the depth is to be written."""
    return word_and_place(tokens, BRACKETS)[:, :WIDTH] * [1, 1, 0]


def _depth(tokens: Tokens) -> list[Want]:
    """Divided by how many tokens there are up to itself."""
    return [
        Makes(place, (DEPTH,), np.array([depth / (place + 1)]))
        for place, depth in enumerate(_depths(tokens))
    ]


def _depths(tokens: Tokens) -> FloatArray:
    return np.cumsum([UP if token == "(" else DOWN for token in tokens])


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
    replace(of_zeros(WIDTH, d_k=D_K, d_v=1, x=WITH_DEPTH), mask=BACKWARDS),
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


LOWEST: Final = DEPTH + 1
WHOLE: Final = say("whole")
OPEN: Final = say("one is open")
TOO_MANY: Final = say("one too many")
KINDS: Final = (WHOLE, OPEN, TOO_MANY)
GIVEN_DEPTH: Final = 4.0  # of which the first layer writes a part for each token


def brackets_depth_and_lowest(tokens: Tokens) -> FloatArray:
    """X with a column for each bracket, and two of zeros, for the depth and for the lowest one."""
    return np.hstack([brackets_and_depth(tokens), np.zeros((len(tokens), 1))])


def kind_of(tokens: Tokens) -> str:
    """Whether each bracket has its other one; a ) too many counts for more than a ( left open.

    >>> kind_of("(())()"), kind_of("(()"), kind_of("())("), kind_of(")")
    ('whole', 'one is open', 'one too many', 'one too many')
    """
    depths = _depths(tokens)
    if depths.min() < 0:
        return TOO_MANY
    return OPEN if depths[-1] > 0 else WHOLE


def _kind(tokens: Tokens) -> list[Want]:
    return [Predicts(len(tokens) - 1, kind_of(tokens), KINDS)]


def _of_each_kind() -> Iterator[tuple[str, ...]]:
    """Those that differ least, then as many of each kind."""
    yield from map(tuple, ("()()())", "()()())(", ")(", ")" + "(" * 7, "()()()(", "()()()()"))
    rng = np.random.default_rng(SEED)
    while True:
        for kind in KINDS:
            yield _by_chance(rng, kind)


def _by_chance(rng: np.random.Generator, kind: str) -> tuple[str, ...]:
    while True:
        drawn = tuple(map(str, rng.choice(BRACKETS, size=int(rng.integers(1, PLACES + 1)))))
        if kind_of(drawn) == kind:
            return drawn


def _lowest(
    of_depth: float = -5, taken: float = 2, whole: float = 1, kinds: tuple[float, float] = (5, -8)
) -> Arrays:
    """Layer 2 looks where there is so much of the depth, and takes it along.

    W_U has a number for the depth and one for the lowest one.
    """
    w_q, w_v = np.zeros((WIDTH + 1, 1)), np.zeros((WIDTH + 1, 1))
    w_k, w_u = w_q.copy(), np.zeros((WIDTH + 1, len(KINDS)))
    w_q[:DEPTH] = 5
    w_k[DEPTH], w_v[DEPTH] = of_depth, taken
    w_u[1, 0] = whole  # a ) is the last of all that is whole
    w_u[DEPTH, 1], w_u[LOWEST, 2] = kinds
    return {
        "2.w_q": w_q,
        "2.w_k": w_k,
        "2.w_v": w_v,
        "2.w_o": np.eye(WIDTH + 1)[[LOWEST]],
        "w_u": w_u,
    }


COUNTED: Final = of_zeros(WIDTH + 1, d_k=1, d_v=1, x=WITH_LOWEST)
BRACKETS_WHOLE: Final = Puzzle(
    "brackets-whole",
    say("Are the brackets whole"),
    say(
        "The last token predicts “whole” if each bracket has its other one, “one too many” if a ) "
        "closes nothing, else “one is open”. The kind that is right is twice as likely as others."
    ),
    replace(
        COUNTED,
        w_v=GIVEN_DEPTH * np.array([[UP], [DOWN], [0], [0]]),
        w_o=np.eye(WIDTH + 1)[[DEPTH]],
        mask=BACKWARDS,
    ),
    ("2.w_q", "2.w_k", "2.w_v", "2.w_o", "w_u"),
    _kind,
    ("( ( ) )", "( ( ) ( )", "( ) ) ("),
    _lowest,
    most_numbers=8,
    hints=(
        say("Layer 1 is given: it writes how deep each token stands. Is it ever below zero?"),
        say("Layer 2 finds the lowest depth: keys are larger where the depth is smaller."),
        say(
            "In layer 2: W_Q 5 for both brackets, W_K −5 and W_V 2 for the depth, W_O 1 for the "
            "lowest. W_U: 1 for ), 5 for the depth, −8 for the lowest."
        ),
    ),
    source=say(
        "After Bhattamishra et al., 2020, On the Ability and Limitations of Transformers to "
        "Recognize Formal Languages"
    ),
    near_misses={
        "the last depth alone": lambda: {**_lowest(), "2.w_k": np.eye(WIDTH + 1)[:, [DEPTH]]},
        "the mean of all depths": lambda: _lowest(of_depth=0),
        "the highest depth": lambda: _lowest(of_depth=5),
    },
    x_of=brackets_depth_and_lowest,
    words=BRACKETS,
    above=(replace(COUNTED, mask=BACKWARDS),),
    w_u=np.zeros((WIDTH + 1, len(KINDS))),
    predicted=KINDS,
    draw=_of_each_kind,
)
