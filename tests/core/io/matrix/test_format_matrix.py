"""A matrix written as text comes back to the last bit, in every style."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from mha_core.checks.errors import NumberError, OptionError, ParseError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.io.matrix.matrix_text import STYLES, as_matrix, format_matrix, parse_matrix


def matrices(dtype: type[np.floating]) -> st.SearchStrategy[np.ndarray]:
    largest = float(np.finfo(np.float32).max) if dtype is np.float32 else LIMITS.magnitude
    numbers = st.floats(-largest, largest, width=32 if dtype is np.float32 else 64)
    shapes = array_shapes(min_dims=2, max_dims=2, max_side=5)
    return arrays(dtype, shapes, elements=numbers | st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e16]))


ODD_NUMBERS = np.array([[-0.0, 0.1, 5e-324], [-2.2250738585072014e-308, 1e100, 1 / 3]])
# The shortest digits of this float32 land half-way between two when read as a float64.
ROUNDED_TWICE = np.array([[7.038530691851209e-26]], dtype=np.float32)


@pytest.mark.parametrize("style", STYLES)
@given(matrix=matrices(np.float64))
@example(matrix=ODD_NUMBERS)
def test_formatting_then_parsing_gives_the_same_bits(style: str, matrix: np.ndarray) -> None:
    back = parse_matrix(format_matrix(matrix, style))
    assert back.shape == matrix.shape
    assert back.tobytes() == matrix.tobytes()


@pytest.mark.parametrize("style", STYLES)
@given(matrix=matrices(np.float32))
@example(matrix=ROUNDED_TWICE)
def test_a_float32_matrix_comes_back_after_a_cast(style: str, matrix: np.ndarray) -> None:
    back = parse_matrix(format_matrix(matrix, style)).astype(np.float32)
    assert back.tobytes() == matrix.tobytes()


@pytest.mark.parametrize("style", [style for style in STYLES if style != "json"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_additive_mask_comes_back_to_who_asks_for_minus_infinity(
    style: str, dtype: type[np.floating]
) -> None:
    mask = np.array([[-0.0, -np.inf, 1 / 3], [-np.inf, -np.inf, 1e-9]], dtype)
    back = parse_matrix(format_matrix(mask, style), minus_infinity=True)
    assert back.astype(dtype).tobytes() == mask.tobytes()


def test_the_odd_float32_would_be_lost_by_its_shortest_digits() -> None:
    number = ROUNDED_TWICE[0, 0]
    assert np.float32(float(str(number))) != number


FORMATTED = {
    "csv": "1,-0.5\n1e-7,-0",
    "tsv": "1\t-0.5\n1e-7\t-0",
    "json": "[[1.0, -0.5],\n [1e-7, -0.0]]",
    "python": "[[1.0, -0.5],\n [1e-7, -0.0]]",
    "numpy": "np.array([[1.0, -0.5],\n          [1e-7, -0.0]])",
    "latex": "\\begin{bmatrix}\n  1 & -0.5 \\\\\n  1 \\times 10^{-7} & -0\n\\end{bmatrix}",
    "markdown": "|  |  |\n| ---: | ---: |\n| 1 | -0.5 |\n| 1e-7 | -0 |",
}


def test_every_style_is_written_as_its_readers_expect() -> None:
    matrix = [[1, -0.5], [1e-7, -0.0]]
    assert {style: format_matrix(matrix, style) for style in STYLES} == FORMATTED


def test_csv_is_the_style_without_a_style() -> None:
    assert format_matrix([[1, 2]]) == "1,2"


def test_a_float32_says_so_only_in_numpy_code() -> None:
    matrix = np.array([[0.1, 2]], dtype=np.float32)
    assert format_matrix(matrix, "numpy") == "np.array([[0.1, 2.0]], dtype=np.float32)"
    assert format_matrix(matrix, "csv") == "0.1,2"


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("csv", "inf,-inf,nan"),
        ("tsv", "inf\t-inf\tnan"),
        ("python", '[[float("inf"), -float("inf"), float("nan")]]'),
        ("numpy", "np.array([[np.inf, -np.inf, np.nan]])"),
        ("latex", "\\begin{bmatrix}\n  \\infty & -\\infty & \\mathrm{NaN}\n\\end{bmatrix}"),
        ("markdown", "|  |  |  |\n| ---: | ---: | ---: |\n| inf | -inf | nan |"),
    ],
)
def test_computed_infinities_are_written_in_each_styles_words(style: str, text: str) -> None:
    computed = np.array([[np.inf, -np.inf, np.nan]])
    assert format_matrix(computed, style) == text
    single = computed.astype(np.float32)
    assert format_matrix(single, style) == text.replace("]])", "]], dtype=np.float32)")
    with pytest.raises(ParseError):
        parse_matrix(text)


def test_json_has_no_word_for_infinity() -> None:
    with pytest.raises(NumberError) as caught:
        format_matrix([[np.inf]], "json")
    assert str(caught.value) == (
        "A matrix in JSON must hold finite numbers, got infinity or NaN. "
        "Choose csv, or a .npy file."
    )


def test_an_unknown_style_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError) as caught:
        format_matrix([[1]], "xlsx")
    assert str(caught.value) == (
        "The style must be one of csv, tsv, json, numpy, python, latex, markdown, got 'xlsx'. "
        "Choose one of them."
    )


def test_a_vector_is_written_as_one_row_and_a_mask_as_0_and_1() -> None:
    assert format_matrix(np.array([1.5, 2])) == "1.5,2"
    assert format_matrix(np.array([[True, False]])) == "1,0"
    assert as_matrix("b", 3).tolist() == [[3.0]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            np.zeros((2, 3, 5)),
            "The matrix must have two axes, rows and columns, got shape (2, 3, 5)",
        ),
        (np.zeros((0, 3)), "The matrix must have at least one number, got shape (0, 3)"),
    ],
)
def test_only_matrices_are_written(value: np.ndarray, message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        format_matrix(value)
    assert str(caught.value).startswith(message)
