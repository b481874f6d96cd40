"""What people paste becomes the matrix they mean, or an error that says where it stops."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import ParseError
from mha_core.checks.number_text import parse_number
from mha_core.checks.text_source import Source
from mha_core.io.matrix.matrix_text import parse_matrix

TWO_BY_THREE = [[1, -2.5, 3], [0.25, 500, 7]]

SAME_MATRIX = {
    "csv": "1,-2.5,3\n0.25,5e2,7",
    "csv with spaces": " 1, -2.5, 3 \n 0.25, 5E+2, 7 ",
    "csv with spaces before the commas": "1 ,-2.5 ,3\n.25 ,500 ,7",
    "csv from a spreadsheet": '"1","-2,5","3"\r\n"0,25","500","7"\r\n',
    "csv with old line ends": "1,-2.5,3\r.25,500.,7\r",
    "csv with a byte order mark": "\ufeff1,-2.5,3\n.25,500,7",
    "tsv": "1\t-2.5\t3\n1/4\t500\t7\n",
    "tsv with decimal commas": "1\t-2,5\t3\r\n0,25\t5e2\t7\r\n",
    "tsv with quoted cells": '"1"\t -2.5\t"3"\n0.25\t500\t" 7 "',
    "spaces": "1 -2.5 3\n0.25 500 +7",
    "aligned columns": "   1    -2.5   3\n   0.25 500    7  \n",
    "spaces and decimal commas": "1 -2,5 3\n0,25 500 7",
    "semicolons": "1;-2.5;3\n0.25;500;7",
    "semicolons and decimal commas": "1;-2,5;3\n0,25;500;7",
    "semicolons that end rows": "1 -2.5 3; 0.25 500 7",
    "semicolons that end rows of commas": "1, -2.5, 3;\n0.25, 500, 7;",
    "blank lines between": "\n1 -2.5 3\n  \n\n0.25 500 7\n\n",
    "Unicode minus": "1 −2.5 3\n25e−2 500 7",
    "en dash as a minus": "1 –2.5 3\n.25 500 7",
    "fractions": "1 -5/2 9/3\n1/4 500 7/1",
    "json": "[[1, -2.5, 3], [0.25, 5e2, 7]]",
    "json over lines": "[\n  [1, -2.5, 3],\n  [0.25,\n 500, 7]\n]\n",
    "python with a comma at the end": "[[1, -2.5, 3,], [.25, 500., 7],]",
    "tuples": "((1, -2.5, 3), (0.25, 500, 7))",
    "rows without a list around them": "[1, -2.5, 3], [0.25, 500, 7]",
    "lists on lines": "[1 -2.5 3]\n[0.25 500 7]",
    "printed by NumPy": "[[  1.    -2.5    3.  ]\n [  0.25 500.     7.  ]]",
    "a long row printed by NumPy": "[[  1.  -2.5\n    3.  ]\n [  0.25 500.\n  7.]]",
    "NumPy's repr": "array([[1. , -2.5, 3. ],\n       [0.25, 500. , 7. ]], dtype=float32)",
    "NumPy code": "np.array([[1, -2.5, 3], [0.25, 500, 7]])",
    "numpy code with options":
        "W = numpy.asarray([[1,-2.5,3],[.25,500,7]], dtype=float, order='C')",
    "numbers of NumPy 2": "[[np.float64(1.0), -2.5, 3], [np.float32(0.25), 500, np.int64(7)]]",
    "a tensor":
        "tensor([[1., -2.5, 3.],\n  [.25, 500., 7.]], device='cuda:0', grad_fn=<AddBackward0>)",
    "a tensor of an array":
        "torch.tensor(np.array([[1,-2.5,3],[.25,500,7]], dtype=int), dtype=torch.half)",
    "a TensorFlow tensor":
        "tf.Tensor(\n[[1. -2.5 3.]\n [.25 500. 7.]], shape=(2, 3), dtype=float32)",
    "MATLAB": "W_Q = [1 -2.5 3; 0.25 500 7];",
    "MATLAB with commas": "[1, -2.5, 3;\n 0.25,500,7]",
    "Mathematica": "W = {{1, -5/2, 3.}, {0.25, 5.*^2, 7}};",
    "Mathematica over lines": "{{1, -2.5, 3},\n {0.25,\n  5*^+2, 7}}\n",
    "latex": r"\begin{bmatrix} 1 & -2.5 & 3 \\ 0.25 & 500 & 7 \end{bmatrix}",
    "latex over lines": "\\begin{pmatrix}\n1&-2.5&3 \\\\\n.25&500&7 \\\\\n\\end{pmatrix}\n",
    "latex, dressed":
        r"$$W_Q = \left[ \begin{matrix} 1&-2.5&3 \\ .25&500&7 \end{matrix} \right].$$",
    "latex array":
        r"\[\left(\begin{array}{r|cl}\hline 1&-2.5&3\\[2pt] .25&500&7\\\end{array}\right)\]",
    "latex body": r"1 & -2.5 & 3 \\ 0.25 & 500 & 7",
    "latex numbers":
        r"1 & - \frac{5}{2} & 3 \\ \dfrac{ 1 }{ 4 } & 5 \times 10^{2} & 0{,}7 \cdot 10^1\\\hline",
    "markdown": "| a | b | c |\n|---|:-:|--:|\n| 1 | -2.5 | 3 |\n| 0.25 | 500 | 7 |\n",
    "markdown without outer bars": "a | b | c\n--|--|--\n1 | -2,5 | 3\n0,25 | 500 | 7",
    "markdown with an empty header": "|  |  |  |\n|--|--|--|\n|1|-2.5|3|\n|.25|500|7|",
    "markdown without a header": "|--|--|--|\n|1|-2.5|3|\n|.25|500|7|",
    "bars only": "1 | -2.5 | 3\n.25 | 500 | 7",
}  # fmt: skip


@pytest.mark.parametrize("text", SAME_MATRIX.values(), ids=SAME_MATRIX.keys())
def test_every_layout_gives_the_same_matrix(text: str) -> None:
    matrix = parse_matrix(text)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == TWO_BY_THREE


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("7", [[7]]),
        ("[7]", [[7]]),
        ("(7)", [[7]]),
        ("tensor(5.)", [[5]]),
        ("|7|", [[7]]),
        ("1 2 3", [[1, 2, 3]]),
        ("[1. 2. 3.]", [[1, 2, 3]]),
        ("1\n2\n3", [[1], [2], [3]]),
        ("[1; 2; 3]", [[1], [2], [3]]),
        ("[[1], [2], [3]]", [[1], [2], [3]]),
        ("{1, 2}", [[1, 2]]),
        ("{{1}, {2}}", [[1], [2]]),
        ("{1.5*^-3, 2*^3}", [[0.0015, 2000]]),
        ("((1,), (2,))", [[1], [2]]),
        ("[1, 2,\n 3, 4]", [[1, 2, 3, 4]]),
        ("1/3 .5 5. +3 -2/7", [[1 / 3, 0.5, 5, 3, -2 / 7]]),
        ("1e-400 -0", [[0, -0.0]]),
        (r"\frac{1}{3}", [[1 / 3]]),
        (r"1{,}5 & -0{,}5", [[1.5, -0.5]]),
    ],
)
def test_a_row_a_column_and_a_number_have_two_axes(text: str, matrix: list[list[float]]) -> None:
    assert parse_matrix(text).tolist() == matrix


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("1,5", [[1, 5]]),  # commas alone separate
        ("1,5\n2,5", [[1, 5], [2, 5]]),
        ("1,234", [[1, 234]]),
        ("1.5,2.5, 3.5", [[1.5, 2.5, 3.5]]),  # with points, commas separate
        ("1,2,3, 4", [[1, 2, 3, 4]]),  # a number has one decimal comma
        ("[1,5; 2,5]", [[1, 5], [2, 5]]),  # in brackets they always separate
        ("[1,5]", [[1, 5]]),
        ("-2,5;3,1", [[-2.5, 3.1]]),
        ("1,5 2,5", [[1.5, 2.5]]),
        ("1,5 2,5; 3,5 4,5", [[1.5, 2.5], [3.5, 4.5]]),
        ("1,5\t2", [[1.5, 2]]),
        ("1,5 | 2", [[1.5, 2]]),
        ("1,5 & 2", [[1.5, 2]]),
        ("1,234;5,6", [[1.234, 5.6]]),  # 5,6 tells that commas are decimal
        ("5,6;1,234", [[5.6, 1.234]]),
        ("0,123;0,456", [[0.123, 0.456]]),  # no thousands begin with 0
        ("1234,567;1", [[1234.567, 1]]),  # nor have they four digits before
        ("1;2,5", [[1, 2.5]]),
        ("1  234,5", [[1, 234.5]]),  # thousands have one blank between them,
        ("1 23,5 2", [[1, 23.5, 2]]),  # three digits behind it,
        ("0 234,5", [[0, 234.5]]),  # no 0 before it
        ("1,5 234,5", [[1.5, 234.5]]),  # and one comma
        ("1 234", [[1, 234]]),  # without a comma, blanks separate
        ("1, 2; 3, 4", [[1, 2], [3, 4]]),
        ('"1,5","2,5"', [[1.5, 2.5]]),
        ('"1,5", "2,5"', [[1.5, 2.5]]),
    ],
)
def test_a_comma_is_decimal_where_something_else_separates(
    text: str, matrix: list[list[float]]
) -> None:
    assert parse_matrix(text).tolist() == matrix


REFUSED = [
    # what cannot be read as one matrix of numbers: text, line, column, part of the message
    ("1,2\n3,x", 2, 3, "must hold numbers only, got 'x'. Write it like 0.5, -2, 1e-3 or 1/3"),
    ("1, 2\n3,   four", 2, 6, "got 'four'"),
    ("a\tb\n1\t2", 1, 1, "got 'a'. Write it like 0.5, -2, 1e-3 or 1/3, without units, underscores "
     "or thousands separators, and leave out headers and labels."),
    ("1\r\n2\r\nabc", 3, 1, "got 'abc'"),
    ("1\r2\rabc", 3, 1, "got 'abc'"),
    ('1,"x"', 1, 4, "got 'x'"),
    ('1,"2', 1, 3, "got '\"2'"),
    ('1,"', 1, 3, "got '\"'"),
    ("[[1, 2],\n [3, x]]", 2, 6, "got 'x'"),
    ("[np.float64(1), np.float64(x)]", 1, 28, "got 'x'"),
    ("| a |\n|---|\n| 1 |\n|  x |", 4, 4, "got 'x'"),
    ("1 & 2 \\\\\n3 & x", 2, 5, "got 'x'"),
    (r"\begin{bmatrix} 1 & 2 \\ 3 & x \end{bmatrix}", 1, 30, "got 'x'"),
    ("1_000", 1, 1, "got '1_000'"),
    ("0x1F", 1, 1, "got '0x1F'"),
    ("٣", 1, 1, "got '٣'"),
    ("1e5.5", 1, 1, "got '1e5.5'"),
    ("1/2/3", 1, 1, "got '1/2/3'"),
    ("--1", 1, 1, "got '--1'"),
    (".", 1, 1, "got '.'"),
    ("50%", 1, 1, "got '50%'"),
    ("x" * 50, 1, 1, "got '" + "x" * 40 + "'..."),
    # not finite, too large, too long
    ("1 nan", 1, 3, "must hold finite numbers, got 'nan'. Replace that value by a number."),
    ("-Infinity", 1, 1, "must hold finite numbers, got '-Infinity'"),
    (r"1 & -\infty", 1, 5, r"must hold finite numbers, got '-\\infty'"),
    ("1/0", 1, 1, "must hold finite numbers, got '1/0'. Divide by another number."),
    ("2 1e101", 1, 3, "must hold finite numbers of at most 1e+100 in size, got '1e101'. Write a "),
    ("-1e999", 1, 1, "must hold finite numbers of at most 1e+100 in size, got '-1e999'"),
    ("1e999/1e999", 1, 1, "must hold finite numbers of at most 1e+100 in size"),
    ("1" * 1101, 1, 1, "must have numbers of at most 1100 characters"),
    # thousands
    ("1,234;5,678", 1, 1, "must have only one reading, and this may be 1.234 or 1234, got "
     "'1,234'. Write 1.234 for the first or 1234 for the second."),
    ("1.5;-1,234;5,678", 1, 5, "this may be -1.234 or -1234"),
    ("1.5;1,234;5,6", 1, 5, "this may be 1.234 or 1234"),
    ('"1,234","2"', 1, 2, "this may be 1.234 or 1234"),
    ("1.234,5;2", 1, 1, "got '1.234,5'"),
    ("1,234,567;2", 1, 1, "got '1,234,567'"),
    ("1\u00a0000 2", 1, 1, "must have only one reading, and this may be 1000 or 1 and 000, got "
     "'1\\xa0000'. Write 1000 for the first or 1; 000 for the second."),
    ("1 234,5", 1, 1, "must have only one reading, and this may be 1234.5 or 1 and 234.5, got "
     "'1 234,5'. Write 1234.5 for the first or 1; 234.5 for the second."),
    ("0,5 2\n-1 234 567,8 9", 2, 1, "this may be -1234567.8 or -1 and 234 and 567.8"),
    ("1,5; 1 234,5", 1, 6, "this may be 1234.5 or 1 and 234.5"),
    ("2\t1 234,5", 1, 3, "this may be 1234.5 or 1 and 234.5"),
    ("1\u202f234,5", 1, 1, "this may be 1234 or 1 and 234"),  # the comma separates
    ("1\u2009234,5 6,7", 1, 1, "this may be 1234.5 or 1 and 234.5"),
    ("2;1\u00a0234,5", 1, 3, "this may be 1234.5 or 1 and 234.5"),
    # separators that do not agree
    ("1,5, 2,5", 1, 2, "must have only one reading, got a comma that may be a decimal comma or "
     "stand between two numbers. Write decimals with a point (1.5, 2.5), or a space after every"),
    ("1, 2\n3,4", 2, 2, "must have only one reading"),
    ("1, 2 3", 1, 2, "must have one kind of separator, got both commas and spaces between numbers"),
    ("1,2 3,", 1, 6, "must have one kind of separator"),
    ("1,-2 3", 1, 2, "must have one kind of separator"),
    ("1\t2 3", 1, 3, "must have one number in each cell, got '2 3'"),
    ("[1, 2 3]", 1, 5, "must have one number in each cell, got '2 3'"),
    ("[1 2\n 3 4]", 2, 2, "must have only one reading, got a new line that may begin a row "
     "(MATLAB) or continue it (NumPy). Write ; between rows, or all numbers of a row on one"),
    ("[1 2\r 3 4]", 2, 2, "must have only one reading"),
    # cells and rows that are missing
    ("", 1, 1, "must hold numbers, got an empty text. Paste rows of numbers."),
    (" \n \n", 1, 1, "must hold numbers, got an empty text"),
    ("| a |\n|---|", 1, 1, "must hold numbers, got an empty text"),
    ("[ ; ]", 1, 1, "must hold numbers, got an empty text"),
    ("1,,2", 1, 3, "must have a number in every cell, got an empty cell. Write 0 where you mean"),
    ("1;2;", 1, 5, "got an empty cell"),
    ("1\t\n", 1, 3, "got an empty cell"),
    ("\t", 1, 1, "got an empty cell"),
    ("|", 1, 1, "got an empty cell"),
    ("| 1 | |", 1, 6, "got an empty cell"),
    (r"1 & \\ 2 & 3", 1, 4, "got an empty cell"),
    (r"1 \\ \\ 2", 1, 5, "got an empty cell"),
    ("[1,,2]", 1, 4, "got an empty cell"),
    ("[,1]", 1, 2, "got an empty cell"),
    ("[]", 1, 2, "must have numbers in every list, got an empty list. Write at least one number"),
    ("[[1], []]", 1, 8, "must have numbers in every list"),
    ("[,]", 1, 2, "got an empty cell"),
    ("array()", 1, 7, "must have numbers in every list"),
    ("1,2\n3", 2, 1, "must have 2 numbers in every row, as in its first, got 1 in row 2. Give "),
    ("1 2\n3 4\n5 6 7", 3, 1, "must have 2 numbers in every row, as in its first, got 3 in row 3"),
    ("[[1, 2], [3]]", 1, 11, "got 1 in row 2"),
    ("|1|2|\n|3|", 2, 2, "got 1 in row 2"),
    ("[[1 2 ... 9]]", 1, 7, "must be complete, got '...'. Print all of it: np.set_printoptions("),
    ("1 … 9", 1, 3, "must be complete, got '…'"),
    # brackets
    ("[[[1]]]", 1, 3, "must have two axes, rows and columns, got lists nested deeper than that. "
     "Give one head or one batch at a time, as [[1, 2], [3, 4]]."),
    ("tensor([[[1]]])", 1, 10, "must have two axes"),
    ("[[1, 2], [3, 4]", 1, 1, "must close every bracket, got one that stays open. Add ] where it"),
    ("(1, 2", 1, 1, "must close every bracket, got one that stays open. Add ) where it ends."),
    ("array([1, 2]", 1, 6, "must close every bracket, got one that stays open. Add ) where it"),
    ("[1, 2)", 1, 6, "must have matching brackets, got ')'. Remove it, or add its"),
    ("[1, 2]]", 1, 7, "must have matching brackets, got ']'"),
    ("array([1, 2]]", 1, 13, "must have matching brackets, got ']'"),
    ("[1, [2, 3]]", 1, 2, "must have either lists or numbers in a list, not both, got '1,'. "
     "Write a matrix as [[1, 2], [3, 4]]."),
    ("[[1, 2], 3]", 1, 8, "not both, got ', 3'"),
    ("[[1],, [2]]", 1, 5, "not both, got ',,'"),
    ("[, [2]]", 1, 2, "not both, got ','"),
    ("[sqrt(2), 1]", 1, 2, "not both, got 'sqrt'"),
    ("[[1; 2]]", 1, 4, "must have , between numbers, got ';'. Write , instead."),
    ("((1), (2))", 1, 3, "must have a comma in a row of one, got '1'. Write (1,) for a row of one"),
    ("sin(1)", 1, 1, "must be one matrix and nothing else, got 'sin(1)'. Give one matrix at a "),
    ("my values: [1]", 1, 1, "must be one matrix and nothing else, got 'my values: [1]'"),
    ("array([1, 2]).T", 1, 14, "must be one matrix and nothing else, got '.T'"),
    ("array([1], dtype=int).reshape(1, 1)", 1, 22, "nothing else, got '.reshape(1, 1)'"),
    ("array([1], 5)", 1, 10, "nothing else, got ', 5)'"),
    ("[[1]] [[2]]", 1, 7, "nothing else, got '[[2]]'"),
    ("[1], [[2]]", 1, 6, "nothing else, got '[[2]]'"),
    ("[1; 2], [3; 4]", 1, 9, "nothing else, got '[3; 4]'"),
    ("[[1]]   end", 1, 9, "nothing else, got 'end'"),
    ("{1, 2", 1, 1, "must close every bracket, got one that stays open. Add } where it ends."),
    ("{1, 2]", 1, 6, "must have matching brackets, got ']'"),
    ("{{{1}}}", 1, 3, "must have two axes, rows and columns"),
    ("{{1}, {}}", 1, 8, "must have numbers in every list, got an empty list"),
    ("{1 2}", 1, 2, "must have one number in each cell, got '1 2'. Put the same separator"),
    ("{1\n2}", 1, 2, "must have one number in each cell, got '1\\n2'"),
    ("{1; 2}", 1, 3, "must have , between numbers, got ';'. Write , instead."),
    ("{1*^2.5, x}", 1, 2, "must hold numbers only, got '1*^2.5'"),
    ('{"a": [1, 2]}', 1, 2, "must have either lists or numbers in a list, not both, got '\"a\":'"),
    # LaTeX and tables
    (r"\begin{bmatrix} 1 & 2", 1, 1, r"must end with \end{bmatrix}, got no such end. Add \end{bm"),
    (r"\begin{bmatrix} 1 \end{pmatrix}", 1, 1, r"must end with \end{bmatrix}"),
    (r"\begin{bmatrix} 1 \end{bmatrix}^T", 1, 32, "must be one matrix and nothing else, got '^T'"),
    (r"\begin{align} 1 \end{align}", 1, 1, "must have one number in each cell"),
    (r"1/2 \times 10^{3}", 1, 1, "must have one number in each cell"),
    (r"1 \times 2", 1, 1, "must have one number in each cell"),
    (r"\hlinex 1", 1, 1, "must have one number in each cell"),
    ("| 1 | 2 |\n|---|---|\n| 3 | 4 |", 1, 3, "must have words or nothing above |---|, got the "
     "number '1'. Delete the |---| line if this row is part of the matrix, or this row if it"),
    ("| a | 1,5 |\n|---|---|\n| 3 | 4 |", 1, 7, "got the number '1,5'"),
    ("| a |\n| 1 |", 1, 3, "must hold numbers only, got 'a'"),
    ("| 1 |\n| 2 |\n|---|", 3, 2, "must hold numbers only, got '---'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED)
def test_a_refusal_says_where_and_why(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_matrix(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"Line {line}, column {column}: The matrix must ")
    assert message in str(caught.value)


def test_an_error_names_the_matrix_as_the_person_does() -> None:
    with pytest.raises(ParseError, match=r"^Line 1, column 1: W_Q must hold numbers only"):
        parse_matrix("x", "W_Q")


def test_a_place_is_counted_in_lines_and_columns_from_1() -> None:
    source = Source("It", "ab\r\ncd\re\nf")
    places = [
        (error.line, error.column)
        for error in (source.error(i, "", "", "") for i in (0, 1, 4, 7, 9))
    ]
    assert places == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]


# Minus infinity, which hides in an additive mask

MINUS_INFINITIES = {
    "csv": "0,-inf\n0.5,0",
    "csv of a spreadsheet": '"0";"-inf"\n"0,5";"0"',
    "tsv": "0\t-Infinity\n0.5\t0",
    "spaces": "0 −∞; .5 0",
    "spaces and decimal commas": "0 -INF\n0,5 0",
    "lists": "[[0, -inf], [0.5, 0]]",
    "json": "[[0, -Infinity], [0.5, 0]]",
    "python": "[[0, float('-inf')], [0.5, 0]]",
    "python with the minus before": '[[0, -float("inf")], [0.5, 0]]',
    "modules": "[[0, -math.inf], [0.5, 0]]",
    "numpy": "np.array([[0, -np.inf], [0.5, 0]])",
    "torch": "tensor([[0.0000, -inf],\n        [0.5000, 0.0000]])",
    "MATLAB": "[0 -Inf; 0.5 0]",
    "Mathematica": "{{0, -Infinity}, {0.5, 0}}",
    "latex": r"0 & - \infty \\ 0.5 & 0",
    "markdown": "| a | b |\n|---|---|\n| 0 | -inf |\n| 0.5 | 0 |",
}


@pytest.mark.parametrize("text", MINUS_INFINITIES.values(), ids=MINUS_INFINITIES.keys())
def test_minus_infinity_is_read_by_who_asks_for_it(text: str) -> None:
    assert parse_matrix(text, minus_infinity=True).tolist() == [[0, -np.inf], [0.5, 0]]
    with pytest.raises(ParseError, match="must hold finite numbers, got"):
        parse_matrix(text)


@pytest.mark.parametrize("text", ["inf", "∞", "+inf", "--inf", "nan", "-nan", "np.inf", "null"])
def test_nothing_else_that_is_not_finite_is_read(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_matrix(f"0 {text}", "The mask", minus_infinity=True)
    assert str(caught.value) == (
        f"Line 1, column 3: The mask must hold finite numbers or -inf, got {text!r}. "
        "Replace that value by a number or by -inf."
    )


@pytest.mark.parametrize("text", ["-1e101", "-1e999", "1/0", "-inf/2", "-infinit", "- inf"])
def test_what_only_resembles_minus_infinity_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="The matrix must"):
        parse_matrix(f"0,{text}", minus_infinity=True)


def test_a_row_of_minus_infinity_is_never_taken_for_a_header() -> None:
    with pytest.raises(ParseError, match="must have words or nothing above"):
        parse_matrix("| -inf |\n|---|\n| 0 |", minus_infinity=True)


# One number, one vector


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e-3", 0.001),
        (" 7 ", 7),
        ("-2,5", -2.5),
        ("1/3", 1 / 3),
        ("-2/7", -2 / 7),
        ("1,5/-2,5", -0.6),
        (".5", 0.5),
        ("5.", 5),
        ("+3", 3),
        ("−1E−3", -0.001),
        ("1e100", 1e100),
        ("-1e100", -1e100),
        ("4,9e-324", 5e-324),
        ("0" * 1_099 + "5", 5),
    ],
)
def test_one_number_is_read_as_people_write_it(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The number must have a number in every cell, got an empty cell"),
        ("one", "must hold numbers only, got 'one'"),
        ("1 2", "must have one number in each cell, got '1 2'"),
        ("1 234,5", "this may be 1234.5 or 1 and 234.5"),
        ("1\u00a0234,5", "this may be 1234.5 or 1 and 234.5"),
        ("1,234", "this may be 1.234 or 1234"),
        (",5", "must hold numbers only, got ',5'"),
        ("1/0,0", "must hold finite numbers, got '1/0,0'"),
        ("NaN", "must hold finite numbers, got 'NaN'"),
        ("[1]", "must hold numbers only, got '[1]'"),
        ("1.1e100", "at most 1e+100 in size"),
    ],
)
def test_what_is_not_one_number_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_number(text)
    assert message in str(caught.value)


def test_a_number_is_named_as_the_person_does_and_has_its_place() -> None:
    with pytest.raises(ParseError, match=r"^Line 1, column 3: The scale must hold numbers only"):
        parse_number("  x", "The scale")


@pytest.mark.parametrize("text", ["-inf", " -INF ", "-Infinity", "−∞", "-np.inf"])
def test_a_number_may_be_minus_infinity_for_who_asks_for_it(text: str) -> None:
    assert parse_number(text, minus_infinity=True) == -np.inf
    with pytest.raises(ParseError, match="must hold finite numbers, got"):
        parse_number(text)
