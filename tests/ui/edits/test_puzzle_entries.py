"""What an entry on a puzzle's page does to its scenario."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core.changing.changes import with_matrix
from mha_core.checks.errors import FormatError, OptionError
from mha_core.examples import load_example
from mha_core.puzzles.ladder import PUZZLES
from ui.edits.puzzle_entries import SHOWN, as_given, begun, solved, with_block

COPY = PUZZLES["copy"]
WORDS, PLACES = COPY.parts_of_x.values()


def test_a_puzzle_begins_with_zeros() -> None:
    assert not any(np.any(getattr(begun("copy"), name)) for name in COPY.free)


def test_the_page_shows_what_has_one_layer_and_predicts_nothing() -> None:
    assert {"itself", "noisy-key"} <= set(SHOWN)
    assert not {"induction", "add-digits", "brackets-whole"} & set(SHOWN)


def test_what_is_given_stays_and_what_is_written_too() -> None:
    written = solved(begun("copy"), COPY)
    other_x = replace(written, x=written.x * 2, tokens=tuple("edcbaedcbaed"))
    assert as_given(COPY, other_x) == written
    first = PUZZLES["first"]
    with_values = with_matrix(begun("first"), "w_v", np.ones((13, 5)))
    assert as_given(first, with_values) == begun("first")


def test_arrays_of_other_shapes_are_refused() -> None:
    with pytest.raises(FormatError, match="must come with arrays of its own shapes"):
        as_given(COPY, load_example("pizza"))


def test_a_block_is_filled_and_the_rest_stays() -> None:
    s = with_block(begun("copy"), "w_q", PLACES, "4*I")
    np.testing.assert_array_equal(s.w_q, np.vstack([np.zeros((5, 8)), 4 * np.eye(8)]))
    s = with_block(s, "w_q", WORDS, "1")
    np.testing.assert_array_equal(s.w_q, np.vstack([np.ones((5, 8)), 4 * np.eye(8)]))
    s = with_block(s, "w_o", WORDS, "I")
    np.testing.assert_array_equal(s.w_o, np.hstack([np.eye(5), np.zeros((5, 8))]))
    s = with_block(s, "w_k", None, "shift(1)")
    np.testing.assert_array_equal(s.w_k, np.eye(13, 8, k=1))


def test_a_wrong_expression_changes_nothing() -> None:
    with pytest.raises(OptionError):
        with_block(begun("copy"), "w_q", PLACES, "4*foo")
