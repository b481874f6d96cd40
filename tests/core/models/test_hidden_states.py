"""X of a layer comes out of a file of hidden states."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.models.hidden_states import read_output, read_states, states_in
from tests.core.models.held import Held

ROWS = np.arange(15, dtype=np.float32).reshape(3, 5)
LAYERS = np.stack([ROWS, ROWS + 1])


def test_the_arrays_that_are_as_wide_as_x_are_found() -> None:
    file = Held({"a": ROWS, "b": LAYERS, "output": ROWS, "c": ROWS.T, "d": ROWS[0]}, {})
    assert states_in(file, 5) == ["a", "b"]


def test_none_of_that_width_is_refused() -> None:
    with pytest.raises(ShapeError) as caught:
        states_in(Held({"a": ROWS}, {}), 7)
    assert str(caught.value).startswith(
        "The hidden states must have a row for each token and 7 columns, as the layer reads them, "
        "got a (3, 5)."
    )
    with pytest.raises(ShapeError, match="got no arrays"):
        states_in(Held({}, {}), 7)


def test_of_several_layers_the_rows_of_one_are_taken() -> None:
    file = Held({"a": ROWS, "b": LAYERS, "one": LAYERS[:1]}, {})
    np.testing.assert_array_equal(read_states(file, "a", 5, 4), ROWS)
    np.testing.assert_array_equal(read_states(file, "b", 5, 1), ROWS + 1)
    np.testing.assert_array_equal(read_states(file, "one", 5, 1), ROWS)
    with pytest.raises(ShapeError, match="b must have the layer 2, counted from 0, got 2 layers"):
        read_states(file, "b", 5, 2)
    with pytest.raises(OptionError, match="The array must be one of a, b, one"):
        read_states(file, "c", 5, 0)


def test_rows_that_are_none_and_numbers_that_are_none_are_refused() -> None:
    file = Held({"none": ROWS[:0], "nan": ROWS * np.nan}, {})
    with pytest.raises(ShapeError, match="none must have a row for each token"):
        read_states(file, "none", 5, 0)
    with pytest.raises(NumberError, match="nan must hold finite numbers"):
        read_states(file, "nan", 5, 0)


def test_what_the_layer_gave_is_found_where_it_was_recorded() -> None:
    assert read_output(Held({"x": ROWS}, {}), 3, 5, 0) is None
    found = read_output(Held({"output": LAYERS}, {}), 3, 5, 1)
    assert found is not None
    np.testing.assert_array_equal(found, ROWS + 1)
    with pytest.raises(ShapeError, match=r"output must have shape \(2, 5\), as X has"):
        read_output(Held({"output": ROWS}, {}), 2, 5, 0)
