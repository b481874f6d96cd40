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
CLOSES: Final = 1  # the column of ), the last token of all that is whole
WHOLE: Final = say("whole")
OPEN: Final = say("left open")
TOO_MANY: Final = say("too many")
KINDS: Final = (WHOLE, OPEN, TOO_MANY)
GIVEN_DEPTH: Final = 4.0  # of which the first layer writes a part for each token


def brackets_depth_and_lowest(tokens: Tokens) -> FloatArray:
    """X with a column for each bracket, and two of zeros, for the depth and for the lowest one."""
    return np.hstack([brackets_and_depth(tokens), np.zeros((len(tokens), 1))])


def kind_of(tokens: Tokens) -> str:
    """Whether each bracket has its other one; a ) too many counts for more than a ( left open.

    >>> kind_of("(())()"), kind_of("(()"), kind_of("())("), kind_of(")")
    ('whole', 'left open', 'too many', 'too many')
    """
    depths = _depths(tokens)
    if depths.min() < 0:
        return TOO_MANY
    return OPEN if depths[-1] > 0 else WHOLE


def _kind(tokens: Tokens) -> list[Want]:
    return [Predicts(len(tokens) - 1, kind_of(tokens), KINDS)]


def _of_each_kind() -> Iterator[tuple[str, ...]]:
    """Those that differ least, then as many of each kind, and of those that end as if right."""
    yield from map(tuple, ("()()())", "()()())(", ")(", ")" + "(" * 7, "()()()(", "()()()()"))
    rng = np.random.default_rng(SEED)
    while True:
        for kind in KINDS:
            yield _by_chance(rng, kind)
        yield _by_chance(rng, TOO_MANY, ends_at=0)


def _by_chance(rng: np.random.Generator, kind: str, ends_at: float = -PLACES) -> tuple[str, ...]:
    """One of a kind, in which the last token stands so deep at least."""
    while True:
        drawn = tuple(map(str, rng.choice(BRACKETS, size=int(rng.integers(1, PLACES + 1)))))
        if kind_of(drawn) == kind and _depths(drawn)[-1] >= ends_at:
            return drawn


def _telling(of_depth: float = -5, told_by: int = LOWEST) -> Arrays:
    """Layer 2 looks where there is so much of the depth, and takes it along.

    W_U tells by one column whether there is a ) too many.
    """
    nothing = np.zeros((WIDTH + 1, 1))
    w_q, w_k, w_v = nothing.copy(), nothing.copy(), nothing.copy()
    w_q[:DEPTH], w_k[DEPTH], w_v[DEPTH] = 5, of_depth, 2
    w_u = np.zeros((WIDTH + 1, len(KINDS)))
    w_u[CLOSES, 0], w_u[DEPTH, 1], w_u[told_by, 2] = 1, 5, -8
    w_o = np.eye(WIDTH + 1)[[LOWEST]]
    return {"2.w_q": w_q, "2.w_k": w_k, "2.w_v": w_v, "2.w_o": w_o, "w_u": w_u}


COUNTED: Final = of_zeros(WIDTH + 1, d_k=1, d_v=1, x=WITH_LOWEST)
BRACKETS_WHOLE: Final = Puzzle(
    "brackets-whole",
    say("Are the brackets whole"),
    say(
        "The last token predicts “whole” if each bracket has its other one, “too many” if a ) "
        "closes nothing, else “left open”. What is right is at least twice as likely as the others."
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
    _telling,
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
        "the last depth alone": lambda: _telling(told_by=DEPTH),
        "the mean of all depths": lambda: _telling(of_depth=0),
        "the highest depth": lambda: _telling(of_depth=5),
    },
    x_of=brackets_depth_and_lowest,
    words=BRACKETS,
    above=(replace(COUNTED, mask=BACKWARDS),),
    w_u=np.zeros((WIDTH + 1, len(KINDS))),
    predicted=KINDS,
    draw=_of_each_kind,
)
