"""Puzzles of several layers and of predictions: where an answer goes, and ways around the job."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from mha_core.checks.errors import ShapeError
from mha_core.puzzles import mistakes
from mha_core.puzzles.checking import solves
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.ladder.adding import digits_one_and_sum
from mha_core.puzzles.ladder.brackets import brackets_depth_and_lowest, kind_of
from mha_core.puzzles.ladder.room import with_room
from mha_core.puzzles.mistakes import mistake_in
from mha_core.puzzles.puzzle import Puzzle
from mha_core.puzzles.wants import Looks, Makes, Missed, Predicts, number_missed
from mha_core.scenario.x_columns import BRACKETS, DIGITS
from mha_core.stack.attending import attend
from mha_core.stack.stack import Stack

OF_STACKS = [name for name, puzzle in PUZZLES.items() if puzzle.above or puzzle.w_u is not None]
INDUCTION = PUZZLES["induction"]
ADD = PUZZLES["add-digits"]
LAST = DIGITS.index("=")
TOKENS = ("3", "4", "=")


def keys_of(tokens: str) -> dict[int, tuple[int, ...]]:
    return {want.query: want.keys for want in INDUCTION.wanted(tokens) if isinstance(want, Looks)}


def words_of(puzzle: Puzzle, tokens: str) -> dict[int, str]:
    return {want.query: want.word for want in puzzle.wanted(tokens) if isinstance(want, Predicts)}


def test_what_is_wanted() -> None:
    assert keys_of(".abcab") == {4: (2,), 5: (3,)}
    assert keys_of(".aaba") == {2: (2,), 4: (2, 3)}
    assert keys_of(".abc") == {}
    made = [want for want in PUZZLES["two-back"].wanted(".abc") if isinstance(want, Makes)]
    assert [(want.query, int(want.numbers.argmax())) for want in made] == [(2, 0), (3, 1)]
    assert words_of(PUZZLES["induction-word"], ".abaca") == {3: "b"}
    assert words_of(ADD, "99=") == {2: "18"}
    assert words_of(PUZZLES["brackets-whole"], "(()") == {2: "left open"}


def test_what_their_x_says() -> None:
    np.testing.assert_array_equal(with_room(".b"), np.eye(21)[[0, 2]] + np.eye(2, 21, 5))
    np.testing.assert_array_equal(brackets_depth_and_lowest(")("), np.eye(4)[[1, 0]])
    x = digits_one_and_sum(TOKENS)
    assert x.shape == (3, 13)
    assert x.argmax(axis=1).tolist() == [3, 4, LAST]
    np.testing.assert_array_equal(x[:, LAST + 1 :], [[1, 0]] * 3)


def test_the_name_of_an_array_says_its_layer() -> None:
    names = ("w_q", "2.w_q", "w_u")
    assert [INDUCTION.layer_of(name) for name in names] == [0, 1, 1]
    assert [INDUCTION.array_of(name) for name in names] == ["w_q", "w_q", "w_u"]


def test_an_answer_is_written_into_its_layers_and_the_rest_stays() -> None:
    w_q, w_u = np.ones((4, 1)), np.ones((4, 3))
    puzzle = PUZZLES["brackets-whole"]
    layers, written = puzzle.answered({"2.w_q": w_q, "w_u": w_u})
    assert layers == (puzzle.start, replace(puzzle.above[0], w_q=w_q))
    assert written is w_u
    assert puzzle.answered({}).w_u is puzzle.w_u


def test_an_answer_of_other_shapes_is_refused() -> None:
    whole = INDUCTION.on_all_seen({})
    first, second = whole.first, INDUCTION.above[0]
    wide = replace(second, w_q=np.zeros((21, 4)), w_k=np.zeros((21, 4)))
    with pytest.raises(ShapeError, match=r"Layer 2: W_Q must have shape .* = \(21, 8\)"):
        INDUCTION.answer_in(Stack((first, wide)))
    for layers in ((first,), (first, second, second)):
        with pytest.raises(ShapeError, match="must have 2 layers"):
            INDUCTION.answer_in(Stack(layers))
    predicting = ADD.on_all_seen({})
    with pytest.raises(ShapeError, match="must have a W_U"):
        ADD.answer_in(Stack((predicting.first,)))
    with pytest.raises(ShapeError, match=r"W_U must have shape .* = \(13, 19\)"):
        ADD.answer_in(Stack((predicting.first,), w_u=np.zeros((13, 2))))


def test_a_stack_adds_to_its_stream_and_a_layer_alone_does_not() -> None:
    has_stream = {name: puzzle.on_all_seen({}).residual for name, puzzle in PUZZLES.items()}
    assert [name for name, has in has_stream.items() if has] == OF_STACKS


@pytest.mark.parametrize("name", OF_STACKS)
def test_many_answers_by_chance_do_not_solve_it(name: str) -> None:
    puzzle, rng = PUZZLES[name], np.random.default_rng(1)
    for strength in (0.5, 2, 5, 20):
        arrays = {
            each: strength * rng.normal(size=array.shape)
            for each, array in puzzle.solution().items()
        }
        assert not solves(puzzle, arrays)


@pytest.mark.parametrize("name", [name for name in OF_STACKS if PUZZLES[name].above])
def test_one_layer_of_a_solution_is_not_enough(name: str) -> None:
    puzzle = PUZZLES[name]
    solution = puzzle.solution()
    for layer in range(2):
        alone = {n: array for n, array in solution.items() if puzzle.layer_of(n) == layer}
        if len(alone) < len(solution):
            assert not solves(puzzle, alone)


def test_its_solutions_do_the_job_on_all_sentences_that_there_are() -> None:
    whole = PUZZLES["brackets-whole"]
    lengths = range(1, whole.places + 1)
    every = {
        ADD: [(a, b, "=") for a, b in product("0123456789", repeat=2)],
        whole: [tokens for n in lengths for tokens in product(BRACKETS, repeat=n)],
    }
    for puzzle, sentences in every.items():
        assert solves(replace(puzzle, hidden=tuple(sentences)), puzzle.solution())


def test_brackets_of_each_kind_are_drawn() -> None:
    puzzle = PUZZLES["brackets-whole"]
    assert puzzle.draw is not None
    drawn = puzzle.draw()
    kinds = [kind_of(next(drawn)) for _ in range(46)]
    assert all(kinds.count(kind) >= 10 for kind in puzzle.predicted)


def test_with_zeros_all_words_are_as_likely() -> None:
    trace = attend(ADD.on(ADD.answered({}), TOKENS))
    want = Predicts(2, "7", ADD.predicted)
    missed = want.missed_in(trace)
    assert missed is not None
    assert number_missed(trace, missed) == pytest.approx(1 / 19)
    assert mistake_in(trace, want) == mistakes.MANY_WORDS
    assert [want.number_at(replace(missed.cell, column=column)) for column in (6, 7)] == [0, 1]


def test_a_want_may_be_one_of_the_first_layer() -> None:
    trace = attend(INDUCTION.on(INDUCTION.answered(INDUCTION.solution()), (".", "a", "b")))
    assert Looks(2, (1,), layer=0).missed_in(trace) is None
    missed = Looks(2, (0,), layer=0).missed_in(trace)
    assert missed is not None
    assert (missed.layer, missed.cell.column) == (0, 0)
    assert number_missed(trace, missed) == trace.layers[0].weights[0, 2, 0]
    assert isinstance(missed, Missed)
