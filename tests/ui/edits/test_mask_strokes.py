"""Strokes of the pen that draws the mask."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from ui.edits.mask_strokes import MaskStroke

TWO = load_example("two-tokens")  # without a mask
PIZZA = load_example("pizza")  # causal


def test_a_stroke_hides_its_cells_and_the_next_one_shows_them_again() -> None:
    stroke = MaskStroke(((0, 1), (1, 0)))
    hidden = stroke.put(TWO)
    np.testing.assert_array_equal(hidden.mask.custom, [[True, False], [False, True]])
    assert stroke.put(hidden) == TWO


def test_the_first_cell_says_what_the_others_become() -> None:
    hidden = MaskStroke(((0, 1),)).put(TWO)
    over_both = MaskStroke(((0, 1), (1, 1))).put(hidden)  # it is shown, and so is its neighbour
    assert over_both == TWO


def test_a_stroke_that_begins_where_a_rule_hides_is_refused() -> None:
    with pytest.raises(OptionError, match="query I, key LOVE, which a rule hides"):
        MaskStroke(((0, 1), (0, 0))).put(PIZZA)


def test_a_rule_stays_where_a_stroke_shows_cells_beside_it() -> None:
    hidden = MaskStroke(((0, 0),)).put(PIZZA)
    assert MaskStroke(((0, 0), (0, 1))).put(hidden) == PIZZA


@pytest.mark.parametrize("text", ["", "1", "1.x", "1.2,3.4", "-1.0", "123456.0", "1.2 ", "1.2\n"])
def test_what_is_no_stroke_is_none(text: str) -> None:
    assert MaskStroke.of_text(text) is None


def test_the_text_of_a_stroke_is_read_as_the_same_stroke() -> None:
    stroke = MaskStroke(((0, 1), (12, 34)))
    assert MaskStroke.of_text(stroke.text) == stroke
