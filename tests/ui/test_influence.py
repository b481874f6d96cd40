"""The picture of how much one number moves with each number that was given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Trace, attend
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.influence import influence
from mha_core.layer.where import ADDITIVE
from ui.figures.influence import influence_figure, influencing

OUTPUT = Cell("output", None, 1, 2)


def with_all_given() -> Scenario:
    """Two sequences, biases, and an additive mask."""
    s = load_example("translation")
    biases: dict[str, Any] = {
        "b_q": np.ones(s.n_heads * s.d_k),
        "b_k": np.ones(s.n_kv_heads * s.d_k),
        "b_v": np.ones(s.n_kv_heads * s.d_v),
        "b_o": np.ones(s.d_out),
    }
    added = np.zeros((s.n_q, s.n_k))
    return replace(s, **biases, mask=replace(s.mask, additive=added))


def drawn(trace: Trace, of: str) -> Any:
    figure = influence_figure(trace, OUTPUT, of, influence(trace, OUTPUT)[of])
    (matrix,) = figure.heatmaps
    return matrix


@pytest.mark.parametrize("of", [*influence(attend(with_all_given()), OUTPUT)])
def test_each_given_array_shows_its_derivatives_with_its_own_labels(of: str) -> None:
    trace = attend(with_all_given())
    matrix = drawn(trace, of)
    slopes = influence(trace, OUTPUT)[of]
    assert np.array_equal(matrix.values.ravel(), slopes.astype(matrix.values.dtype).ravel())
    assert matrix.name == f"influence.{of}"
    labels = matrix.matrix.row_labels, matrix.matrix.column_labels
    assert tuple(map(len, labels)) == matrix.values.shape
    if of in ("x", ADDITIVE):
        assert labels[0] == trace.scenario.tokens
    if of == "context":
        assert labels[0] == trace.scenario.context_tokens


def test_nothing_is_edited_there() -> None:
    matrix = drawn(attend(with_all_given()), "x").matrix
    assert not matrix.is_given
    assert (matrix.row_source, matrix.column_source) == ("", "")
    assert matrix.title == "Influence of X on output[CAFÉ, 3]"


def test_a_cell_of_it_stands_for_the_number_that_has_the_influence() -> None:
    assert influencing(Cell("influence.w_q", None, 3, 1)) == Cell("w_q", None, 3, 1)
    assert influencing(Cell("w_q", None, 3, 1)) is None
