"""Named sizes, the checks at the door, and the tree of errors, each by itself."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

from mha_core.checks import errors
from mha_core.checks.errors import LimitError, MhaError, ParseError
from mha_core.checks.limits import LIMITS, PAGE_LIMITS
from mha_core.checks.shapes import Dims, as_float_array, check_finite, check_shape, frozen
from mha_core.checks.values import check_limit, divisors, is_one_of, is_whole, is_within
from tests.core.refusals import check_refused, not_finite

SIZES = {"n_heads": 3, "n_q": 5, "d_k": 7}


@pytest.mark.parametrize(
    ("names", "shape", "text"),
    [
        ("n_q d_k", (5, 7), "(n_q, d_k)"),
        ("n_q n_heads*d_k", (5, 21), "(n_q, n_heads*d_k)"),
        ("n_heads n_q 1", (3, 5, 1), "(n_heads, n_q, 1)"),
        ("n_heads*n_q*d_k*2", (210,), "(n_heads*n_q*d_k*2)"),
        ("n_q", (5,), "(n_q)"),
    ],
)
def test_dims_give_the_shape_and_print_their_names(
    names: str, shape: tuple[int, ...], text: str
) -> None:
    assert Dims(names).shape(SIZES) == shape
    assert str(Dims(names)) == text


@pytest.mark.parametrize("shape", [(5, 6), (7, 5), (5,), (1, 5, 7), (1, 7)])
def test_any_shape_but_the_one_is_refused(shape: tuple[int, ...]) -> None:
    check_refused(
        lambda: check_shape("Q", np.ones(shape), Dims("n_q d_k"), SIZES),
        errors.ShapeError(
            "Q", "must have shape (n_q, d_k) = (5, 7)", str(shape), "Give 5 rows of 7 numbers."
        ),
    )


def test_the_right_shape_is_taken() -> None:
    check_shape("Q", np.ones((5, 7)), Dims("n_q d_k"), SIZES)


def test_a_stack_is_asked_for_as_a_stack() -> None:
    with pytest.raises(errors.ShapeError, match="Give 3 x 5 x 7 numbers"):
        check_shape("Q_i", np.ones((5, 7)), Dims("n_heads n_q d_k"), SIZES)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_stay_what_they_are_and_are_not_copied(kind: type) -> None:
    array = np.ones((2, 3), kind)
    assert as_float_array("X", array) is array


@pytest.mark.parametrize(
    "kind", [bool, np.int8, np.uint64, np.float16, np.longdouble, ">f8", ">f4"]
)
def test_all_else_that_is_a_number_becomes_float64(kind: Any) -> None:
    array = as_float_array("X", np.array([[0, 1]], kind))
    assert array.dtype == np.float64
    assert array.dtype.isnative
    assert array.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [("float32", "f4"), ("float64", "f8"), ("bfloat16", "f8"), ("float16", "f8"), ("int64", "f8")],
)
def test_a_tensor_is_taken_whatever_its_type_and_without_its_gradient(
    kind: str, becomes: str
) -> None:
    tensor = torch.tensor([[1, 2]], dtype=getattr(torch, kind))
    array = as_float_array("X", tensor.requires_grad_(tensor.is_floating_point()))
    assert array.dtype == becomes
    assert array.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("tensor", "kind"),
    [
        (torch.eye(2).to_sparse(), "sparse"),
        (torch.empty(2, device="meta"), "without numbers, on the device meta"),
    ],
)
def test_a_tensor_that_does_not_hold_its_numbers_as_they_are_is_refused(
    tensor: torch.Tensor, kind: str
) -> None:
    need = "must be an array, or a tensor that holds all its numbers"
    way_out = "Write .to_dense() or .to_padded_tensor(0) behind it, or load its numbers."
    told = errors.NumberError("X", need, f"a tensor that is {kind}", way_out)
    check_refused(lambda: as_float_array("X", tensor), told)


def test_an_array_that_hides_numbers_is_refused_until_it_shows_them() -> None:
    hides = np.ma.array([[1.0, 2.0]], mask=[[False, True]])
    need, way_out = "must show all its numbers", r"Write \.filled\(0\) behind it"
    with pytest.raises(errors.NumberError, match=rf"^X {need}, got an array of which .*{way_out}"):
        as_float_array("X", hides)
    assert as_float_array("X", hides.filled(0)).tolist() == [[1, 0]]
    assert as_float_array("X", np.ma.array([[1.0]])).tolist() == [[1]]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_the_largest_finite_numbers_are_taken(kind: type) -> None:
    largest = min(LIMITS.magnitude, float(np.finfo(kind).max))
    check_finite("X", np.array([[largest, -largest, 0]], kind))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_what_is_not_finite_is_refused_with_its_place(kind: type, number: str) -> None:
    array = np.zeros((3, 5), kind)
    array[1, 4] = array[2, 0] = float(number)
    check_refused(lambda: check_finite("X", array), not_finite("X", f"{number} in row 2, column 5"))


def test_a_limit_is_taken_and_one_more_is_refused() -> None:
    check_limit("n", 3, 3, "Take fewer.")
    check_refused(
        lambda: check_limit("n", 4, 3, "Take fewer."),
        LimitError("n", "must be at most 3", "4", "Take fewer."),
    )


def test_frozen_is_a_view_that_cannot_be_written_to() -> None:
    array = np.zeros(3)
    view = frozen(array)
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    assert np.shares_memory(view, array)
    array[0] = 1  # the owner still may
    assert view[0] == 1


@pytest.mark.parametrize(
    ("n", "expected"), [(1, "1"), (7, "1, 7"), (12, "1, 2, 3, 4, 6, 12"), (9, "1, 3, 9")]
)
def test_divisors_are_listed(n: int, expected: str) -> None:
    assert divisors(n) == expected


def test_what_counts_as_a_whole_number() -> None:
    assert all(is_whole(value) for value in (0, -3, 10**30, np.int8(2), np.uint64(2)))
    assert not any(is_whole(value) for value in (True, np.True_, 2.0, "2", None, [2]))


def test_what_counts_as_a_number_within_bounds() -> None:
    inside = (1, 3, 2.5, np.float32(2), np.float64(1), np.int8(3), np.longdouble(2))
    outside = (0.99, 3.01, 4, -2, 10**400, np.float32(4), float("nan"), float("inf"))
    assert all(is_within(value, 1, 3) for value in inside)
    assert not any(is_within(value, 1, 3) for value in outside)
    assert not any(is_within(value, 0, 3) for value in (True, "2", None, 2j, [2]))


def test_what_counts_as_one_of_some_words() -> None:
    assert is_one_of("a", ["a", "b"])
    assert not any(is_one_of(value, {"a": 1}) for value in ("c", None, ["a"], 1))


# Errors.


def test_the_message_is_made_of_its_four_parts() -> None:
    error = MhaError("W_Q", "must have shape (8, 8)", "(8, 6)", "Paste 8 rows of 8 numbers.")
    assert str(error) == "W_Q must have shape (8, 8), got (8, 6). Paste 8 rows of 8 numbers."
    parts = (error.thing, error.need, error.got, error.way_out)
    assert parts == ("W_Q", "must have shape (8, 8)", "(8, 6)", "Paste 8 rows of 8 numbers.")


def test_an_error_in_a_text_knows_its_line_and_column() -> None:
    error = ParseError("a cell", "must be a number", "'x'", "Mend it.", line=2, column=5)
    assert str(error) == "Line 2, column 5: a cell must be a number, got 'x'. Mend it."
    assert (error.line, error.column, error.thing) == (2, 5, "Line 2, column 5: a cell")


@pytest.mark.parametrize(
    "error",
    [
        errors.ShapeError("W_Q", "must have shape (8, 8)", "(8, 6)", "Paste 8 rows."),
        ParseError("a cell", "must be a number", "'x'", "Mend it.", line=2, column=5),
    ],
)
def test_an_error_comes_whole_out_of_another_process(error: MhaError) -> None:
    """It is handed on as a copy is made."""
    copied = copy.copy(error)
    assert copied is not error
    assert type(copied) is type(error)
    assert (str(copied), vars(copied)) == (str(error), vars(error))


def test_the_tree_of_errors_is_the_one_that_is_drawn() -> None:
    drawn = {
        line.split()[1]
        for line in (errors.__doc__ or "").splitlines()
        if line.strip().startswith(("├──", "│   └──", "└──"))
        for line in [line.replace("│   ", "")]
    }
    built = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, MhaError) and kind is not MhaError
    }
    assert drawn == built
    assert issubclass(MhaError, ValueError)
    assert issubclass(errors.HeadsError, errors.ShapeError)
    assert all(kind.__doc__ for kind in MhaError.__subclasses__())


def test_the_limits_are_the_ones_that_are_stated() -> None:
    assert (LIMITS.tokens, LIMITS.width, LIMITS.heads) == (16_384, 8_192, 256)
    assert (LIMITS.cells, LIMITS.score_cells) == (67_108_864, 134_217_728)
    assert LIMITS.magnitude == 1e100
    assert (LIMITS.file_bytes, LIMITS.text_chars) == (50_331_648, 20_971_520)
    assert LIMITS.archive_bytes == 8 * LIMITS.file_bytes
    assert (LIMITS.link_chars, LIMITS.link_cells, LIMITS.link_fields) == (2**21, 2**23, 1_000)
    assert (LIMITS.mask_rules, LIMITS.archive_arrays, LIMITS.seed) == (64, 256, 4_294_967_295)


def test_the_limits_of_the_page_are_the_ones_that_are_stated() -> None:
    page = PAGE_LIMITS
    assert (page.tokens, page.width, page.heads, page.score_cells) == (512, 1_024, 32, 524_288)
    assert page.address_chars == 6_000
