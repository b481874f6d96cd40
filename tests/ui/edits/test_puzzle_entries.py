"""What an entry on a puzzle's page does to its scenario."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Mask, Rule
from mha_core.changing.changes import with_matrix
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FormatError, OptionError
from mha_core.examples import load_example
from mha_core.puzzles.ladder import PUZZLES
from ui.edits.puzzle_entries import as_given, begun, solved, with_block

COPY = PUZZLES["copy"]
WORDS, PLACES = COPY.parts_of_x.values()


def test_a_puzzle_begins_with_zeros() -> None:
    assert not any(np.any(array) for array in COPY.answer_in(begun("copy")).values())


def test_what_is_given_stays_and_what_is_written_too() -> None:
    written = solved(COPY)
    first = written.first
    other_x = replace(first, x=first.x * 2, tokens=tuple("edcbaedcbaed"))
    assert as_given(COPY, as_stack(other_x)) == written
    first = begun("first").first
    with_values = with_matrix(first, "w_v", np.ones((13, 5)))
    assert as_given(PUZZLES["first"], as_stack(with_values)) == begun("first")


def test_arrays_of_other_shapes_are_refused() -> None:
    with pytest.raises(FormatError, match="must come with arrays of its own shapes"):
        as_given(COPY, as_stack(load_example("pizza")))


def test_a_block_is_filled_and_the_rest_stays() -> None:
    s = with_block(begun("copy"), COPY, "w_q", PLACES, "4*I")
    np.testing.assert_array_equal(s.first.w_q, np.vstack([np.zeros((5, 8)), 4 * np.eye(8)]))
    s = with_block(s, COPY, "w_q", WORDS, "1")
    np.testing.assert_array_equal(s.first.w_q, np.vstack([np.ones((5, 8)), 4 * np.eye(8)]))
    s = with_block(s, COPY, "w_o", WORDS, "I")
    np.testing.assert_array_equal(s.first.w_o, np.hstack([np.eye(5), np.zeros((5, 8))]))
    s = with_block(s, COPY, "w_k", None, "shift(1)")
    np.testing.assert_array_equal(s.first.w_k, np.eye(13, 8, k=1))


def test_a_wrong_expression_changes_nothing() -> None:
    with pytest.raises(OptionError):
        with_block(begun("copy"), COPY, "w_q", PLACES, "4*foo")


def test_a_block_of_a_higher_layer_and_of_w_u_is_filled() -> None:
    induction, word = PUZZLES["induction"], PUZZLES["induction-word"]
    words = next(iter(induction.parts_of_x.values()))
    stack = with_block(begun("induction"), induction, "2.w_q", words, "2*I")
    assert not np.any(stack.first.w_q)
    count = len(induction.words)
    np.testing.assert_array_equal(
        stack.above[0].w_q[words], 2 * np.eye(count, stack.above[0].w_q.shape[1])
    )
    stack = with_block(begun("induction-word"), word, "w_u", words, "3*I")
    assert stack.w_u is not None
    np.testing.assert_array_equal(stack.w_u[words], 3 * np.eye(count, stack.w_u.shape[1]))


def test_an_answer_of_several_layers_is_kept_and_all_else_is_given() -> None:
    puzzle = PUZZLES["induction"]
    written = solved(puzzle)
    (above,) = written.above
    masked = replace(above, mask=Mask((Rule("causal"),)), w_v=above.w_v + 1)
    assert as_given(puzzle, replace(written, layers=(written.first, masked))) == written
    with pytest.raises(FormatError, match="must have 2 layers, got 1"):
        as_given(puzzle, as_stack(written.first))
