"""The exercises that one begins with."""

from __future__ import annotations

from itertools import pairwise

from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.sheet import make_exercise
from mha_core.worksheets.stages import FIRST, STAGES, stage_of


def test_they_grow_from_twenty_blanks_to_those_of_the_usual_exercise() -> None:
    counts = [len(make_exercise(stage.exercise).blanks) for stage in STAGES]
    assert (len(STAGES), counts[0], counts[-1]) == (4, 20, 144)
    assert all(one < other for one, other in pairwise(counts))
    assert all(one.minutes < other.minutes for one, other in pairwise(STAGES))
    assert STAGES[-1].exercise == Exercise()


def test_one_begins_with_two_tokens_and_one_head() -> None:
    assert (FIRST.n_tokens, FIRST.n_heads, STAGES[0].minutes) == (2, 1, 5)


def test_each_stage_is_known_by_its_exercise() -> None:
    assert [stage_of(stage.exercise) for stage in STAGES] == [0, 1, 2, 3]
