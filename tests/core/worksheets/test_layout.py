"""Where matrices stand on paper: nothing is wider than the paper, and nothing is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.layout import (
    BLANK,
    GAP,
    GIVEN,
    LABEL,
    WIDTH,
    Corner,
    blocks_of,
    room_for_working,
)
from mha_core.worksheets.sheet import Piece, make_exercise
from tests.core.worksheets.all_exercises import ALL


def width(piece: Piece, cell: float) -> float:
    return LABEL + len(piece.columns.labels) * cell


def pieces_in(block: Piece | Corner) -> list[Piece]:
    if isinstance(block, Piece):
        return [block]
    left = [] if block.left is None else [block.left]
    return left + [piece for pair in block.pairs for piece in pair]


@given(st.sampled_from(ALL), st.sampled_from(list(DIFFICULTIES)))
def test_nothing_is_wider_than_the_paper_and_nothing_is_left_out(
    exercise: Exercise, difficulty: Any
) -> None:
    for section in make_exercise(replace(exercise, difficulty=difficulty)).sections:
        blocks = list(blocks_of(section))
        for block in blocks:
            if isinstance(block, Piece):
                assert width(block, BLANK[0]) <= WIDTH
                continue
            left = 0.0
            if block.left is not None:
                left = width(block.left, (GIVEN if block.left.is_given else BLANK)[0])
            assert left + sum(GAP + width(each, BLANK[0]) for _, each in block.pairs) <= WIDTH
            for upper, result in block.pairs:
                assert (result.upper, result.left) != ("", "")
                assert upper.name == result.upper
                assert block.left is None or block.left.name == result.left
        assert {piece.name for block in blocks for piece in pieces_in(block)} == {
            piece.name for piece in section.pieces
        }


def test_the_products_of_a_head_stay_together_where_they_fit() -> None:
    narrow = make_exercise(Exercise(d_model=4, n_heads=4))
    corners = [block for block in blocks_of(narrow.sections[0]) if isinstance(block, Corner)]
    assert [len(corner.pairs) for corner in corners] == [6, 6]


def test_a_left_factor_that_leaves_no_room_stands_before_its_product() -> None:
    together = make_exercise(Exercise(d_model=8, n_heads=2)).sections[-1]
    concat, corner = blocks_of(together)
    assert isinstance(concat, Piece)
    assert concat.name == "concat"
    assert isinstance(corner, Corner)
    assert corner.left is None
    assert [[piece.name for piece in pair] for pair in corner.pairs] == [["w_o", "output"]]


def test_each_head_has_a_line_of_room_for_each_row_of_weights() -> None:
    sections = make_exercise(Exercise(n_tokens=5)).sections
    assert [room_for_working(section) for section in sections] == [0, 30, 30, 0]
