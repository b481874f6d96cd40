"""Rows of numbers as they are typed into the field of an option, and shown there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import LimitError
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.options.kinds import sides_of_grid
from mha_core.options.r_places import OPTION as OF_DISTANCES
from mha_core.options.rope_places import OPTION

KIND: Any = OPTION.kind


def read(text: str) -> Any:
    return KIND.read(text, parse_matrix)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("0 1 2 7", ((0,), (1,), (2,), (7,))),
        ("0; 1; 2.5", ((0,), (1,), (2.5,))),
        ("0\n-1\n1/2", ((0,), (-1,), (0.5,))),
        ("3", ((3,),)),
        ("0 1;", ((0, 1),)),
        ("0 0; 0 1", ((0, 0), (0, 1))),
        ("[[0, 0, 0], [1, 2, 3]]", ((0, 0, 0), (1, 2, 3))),
        ("2 x 1", ((0, 0), (1, 0))),
        (" 1×2 x2", ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1))),
    ],
)
def test_rows_are_read_as_people_write_them(text: str, places: Any) -> None:
    assert read(text) == places
    assert read(KIND.as_typed(places)) == places


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * width), min_size=1, max_size=6)
    )
)
def test_what_the_field_shows_reads_as_the_same_numbers(rows: list[tuple[float, ...]]) -> None:
    places = tuple(rows)
    again = read(KIND.as_typed(places))
    assert np.array_equal(again, places)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("0 1 2 7", ((0,), (1,), (2,), (7,))),
        ("0 -1; 4/2 1", ((0, -1), (2, 1))),
        ("2 x 1", ((0, 0), (1, 0))),
        ("0; 1.5", ((0,), (1.5,))),
    ],
)
def test_whole_numbers_are_read_as_such_and_others_are_left_to_the_check(
    text: str, places: Any
) -> None:
    kind: Any = OF_DISTANCES.kind
    found = kind.read(text, parse_matrix)
    assert repr(found) == repr(places)
    assert kind.read(kind.as_typed(places), parse_matrix) == places


@pytest.mark.parametrize(
    ("rows", "sides"),
    [
        (((0, 0), (0, 1), (1, 0), (1, 1)), (2, 2)),
        (((0, 0), (1, 0), (0, 1), (1, 1)), None),
        (((0, 0),), None),
        (((0,), (1,)), None),
        (((0, 0), (0, 1.5)), None),
        (((0, 1), (0, 0)), None),
        (((0, -1), (0, 1)), None),
    ],
)
def test_a_grid_is_known_by_its_cells(rows: Any, sides: Any) -> None:
    assert sides_of_grid(rows) == sides


def test_a_grid_of_too_many_cells_is_refused_before_it_is_made() -> None:
    with pytest.raises(LimitError, match="cells of a grid must be at most 16,384, got 9,999,800,0"):
        read("99999 x 99999")
