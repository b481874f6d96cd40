"""Ways around a puzzle that would look right: half as strong, one head for two, a number less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from mha_core.puzzles.checking import check, solves
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.ladder.brackets import brackets_and_depth
from mha_core.puzzles.ladder.ranking import numbers_and_places
from mha_core.puzzles.ladder.two_heads import with_noise
from mha_core.puzzles.puzzle import Arrays, Puzzle
from mha_core.puzzles.wants import Looks, Makes

NEW = ("greatest", "last-a", "brackets-depth", "noisy-key")
NO_NUMBER_TOO_MANY = (*NEW, "two-back", "induction-word", "add-digits", "brackets-whole")
NOISY = PUZZLES["noisy-key"]


def keys_of(puzzle: Puzzle, tokens: Sequence[str]) -> dict[int, tuple[int, ...]]:
    return {want.query: want.keys for want in puzzle.wanted(tokens) if isinstance(want, Looks)}


def made_of(puzzle: Puzzle, tokens: Sequence[str]) -> list[list[float]]:
    return [w.numbers.tolist() for w in puzzle.wanted(tokens) if isinstance(w, Makes)]


def with_one_less(arrays: Arrays) -> Iterator[Arrays]:
    for name, array in arrays.items():
        for place in np.argwhere(array):
            less = array.copy()
            less[tuple(place)] = 0
            yield {**arrays, name: less}


def test_what_is_wanted() -> None:
    assert keys_of(PUZZLES["greatest"], "2132") == {0: (0,), 1: (0,), 2: (2,), 3: (2,)}
    assert keys_of(PUZZLES["greatest"], "2212")[3] == (0, 1, 3)
    assert keys_of(PUZZLES["last-a"], "baac") == {1: (1,), 2: (2,), 3: (2,)}
    assert made_of(PUZZLES["brackets-depth"], "(())") == [[1], [1], [1 / 3], [0]]
    assert made_of(NOISY, "caab") == [[0, 0.25, 0.25, 0.5, 0, 0, 0, 0]] * 4
    assert made_of(NOISY, "caca") == []


def test_what_their_x_says() -> None:
    np.testing.assert_array_equal(
        numbers_and_places("51")[:, :6], np.eye(6)[[4, 0]] + np.eye(2, 6, 5)
    )
    np.testing.assert_array_equal(brackets_and_depth(")("), [[0, 1, 0], [1, 0, 0]])
    assert with_noise("abc")[:, :3].diagonal().tolist() == [0.5, 1, 1]
    assert with_noise("abca")[:, 0].tolist() == [1.5, 0, 0, 1.5]


@pytest.mark.parametrize("name", NEW)
def test_half_of_a_solution_is_too_weak(name: str) -> None:
    puzzle = PUZZLES[name]
    solution = puzzle.solution()
    half = {each: array / 2 for each, array in solution.items()}
    assert not solves(puzzle, half)
    for each in solution:
        if solution[each].any():
            assert not solves(puzzle, {**solution, each: half[each]})


@pytest.mark.parametrize("name", NO_NUMBER_TOO_MANY)
def test_no_number_of_a_solution_can_be_left_out(name: str) -> None:
    puzzle = PUZZLES[name]
    assert not [less for less in with_one_less(puzzle.solution()) if solves(puzzle, less)]


@pytest.mark.parametrize("a", [0, 0.5, 1, 2, 4, 8])
@pytest.mark.parametrize("b", [0.25, 0.5, 1, 1.5, 2])
def test_one_head_does_not_find_two_words_of_which_one_is_noisy(a: float, b: float) -> None:
    """However much it asks for a, and b in proportion."""
    w_q = np.zeros_like(NOISY.start.w_q)
    w_q[:5] = np.array([a, a * b, a, a * b])
    verdict = check(NOISY, {**NOISY.solution(), "w_q": w_q})
    assert verdict.passed < verdict.count / 2
