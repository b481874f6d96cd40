"""Where the matrices of a board stand: aligned, apart, and where they were before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Trace, attend
from mha_core.examples import EXAMPLES, load_example
from ui.figures import board as boards
from ui.figures.board import (
    ABOVE,
    CAPTION,
    CHAR,
    DENSE,
    HEADING,
    NARROW,
    PRESENTED,
    TIGHT,
    USUAL,
    board_of,
)
from ui.figures.figure import Arrangement
from ui.figures.matrix import Matrix
from ui.figures.overview import overview_figure
from ui.figures.pictures import heads_figure, together_figure
from ui.figures.whole import whole_figure


def matrix(name: str, rows: int = 3, columns: int = 5, **options: Any) -> Matrix:
    labels = ["abcdefghijkl"[i] for i in range(max(rows, columns))]
    return Matrix(name, name, np.ones((rows, columns)), labels[:rows], labels[:columns], **options)


@pytest.mark.parametrize("cell", [7, 36])
def test_matrices_of_one_row_begin_at_one_height_and_none_overlap(cell: int) -> None:
    rows = [[matrix("m0"), matrix("m1")], [matrix("m2", 2, 7), matrix("m3")], [matrix("m4")]]
    board = board_of(rows)
    boxes = []
    for each, place in board.places.items():
        left, top = place.left.at(cell), place.top.at(cell)
        boxes.append((left, left + each.across * cell, top, top + each.down * cell))
    assert boxes[0][2] == boxes[1][2]
    for i, (left, right, top, bottom) in enumerate(boxes):
        assert 0 <= left < right <= board.width.at(cell)
        assert 0 <= top < bottom <= board.height.at(cell)
        for other_left, other_right, other_top, other_bottom in boxes[:i]:
            apart = left >= other_right or other_left >= right
            assert apart or top >= other_bottom or other_top >= bottom


def test_a_row_title_kept_room_for_moves_nothing() -> None:
    widths = {
        board_of([[matrix("m", row_title=title)]], row_title_chars=13).width
        for title in ("Raw scores", "Scaled scores", "Masked scores", "Weights")
    }
    assert len(widths) == 1
    assert widths != {board_of([[matrix("m", row_title="Weights")]]).width}


def test_a_heading_stands_above_its_matrix_where_no_labels_do() -> None:
    rows = [[matrix(f"m{i}{j}", heading="Q: 3 × 5") for j in (0, 1)] for i in (0, 1)]
    for place in board_of(rows, spacing=TIGHT).places.values():
        assert place.top.fixed - place.heading_top.fixed >= HEADING + ABOVE


def test_columns_of_another_room_write_their_labels_again() -> None:
    above, below = matrix("above"), matrix("below", most_across=3)
    assert [p.writes_column_labels for p in board_of([[above], [below]]).places.values()] == [
        True
    ] * 2


def test_in_one_column_labels_stand_below_every_heading() -> None:
    def written(*rows: list[Matrix | None]) -> list[bool]:
        return [place.writes_column_labels for place in board_of(rows).places.values()]

    one, more, other = matrix("1", heading="Head 1"), matrix("2"), matrix("3", heading="Head 2")
    assert written([one], [more], [other]) == [True, False, True]
    beside = matrix("4")
    assert written([one, beside], [more, None], [other, None]) == [True, True, False, False]


def test_what_is_presented_says_the_same_labels_once_and_is_lower_so() -> None:
    rows = [[matrix("1", heading="Head 1")], [matrix("2", heading="Head 2")]]
    usual, presented = board_of(rows), board_of(rows, spacing=PRESENTED)
    assert [place.writes_column_labels for place in presented.places.values()] == [True, False]
    assert presented.height.fixed < usual.height.fixed


def test_a_squeezed_matrix_takes_no_more_room_than_it_is_given() -> None:
    squeezed = matrix("m", 2, 12, most_across=4)
    assert (squeezed.across, squeezed.is_squeezed) == (4, True)
    assert board_of([[squeezed]], has_bars=False).width.cells == 4


def test_labels_stand_in_an_empty_place_without_taking_room() -> None:
    left, above, below = matrix("left", columns=3), matrix("above", rows=9), matrix("below")
    alone = board_of([[left, below]])
    board = board_of([[None, above], [left, below]])
    assert board.places[above].left == board.places[below].left == alone.places[below].left
    assert board.places[above].writes_row_labels
    assert not board.places[below].writes_row_labels
    assert board.width == alone.width


def test_a_row_of_empty_places_leads_no_matrix_astray() -> None:
    one, two, three = matrix("one"), matrix("two", rows=2), matrix("three", rows=4)
    board = board_of([[one, two, None], [None, None, three]])
    assert list(board.places) == [one, two, three]
    assert board.places[three].left.at(10) >= board.places[two].left.at(10) + 10 * two.across
    assert board.places[three].writes_row_labels


def test_labels_do_not_stand_in_a_place_as_narrow_as_one_column() -> None:
    left, sums, right = matrix("left"), matrix("sums", columns=1), matrix("right")
    board = board_of([[left, None, right], [matrix("exp"), sums, matrix("weights")]])
    assert not board.places[right].writes_row_labels
    wide = board_of([[left, None, right], [matrix("exp"), matrix("two", columns=2), matrix("w")]])
    assert wide.places[right].writes_row_labels


def test_labels_have_the_room_of_all_empty_places_beside_them() -> None:
    above, below = matrix("above", rows=9), [matrix(f"m{i}", columns=2) for i in range(2)]
    alone = board_of([[*below, matrix("last")]])
    board = board_of([[None, None, above], [*below, matrix("last")]])
    assert board.width == alone.width


def test_colours_of_a_range_of_its_own_have_no_bar() -> None:
    sums = matrix("sums", columns=1, color_group="sums", has_own_range=True)
    assert list(board_of([[matrix("m", color_group="scores"), sums]]).bars) == ["scores"]
    assert board_of([[sums]]).bars == {}


def test_a_left_factor_ends_where_its_place_ends_if_a_product_stands_beside_it() -> None:
    q, wide = matrix("q", columns=1, is_left_factor=True), matrix("wide", columns=9)
    places = board_of([[q, matrix("product")], [wide, None]]).places
    assert places[q].left == places[wide].left.plus(cells=8)
    places = board_of([[q, None], [wide, matrix("other")]]).places
    assert places[q].left == places[wide].left


def test_a_wide_heading_of_a_left_factor_stays_in_its_place() -> None:
    q = matrix("q", columns=1, is_left_factor=True, heading="Q: query by width")
    wide, product = matrix("wide", columns=9), matrix("product")
    board = board_of([[q, product], [wide, None]])
    end = board.places[q].left.plus(len(q.heading) * 6).at(30)
    assert end < board.places[product].left.at(30)


def test_the_place_below_the_first_matrix_is_free_up_to_the_labels_beside_it() -> None:
    x, scores = matrix("x", caption="colours"), matrix("scores", repeats_row_labels=True)
    weights = matrix("weights", repeats_row_labels=True, row_title="Weights")
    board = board_of([[x, scores], [None, weights], [matrix("output"), None]])
    free = board.free
    assert free
    assert free.top == board.places[x].top.plus(CAPTION, cells=x.down)
    assert free.bottom == board.places[weights].top.plus(cells=weights.down)
    assert free.left.at(30) == 0
    room_of_labels = board.places[weights].left.at(30) - free.right.at(30)
    assert room_of_labels > CHAR * len("Weights")


def test_no_place_is_free_where_the_first_column_is_full_or_nothing_stands_beside() -> None:
    one, two, three, four = (matrix(str(i)) for i in range(4))
    assert board_of([[one, two], [three, four]]).free is None
    assert board_of([[None, one], [two, three]]).free is None
    assert board_of([[one], [two]]).free is None
    assert board_of([[one, two, three], [None, None, four]]).free is None


def test_many_tokens_stand_closer() -> None:
    rows = [[matrix(f"m{i}{j}", heading="Q") for j in (0, 1)] for i in (0, 1)]
    usual, narrow, dense = (board_of(rows, spacing=each) for each in (USUAL, NARROW, DENSE))
    assert usual.width.at(20) > narrow.width.at(20) == dense.width.at(20)
    assert usual.height.at(20) == narrow.height.at(20) > dense.height.at(20)


# ---- boards that are kept ------------------------------------------------------------------------

OTHER_LAYOUTS: dict[str, Any] = {
    "row_labels": ["a", "b", "a longer label"],
    "column_labels": ["a", "b", "c", "d", "a longer label"],
    "heading": "A heading",
    "notes": ["a note"],
    "note_chars": 30,
    "caption": "a caption",
    "row_title": "A title",
    "row_height": 0.5,
    "most_across": 3,
    "color_group": "another",
    "has_own_range": True,
    "repeats_row_labels": True,
    "row_room": ("a longer label",),
    "column_room": ("a longer label",),
    "is_whole": True,
}


@pytest.mark.parametrize("field", OTHER_LAYOUTS)
def test_a_kept_board_is_not_taken_for_another_one(field: str) -> None:
    def placed(**options: Any) -> tuple[Any, ...]:
        board = board_of(
            [[matrix("one"), matrix("two")], [matrix("three"), replace(matrix("four"), **options)]]
        )
        return [*board.places.values()], board.bars, board.width, board.height

    usual, other = placed(), placed(**{field: OTHER_LAYOUTS[field]})
    boards._kept.clear()
    assert placed(**{field: OTHER_LAYOUTS[field]}) == other
    assert placed() == usual


def figures_of(trace: Trace) -> list[tuple[Arrangement, ...]]:
    heads = range(min(trace.scenario.n_heads, 4))
    names = ["a name"] * len(heads)
    makers = (whole_figure, overview_figure)
    made = [
        heads_figure(trace, heads),
        together_figure(trace),
        *(f(trace, heads, names) for f in makers),
    ]
    return [figure.arrangements for figure in made]


@pytest.mark.parametrize("name", EXAMPLES)
def test_figures_stand_as_they_would_on_new_boards(name: str) -> None:
    trace = attend(load_example(name))
    kept = figures_of(trace)
    boards._kept.clear()
    assert figures_of(trace) == kept


def test_other_numbers_in_the_same_matrices_need_no_new_board() -> None:
    boards._kept.clear()
    board_of([[matrix("m")]])
    board_of([[replace(matrix("m"), values=np.zeros((3, 5)), masked=np.eye(3, 5, dtype=bool))]])
    assert len(boards._kept) == 1


def test_only_so_many_boards_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_KEPT", 3)
    for rows in range(1, 9):
        board_of([[matrix("m", rows)]])
        assert len(boards._kept) <= 3
