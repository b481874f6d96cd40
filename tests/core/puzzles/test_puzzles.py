"""Each puzzle is solved by its own solution, and by nothing that only looks like one."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.puzzles import mistakes
from mha_core.puzzles.checking import check, count_of_numbers, solves
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.puzzle import Arrays, Puzzle
from mha_core.puzzles.sentences import HIDDEN, hidden_sentences
from mha_core.puzzles.wants import LEAST, Looks, Makes, Missed, count_of_right
from mha_core.scenario.x_columns import OF_PUZZLES, column_names, columns_of_place
from mha_core.stack.attending import attend
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace

MISSES = [(name, miss) for name, puzzle in PUZZLES.items() for miss in puzzle.near_misses]


def zeros(puzzle: Puzzle) -> Arrays:
    given = puzzle.answer_in(puzzle.on_all_seen({}))
    return {name: np.zeros_like(array) for name, array in given.items()}


def made(trace: StackTrace, step: str) -> FloatArray:
    """What a page shows of this step: a row for each token."""
    if step == "probabilities":
        assert trace.probabilities is not None
        return trace.probabilities
    last = trace.layers[-1]
    array: FloatArray = last.weights[0] if step == "weights" else last.output
    return array


@pytest.mark.parametrize("name", PUZZLES)
def test_its_own_solution_has_three_stars(name: str) -> None:
    puzzle = PUZZLES[name]
    arrays = puzzle.solution()
    verdict = check(puzzle, arrays)
    assert (verdict.passed, verdict.stars) == (verdict.count, 3)
    assert verdict.is_right
    assert verdict.first_failure is None
    assert count_of_numbers(arrays) <= puzzle.most_numbers


@pytest.mark.parametrize("name", PUZZLES)
def test_zeros_and_numbers_by_chance_do_not_solve_it(name: str) -> None:
    puzzle = PUZZLES[name]
    rng = np.random.default_rng(4)
    by_chance = {each: 3 * rng.normal(size=array.shape) for each, array in zeros(puzzle).items()}
    for arrays in (zeros(puzzle), by_chance):
        verdict = check(puzzle, arrays)
        assert not verdict.is_right
        assert not solves(puzzle, arrays)
        assert verdict.stars == 0


@pytest.mark.parametrize(("name", "miss"), MISSES)
def test_a_near_miss_is_refused_at_a_number_that_is_wrong(name: str, miss: str) -> None:
    puzzle = PUZZLES[name]
    verdict = check(puzzle, puzzle.near_misses[miss]())
    assert not verdict.is_right
    failure = verdict.first_failure
    assert failure is not None
    trace = attend(failure.stack)
    missed = [want.missed_in(trace) for want in puzzle.wanted(failure.stack.tokens)]
    assert Missed(failure.layer, failure.cell) in missed


def test_each_puzzle_has_three_near_misses_and_hints() -> None:
    assert {len(puzzle.near_misses) for puzzle in PUZZLES.values()} == {3}
    assert all(puzzle.job.endswith(".") and all(puzzle.hints) for puzzle in PUZZLES.values())


@pytest.mark.parametrize(
    ("name", "miss", "said"),
    [
        ("itself", "words instead of places", mistakes.SAME_WORD),
        ("itself", "too weak", mistakes.TOO_WEAK),
        ("before", "itself", mistakes.LOOKS_AT_ITSELF),
        ("before-waves", "the token after", mistakes.OTHER_SIDE),
        ("first", "one word asks", mistakes.TIED),
        ("same-word", "places instead of words", mistakes.SAME_PLACE),
        ("last-a", "all a alike", mistakes.SAME_WORD),
        ("greatest", "4 and 5 alike", mistakes.TIED),
        ("copy", "its own word", mistakes.UNKNOWN),
        ("induction", "layer 2 looks for the same word", mistakes.OWN_WORD),
        ("induction", "one word is not copied", mistakes.TIED),
        ("induction", "too weak", mistakes.TOO_WEAK),
        ("induction-pointer", "one place is not taken along", mistakes.UNEVEN),
        ("two-back", "layer 2 takes the words", mistakes.UNKNOWN),
        ("induction-word", "W_U reads the token's own word", mistakes.ITSELF),
        ("induction-word", "the logits are small", mistakes.TOO_UNSURE),
        ("add-digits", "9 counts as 8", mistakes.NEXT_NUMBER),
        ("add-digits", "no square is taken off", mistakes.UNKNOWN),
        ("brackets-whole", "the mean of all depths", mistakes.TWO_WORDS),
    ],
)
def test_a_known_mistake_is_named(name: str, miss: str, said: str) -> None:
    puzzle = PUZZLES[name]
    failure = check(puzzle, puzzle.near_misses[miss]()).first_failure
    assert failure is not None
    assert failure.mistake == said
    assert failure.layer == len(puzzle.above)


def test_looking_one_beside_the_right_one_is_named() -> None:
    puzzle = PUZZLES["before"]
    two_back = np.zeros((13, 8))
    two_back[5:] = 4 * np.eye(8, k=-2)
    failure = check(puzzle, {"w_q": two_back, "w_k": puzzle.solution()["w_k"]}).first_failure
    assert failure is not None
    assert failure.mistake == mistakes.TIED  # the second token finds nothing two before it
    of_third = Looks(2, (1,))
    trace = attend(
        puzzle.on(
            puzzle.answered({"w_q": two_back, "w_k": puzzle.solution()["w_k"]}), ("a", "b", "c")
        )
    )
    assert mistakes.mistake_in(trace, of_third) == mistakes.OFF_BY_ONE
    assert mistakes.mistake_in(trace, Looks(2, (2,))) == mistakes.UNKNOWN


def test_many_numbers_or_large_ones_cost_a_star() -> None:
    puzzle = PUZZLES["itself"]
    large = {name: 3 * array for name, array in puzzle.solution().items()}
    assert check(puzzle, large).stars == 2
    many = {name: array + 1e-9 for name, array in puzzle.solution().items()}
    assert check(puzzle, many).stars == 2


def test_while_one_writes_the_sentences_that_are_seen_are_checked_alone() -> None:
    puzzle = PUZZLES["same-word"]
    verdict = check(puzzle, puzzle.near_misses["one word is left out"](), seen_alone=True)
    assert verdict.count == len(puzzle.seen)


def test_hidden_sentences_are_many_short_and_long_and_always_the_same() -> None:
    words = tuple("abcde")
    sentences = hidden_sentences(words, 8)
    assert len(set(sentences)) == len(sentences) == HIDDEN
    assert {len(each) for each in sentences} == set(range(1, 9))
    assert any(len(set(each)) == 1 and len(each) == 8 for each in sentences)
    hidden_sentences.cache_clear()
    assert hidden_sentences(words, 8) == sentences


@pytest.mark.parametrize("name", [name for name, puzzle in PUZZLES.items() if puzzle.needed])
def test_something_is_wanted_of_each_sentence_with_the_words_that_it_needs(name: str) -> None:
    puzzle = PUZZLES[name]
    sentences = hidden_sentences(puzzle.words, puzzle.places, puzzle.needed)
    assert len(set(sentences)) == len(sentences) == HIDDEN
    assert all(puzzle.wanted(sentence) for sentence in (*sentences, *puzzle.sentences_seen))
    for word in puzzle.needed:
        assert not puzzle.wanted([each for each in sentences[0] if each != word])
        alone = {each.index(word) for each in sentences if each.count(word) == 1}
        assert alone == set(range(puzzle.places))


def test_an_answer_writes_only_what_is_free() -> None:
    with pytest.raises(OptionError, match="The arrays of an answer must be one of w_q, w_k"):
        check(PUZZLES["itself"], {"w_v": np.zeros((13, 5))})


def test_each_of_several_keys_is_to_get_as_much() -> None:
    puzzle = PUZZLES["itself"]
    even = attend(puzzle.on(puzzle.answered({}), ("a", "b")))
    assert Looks(0, (0, 1)).missed_in(even) is None
    itself = attend(puzzle.on(puzzle.answered(puzzle.solution()), ("a", "b")))
    missed = Looks(0, (0, 1)).missed_in(itself)
    assert missed is not None
    assert missed.cell.column == 1


@pytest.mark.parametrize("name", PUZZLES)
def test_all_sentences_seen_are_one_stack_with_the_numbers_of_each_alone(name: str) -> None:
    puzzle = PUZZLES[name]
    answer = puzzle.answered(puzzle.solution())
    together = attend(puzzle.on_all_seen(puzzle.solution()))
    first = 0
    for sentence in puzzle.sentences_seen:
        alone, rows = attend(puzzle.on(answer, sentence)), slice(first, first + len(sentence))
        for layer, of_alone in zip(together.layers, alone.layers, strict=True):
            np.testing.assert_allclose(layer.weights[:, rows, rows], of_alone.weights, atol=1e-12)
            np.testing.assert_allclose(layer.output[rows], of_alone.output, atol=1e-12)
        if alone.logits is not None and together.logits is not None:
            np.testing.assert_allclose(together.logits[rows], alone.logits, atol=1e-9)
        first += len(sentence)
    assert first == len(together.stack.tokens)


@pytest.mark.parametrize("name", PUZZLES)
def test_what_is_wanted_of_them_is_made_by_the_solution_and_not_by_zeros(name: str) -> None:
    puzzle = PUZZLES[name]
    step, wanted = puzzle.wanted_of_all_seen()

    def right(arrays: Arrays) -> tuple[int, int]:
        return count_of_right(step, made(attend(puzzle.on_all_seen(arrays)), step), wanted)

    is_right, count = right(puzzle.solution())
    assert is_right == count > 0
    assert right({})[0] < count


@pytest.mark.parametrize("name", PUZZLES)
def test_an_answer_is_read_from_a_scenario_of_its_shapes(name: str) -> None:
    puzzle = PUZZLES[name]
    arrays = puzzle.solution()
    read = puzzle.answer_in(puzzle.on_all_seen(arrays))
    assert set(read) == set(puzzle.free)
    for each, array in arrays.items():
        np.testing.assert_array_equal(read[each], array)
    with pytest.raises(ShapeError):
        puzzle.answer_in(Stack((load_example("pizza"),), residual=False))


@pytest.mark.parametrize("name", PUZZLES)
def test_the_parts_of_x_are_all_of_its_columns(name: str) -> None:
    puzzle = PUZZLES[name]
    columns = list(range(len(puzzle.start.w_q)))
    assert [each for part in puzzle.parts_of_x.values() for each in columns[part]] == columns


@pytest.mark.parametrize("name", PUZZLES)
def test_its_columns_are_named_and_its_words_are_those_of_its_x(name: str) -> None:
    puzzle = PUZZLES[name]
    x, recipe = puzzle.on_all_seen({}).first.x, puzzle.start.origin.x
    words, beside, tell_places, room = OF_PUZZLES[recipe]
    assert words == puzzle.words
    names = column_names(x, recipe)
    assert names == words + beside + room
    assert len(names) == x.shape[1]
    columns = columns_of_place(x, recipe)
    assert (names[columns] if columns else ()) == (beside if tell_places else ())


@pytest.mark.parametrize("words", [0, 1], ids=["no word", "all words at once"])
def test_an_x_whose_rows_say_no_single_word_is_none_of_a_puzzle(words: float) -> None:
    assert column_names(np.full((3, 13), float(words)), "letters_places") == ()
    assert columns_of_place(np.full((3, 13), float(words)), "letters_places") is None


def test_what_is_missed_says_what_would_be_right() -> None:
    half = Looks(2, (0, 1))
    assert half.least_of(Cell("weights", 0, 2, 0)) == LEAST / 2
    makes = Makes(0, (1, 2), np.array([0.25, 0.75]))
    assert makes.number_at(Cell("output", None, 0, 2)) == 0.75
