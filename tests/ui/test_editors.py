"""An editor's text box, its files and its buttons: all of a matrix at once."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from mha_core.examples import load_example
from mha_core.io.matrix_files import write_arrays, write_matrix
from mha_core.io.matrix_text import format_matrix
from mha_core.scenario import Origin
from mha_core.shapes import FloatArray
from tests.ui.editor_page import page

# The text box


@pytest.mark.parametrize("style", ["csv", "tsv", "json", "numpy", "latex", "markdown"])
def test_text_in_any_notation_takes_the_matrixs_place(style: str) -> None:
    p = page("w_q")
    new: FloatArray = np.random.default_rng(3).normal(size=p.scenario.w_q.shape)
    p.paste_text(format_matrix(new, style))
    assert p.scenario.w_q.tobytes() == new.tobytes()
    assert p.at.text_area[0].value == ""
    assert p.grid[0][0] == repr(float(new[0, 0]))


def test_wrong_text_stays_with_line_and_column() -> None:
    p = page()
    before = p.scenario
    p.paste_text("1 2 3\n4 x 6")
    assert p.errors[0].startswith("Line 2, column 3: X must hold numbers only, got 'x'.")
    assert p.at.text_area[0].value == "1 2 3\n4 x 6"
    assert p.scenario is before
    p.go_elsewhere_and_back()
    assert p.at.text_area[0].value == "1 2 3\n4 x 6"
    assert len(p.errors) == 1


def test_text_of_another_shape_is_told_the_right_one() -> None:
    p = page("w_q", 0, "pizza")
    p.paste_text("1 2\n3 4")
    assert p.errors == [
        "W_Q of head 1 must have shape (d_model, d_k) = (8, 4), got (2, 2). "
        "Give 8 rows of 4 numbers."
    ]


def test_x_may_come_with_more_rows() -> None:
    p = page()
    p.paste_text("1,2,3,4,5,6\n" * 5)
    assert p.scenario.tokens == ("t1", "t2", "t3", "t4", "t5")
    assert np.shape(p.grid) == (5, 6)


def test_an_empty_text_is_refused() -> None:
    p = page()
    p.paste_text("")
    assert p.errors == [
        "Line 1, column 1: X must hold numbers, got an empty text. Paste rows of numbers."
    ]


# Files


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "npy", "npz"])
def test_a_file_takes_the_matrixs_place(kind: str) -> None:
    p = page("w_q")
    new: FloatArray = np.random.default_rng(5).normal(size=p.scenario.w_q.shape)
    p.upload(f"w.{kind}", write_matrix(new, f"w.{kind}"))
    assert p.errors == []
    assert p.scenario.w_q.tobytes() == new.tobytes()


def test_of_several_arrays_in_a_file_the_one_with_the_right_name_is_taken() -> None:
    p = page("w_q")
    new: FloatArray = np.full(p.scenario.w_q.shape, 3.0)
    p.upload("all.npz", write_arrays({"w_k": new + 1, "w_q": new}))
    assert np.array_equal(p.scenario.w_q, new)


def test_of_several_arrays_without_the_right_name_none_is_guessed() -> None:
    p = page("w_q")
    before = p.scenario
    p.upload("all.npz", write_arrays({"a": np.eye(6), "b": np.eye(6)}))
    assert p.errors[0].startswith("The file 'all.npz' must hold exactly one matrix, got")
    assert p.scenario is before


def test_a_file_that_is_not_what_its_name_says_is_refused() -> None:
    p = page()
    before = p.scenario
    p.upload("<b>x.npy", b"\x89PNG")
    assert "must be a NumPy array, got a PNG picture." in p.errors[0]
    assert "<b>" in p.errors[0]
    assert p.scenario is before
    p.at.file_uploader[0].clear()
    p.run()
    assert p.errors == []


def test_a_pickle_in_a_file_is_never_read() -> None:
    file = io.BytesIO()
    np.save(file, np.array([[{}]], dtype=object), allow_pickle=True)
    p = page()
    p.upload("x.npy", file.getvalue())
    assert "must hold bool, integers, float16, float32 or float64, got type |O." in p.errors[0]


# Buttons


def test_all_zeros_and_reset() -> None:
    p = page("w_q", 1, "grouped-query")
    before = p.scenario
    p.click("All zeros")
    assert not p.scenario.w_q[:, before.d_k : 2 * before.d_k].any()
    assert np.array_equal(p.scenario.w_q[:, : before.d_k], before.w_q[:, : before.d_k])
    p.click("Reset")
    assert np.array_equal(p.scenario.w_q, before.w_q)


def test_reset_is_there_only_where_something_can_be_made_again() -> None:
    given = replace(load_example("pizza"), origin=Origin())
    assert "Reset" not in [button.label for button in page(scenario=given).at.button]
    assert "Reset" in [button.label for button in page(scenario="pizza").at.button]


def test_a_reset_that_no_longer_fits_is_refused() -> None:
    p = page()
    p.paste_text("1,2,3,4,5,6\n" * 5)
    p.click("Reset")
    assert p.errors[0].startswith("X must have shape (n_q, d_model) = (5, 6), got (3, 6).")


def test_two_visitors_do_not_see_each_others_numbers() -> None:
    one, other = page(), page()
    one.type({(0, 0): "7"})
    other.run()
    assert other.grid[0][0] == "1"
    assert other.scenario.x[0, 0] == 1
