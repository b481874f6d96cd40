"""What the columns of one-hot words and places are called. Those of puzzles: `test_puzzles.py`."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.shapes import FloatArray
from mha_core.making.inputs import INPUTS, make_x, natural_width
from mha_core.scenario.x_columns import MOST_NAMED, ONE_HOT, column_names

TOKENS = ("SO", "SO", "GOOD")
NAMES = ("SO", "GOOD", "place 1", "place 2", "place 3")
X = make_x(ONE_HOT, TOKENS, len(NAMES))


def without(columns: slice) -> FloatArray:
    x = X.copy()
    x[:, columns] = 0
    return x


def test_each_word_and_each_place_has_its_column() -> None:
    assert ONE_HOT in INPUTS
    assert column_names(X, ONE_HOT, TOKENS) == NAMES
    assert column_names(np.pad(X, ((0, 0), (0, 2))), ONE_HOT, TOKENS) == (
        *NAMES,
        "free 1",
        "free 2",
    )


@pytest.mark.parametrize("columns", [slice(2), slice(2, None)], ids=["no words", "no places"])
def test_where_words_or_places_are_gone_the_others_say_enough(columns: slice) -> None:
    assert column_names(without(columns), ONE_HOT, TOKENS) == NAMES


@pytest.mark.parametrize(
    ("x", "tokens"),
    [
        (X * 0, TOKENS),
        (X * 0 + 1, TOKENS),
        (X[:2], TOKENS),
        (X[:, :4], TOKENS),
        (X[::-1], ("SO", "GOOD", "SO")),
    ],
    ids=["zeros", "ones", "fewer rows", "fewer columns", "other words"],
)
def test_other_numbers_have_no_names(x: FloatArray, tokens: tuple[str, ...]) -> None:
    assert column_names(x, ONE_HOT, tokens) == ()
    assert column_names(X, "one_hot", TOKENS) == ()


def test_many_columns_have_no_names() -> None:
    tokens = tuple(f"t{number}" for number in range(MOST_NAMED // 2 + 1))
    for some in (tokens, tokens[1:]):
        x = make_x(ONE_HOT, some, natural_width(ONE_HOT, some) or 0)
        assert bool(column_names(x, ONE_HOT, some)) == (x.shape[1] <= MOST_NAMED)
