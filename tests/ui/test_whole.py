"""The first picture: what stands in it, and where on a wide screen and on a narrow one."""

from __future__ import annotations

from collections import Counter

import pytest

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_changes, with_own_values, with_tokens
from mha_core.changing.recipes import Recipe
from mha_core.examples import load_example
from mha_core.reading.sentences import NAMES
from ui.figures.fitted import FittedBoard, on_screen
from ui.figures.whole import is_small_enough, whole_figure

CAT = attend(load_example("the-cat"))


def board_of(trace: Trace, width: float) -> FittedBoard:
    heads = range(trace.scenario.n_heads)
    return on_screen(whole_figure(trace, heads, ["a name"] * len(heads)), (width, 720))


ABOVE_THE_PICTURE = 243  # pixels of the page


def words(n_tokens: int) -> Scenario:
    sentence = "the cat sees the other cat and the dog sees the cat and the other dog"
    return with_tokens(CAT.scenario, (3 * f"{sentence} ").split()[:n_tokens])


def in_rows(board: FittedBoard) -> list[list[str]]:
    """The names of matrices that begin at one height, from the top."""
    tops: dict[float, list[str]] = {}
    for matrix in board.matrices:
        tops.setdefault(round(matrix.y), []).append(matrix.name)
    return [tops[top] for top in sorted(tops)]


def test_on_a_projector_all_stands_in_two_rows_of_tokens_in_line() -> None:
    scores, weights = ([f"{step}/{i}" for i in range(4)] for step in ("masked_scores", "weights"))
    assert in_rows(board_of(CAT, 963)) == [["x", *scores, "concat"], [*weights, "output"]]


def test_on_a_narrower_screen_first_the_output_goes_below_then_the_heads() -> None:
    assert in_rows(board_of(CAT, 760))[2:] == [["concat", "output"]]
    heads = [row for row in in_rows(board_of(CAT, 448)) if "masked_scores" in row[0]]
    assert [len(row) for row in heads] == [2, 2]


def test_where_heads_stand_one_below_the_other_all_else_does_too() -> None:
    board = board_of(attend(words(16)), 358)
    assert {len(row) for row in in_rows(board)} == {1}
    assert board.cell >= 13


@pytest.mark.parametrize("width", [963, 760, 448, 358, 288])
def test_nothing_is_wider_than_the_screen(width: float) -> None:
    assert board_of(CAT, width).width <= width


@pytest.mark.parametrize("width", [963, 760, 448, 288])
@pytest.mark.parametrize("example", ["the-cat", "pizza", "two-tokens"])
def test_other_names_of_heads_move_nothing(example: str, width: float) -> None:
    def placed(name: str) -> list[tuple[str, float, float, float]]:
        names = [name] * trace.scenario.n_heads
        board = on_screen(whole_figure(trace, range(len(names)), names), (width, 720))
        return [(each.name, each.x, each.y, each.cell) for each in board.matrices]

    trace = attend(load_example(example))
    usual = placed("itself")
    for name in (*NAMES.values(), "no word stands out", "mostly “unbelieva…”", ""):
        assert placed(name) == usual


@pytest.mark.parametrize(
    "width", [948, 963]
)  # on a projector, with a bar for scrolling and without
@pytest.mark.parametrize("n_tokens", [7, 8, 9, 10])
def test_up_to_ten_words_stand_on_a_projector_with_their_numbers(n_tokens: int, width: int) -> None:
    board = board_of(attend(words(n_tokens)), width)
    assert len(in_rows(board)) == 2
    weights = [matrix for matrix in board.matrices if matrix.name.startswith("weights")]
    assert all(map(board.writes_numbers, weights))
    assert {text for each in weights for row in each.texts for text in row} >= {".00", ".10"}
    assert weights[0].y + weights[0].height < 720 - ABOVE_THE_PICTURE


def test_more_words_stand_there_in_smaller_cells() -> None:
    cells = [board_of(attend(words(n_tokens)), 963).cell for n_tokens in range(4, 17)]
    assert cells == sorted(cells, reverse=True)
    for n_tokens in range(4, 17):
        assert len(in_rows(board_of(attend(words(n_tokens)), 963))) == 2


@pytest.mark.parametrize("n_tokens", [17, 20, 24, 28, 32])
def test_very_many_words_are_in_sight_at_once_with_their_weights(n_tokens: int) -> None:
    """Their cells are small: nobody has to go down to the heads."""
    board = board_of(attend(words(n_tokens)), 963)
    assert in_rows(board)[0][:3] == ["x", "masked_scores/0", "masked_scores/1"]
    weights = [matrix for matrix in board.matrices if matrix.name.startswith("weights")]
    assert all(each.y + each.height < 720 - ABOVE_THE_PICTURE for each in weights)
    assert board.width <= 963


@pytest.mark.parametrize("width", [963, 1455])
def test_below_x_a_place_is_free_for_words(width: float) -> None:
    figure = whole_figure(CAT, range(4), ["a name"] * 4)
    free = figure.arrangements[0].free
    assert free
    cell = on_screen(figure, (width, 720)).cell
    assert free.right.at(cell) >= 150
    assert free.bottom.at(cell) - free.top.at(cell) >= 190


def test_where_matrices_fill_the_column_of_x_no_place_is_free() -> None:
    figure = whole_figure(CAT, range(4), ["a name"] * 4)
    assert [each.free is None for each in figure.arrangements] == [False, False, True, True, True][
        : len(figure.arrangements)
    ]
    translation = attend(load_example("translation"))
    of_two = whole_figure(translation, range(2), ["a name"] * 2)
    assert {each.free for each in of_two.arrangements} == {None}


def test_a_second_sequence_stands_below_x() -> None:
    rows = in_rows(board_of(attend(load_example("translation")), 963))
    assert [row[0] for row in rows] == ["x", "context"]


def test_what_values_alone_are_made_from_stands_below_x_and_says_so() -> None:
    figure = board_of(attend(with_own_values(load_example("pizza"))), 963)
    assert [row[0] for row in in_rows(figure)] == ["x", "context_v"]
    notes = {each.name: each.matrix.notes for each in figure.matrices}
    assert notes["context_v"] == ["for values alone"]
    of_two = board_of(attend(with_own_values(load_example("translation"))), 963)
    notes = {each.name: each.matrix.notes for each in of_two.matrices}
    assert (notes["context"], notes["context_v"]) == (["for keys"], ["for values alone"])


def test_one_row_of_matrices_has_x_before_and_the_output_behind_it() -> None:
    figure = whole_figure(CAT, range(4), ["a name"] * 4, ["weights"])
    board = on_screen(figure, (1455, 720))
    assert in_rows(board) == [["x", *(f"weights/{i}" for i in range(4)), "concat", "output"]]


def test_each_matrix_without_heads_says_how_far_its_colours_go() -> None:
    said = {m.name: m.matrix.caption for m in board_of(CAT, 963).matrices if m.matrix.caption}
    assert said == {"x": "colours ±1.00", "concat": "colours ±0.84", "output": "colours ±0.84"}
    bars = Counter(bar.group for bar in board_of(CAT, 963).bars)
    assert bars == Counter(["scores", "weights"])


def test_many_columns_or_heads_leave_x_and_the_output_to_their_own_pictures() -> None:
    assert is_small_enough(CAT.scenario, range(4))
    wide = with_changes(CAT.scenario, sizes={"d_model": 25}, x=Recipe("random"))
    assert not is_small_enough(wide, range(4))
    assert not is_small_enough(CAT.scenario, range(17))
