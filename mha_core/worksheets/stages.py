"""The exercises that one begins with, from five minutes to the whole way: each adds something."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from mha_core.language import say
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.worksheets.exercise import Exercise


class Stage(NamedTuple):
    """An exercise, what is new in it, and about how many minutes it takes."""

    title: str
    minutes: int
    exercise: Exercise


STAGES: Final = (
    Stage(
        say("Two tokens, one head"),
        5,
        Exercise(n_tokens=2, d_model=2, n_heads=1, difficulty="queries_given", base="2"),
    ),
    Stage(
        say("Softmax with e"),
        15,
        Exercise(n_heads=1, difficulty="queries_given", scale=BY_ROOT_D_K),
    ),
    Stage(say("Two heads"), 25, Exercise(difficulty="queries_given")),
    Stage(say("The whole way"), 45, Exercise()),
)
FIRST: Final = STAGES[0].exercise


def stage_of(exercise: Exercise) -> int | None:
    """The number of the stage that an exercise belongs to, whatever its seed.

    >>> stage_of(FIRST), stage_of(Exercise(seed=7)), stage_of(Exercise(n_tokens=5))
    (0, 3, None)
    """
    found = (n for n, stage in enumerate(STAGES) if replace(exercise, seed=0) == stage.exercise)
    return next(found, None)
