"""Any text at all ends in a matrix within the limits or in one of our errors, and soon."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mha_core.checks.errors import LimitError, MhaError, ParseError
from mha_core.checks.limits import LIMITS
from mha_core.checks.number_text import parse_number
from mha_core.io.matrix import matrix_text
from mha_core.io.matrix.matrix_text import parse_matrix


def test_a_text_beyond_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(LimitError) as caught:
        parse_matrix(" " * (LIMITS.text_chars + 1))
    assert str(caught.value) == (
        "The matrix must be at most 20 MB, got a little more. Give it as a .npy file."
    )


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("1 " * 16_385, "1 × 16,385"),
        ("1\n" * 16_385, "16,385 × 1"),
        ("1," * 20_000, "1 × 16,385"),
        ("[" + "1," * 20_000 + "]", "1 × 16,385"),
        ("[" + "[1]," * 20_000 + "]", "16,385 × 1"),
        ("[" + "1;" * 20_000 + "]", "16,385 × 1"),
        ("|1" * 20_000, "1 × 16,385"),
        ("|1|\n" * 20_000, "16,385 × 1"),
        ("1&" * 20_000, "1 × 16,385"),
        ("1\\\\" * 20_000, "16,385 × 1"),
        ("1 2\n" + "1 " * 20_000, "2 × 16,385"),
    ],
)
def test_no_side_is_longer_than_any_matrix_needs(text: str, shape: str) -> None:
    with pytest.raises(LimitError) as caught:
        parse_matrix(text)
    assert str(caught.value) == (
        "The matrix must have at most 16,384 rows and columns and 67,108,864 cells, "
        f"got at least {shape}. Cut it down to the part you want to see."
    )


def test_the_longest_side_is_still_taken() -> None:
    assert parse_matrix("1 " * 16_384).shape == (1, 16_384)
    assert parse_matrix("1\n" * 16_384).shape == (16_384, 1)
    assert parse_matrix("||\n|-|\n" + "|1|\n" * 16_384).shape == (16_384, 1)


def test_no_matrix_has_more_cells_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix_text, "LIMITS", replace(LIMITS, cells=6))
    assert parse_matrix("1 2 3\n4 5 6").shape == (2, 3)
    with pytest.raises(LimitError, match="and 6 cells, got at least 3 × 3"):
        parse_matrix("1 2 3\n4 5 6\n7 8 9")


@pytest.mark.parametrize("blank", ["\v", "\f\v", " \v "])
def test_a_line_of_blanks_of_any_kind_is_no_row(blank: str) -> None:
    assert parse_matrix(f"{blank}\n1 2\n{blank}\n3 4").tolist() == [[1, 2], [3, 4]]
    assert parse_matrix(f"1;2\n{blank}").tolist() == [[1, 2]]
    with pytest.raises(ParseError, match="must hold numbers, got an empty text"):
        parse_matrix(blank)


HOSTILE = {
    "brackets": "[" * 150_000,
    "parentheses": "(" * 150_000,
    "braces": "{" * 150_000,
    "calls": "array(" * 25_000,
    "calls for infinity": 'float("-inf' * 15_000,
    "powers of Mathematica": "{1" + "*^1" * 50_000,
    "scalar calls": "float64(" * 20_000,
    "spaces in a list": "[" + " " * 150_000 + "x]",
    "lines in a list": "[1" + "\n" * 150_000 + ",x]",
    "names": "a." * 75_000 + "([1])",
    "options": "array([1]" + ",a=1" * 35_000,
    "halves of options": "array([1]" + ",a=" * 50_000,
    "spaces": "1" + " " * 150_000 + "x",
    "digits": "1" * 150_000 + "x",
    "quotes": '"' * 150_001,
    "a rule that is none": "|a|\n" + "-" * 150_000 + "|1",
    "fractions": r"\frac{" * 25_000,
    "environments": r"\begin{matrix}" * 10_000,
    "row ends": r"\\[" * 50_000,
    "dollars": "$" * 150_000 + r"\begin{matrix}",
    "powers of ten": "1&" + " " * 150_000 + r"\times" + " " * 150_000 + "x",
    "nothing": "\0" * 150_000,
    "blanks before LaTeX": " " * 150_000 + r"\x",
    "dots before LaTeX": "." * 150_000 + r"\x",
    "brackets of LaTeX": r"\[" * 75_000,
    "brackets of LaTeX that grow": r"\left(" * 25_000,
    "dollars after a matrix": r"\begin{matrix}1\end{matrix}" + "$ " * 75_000 + "x",
    "dollars after a name": "a=" + "$" * 150_000 + "x&",
    "blanks after a name": "a" * 75_000 + " " * 75_000 + r"\x",
    "columns of LaTeX": r"\begin{array}{" + "c|" * 75_000,
    "rules of LaTeX": r"\hline" * 25_000,
    "long row ends": r"\\[" + "1" * 150_000,
    "options with a list": "array([1]" + ",a=(1)" * 25_000,
    "options with digits": "array([1],a=(" + "1" * 150_000,
    "a long name": "a" * 150_000 + "([1])",
    "digits of a scalar": "[float" + "1" * 150_000,
    "pairs of quotes": '"a"' * 50_000,
    "powers": "{1*^" + "1" * 150_000,
    "commas": "1,1" * 50_000,
    "a minus of another kind": "−" * 150_000,
}
MOST_BYTES_A_CHARACTER = 48  # of a hostile text; a repeated group would take 135


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_long_hostile_text_ends_in_an_error_soon_and_in_little_memory(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(MhaError):
            parse_matrix(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_BYTES_A_CHARACTER * len(text)


PIECES = [
    *["1", "-2.5", "3e5", "1/3", "1,5", "1e999", "nan", "inf", "0x", "x", "_", ".", "..", "…"],
    *[" ", "\n", "\t", "\r", ",", ";", "|", "&", "=", "$", '"', "'", "−", "–", "---", "|---|"],
    *["[", "]", "(", ")", "[[", "]]", "array(", "tensor(", "dtype=", "np.float64(1)"],
    *["{", "}", "{{", "}}", "*^", "-∞", 'float("-inf")'],
    *[r"\\", r"\begin{bmatrix}", r"\end{bmatrix}", r"\frac{1}{2}", r"\times", "10^{3}", r"\hline"],
    *["\u00a0", "\ufeff", "\u2028", "\x00", "\udc80"],
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("[" * 100_000)
def test_any_text_gives_a_finite_matrix_or_one_of_our_errors(text: str) -> None:
    try:
        matrix = parse_matrix(text)
    except MhaError:
        return
    assert matrix.dtype == np.float64
    assert matrix.ndim == 2
    assert matrix.size > 0
    assert (np.abs(matrix) <= LIMITS.magnitude).all()


@given(st.text(max_size=60))
def test_any_characters_give_a_finite_matrix_or_one_of_our_errors(text: str) -> None:
    try:
        matrix = parse_matrix(text)
    except MhaError:
        return
    assert np.isfinite(matrix).all()


@given(st.text(max_size=20) | st.sampled_from(PIECES))
def test_any_cell_gives_a_finite_number_or_one_of_our_errors(text: str) -> None:
    try:
        number = parse_number(text)
    except MhaError:
        return
    assert abs(number) <= LIMITS.magnitude
