"""What is said of somebody's own numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Trace, attend
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.layer.matrices import labelled_matrix
from mha_core.reading.homework import Checked, check_numbers
from ui.blocks.check_numbers import said_of, table

PIZZA = attend(load_example("pizza"))
RIGHT = PIZZA.weights[0].round(2)
ONE_WRONG = RIGHT + 0.1 * np.eye(4)[:, :1] * np.eye(4)[0]


def said(given: FloatArray, decimals: int = 2, trace: Trace = PIZZA) -> str:
    matrix = labelled_matrix(trace, "weights", 0)
    return said_of(check_numbers(trace, "weights", 0, given, decimals), matrix, decimals)


@pytest.mark.parametrize(
    ("given", "decimals", "words"),
    [
        (RIGHT, 2, "16 of 16 numbers right at 2 decimals."),
        (ONE_WRONG, 1, "15 of 16 numbers right at 1 decimal."),
        (PIZZA.weights[1], 2, "7 of 16 numbers right at 2 decimals. These are other numbers"),
        (RIGHT[:1], 2, "You have 1 row of 4 numbers; Weights, head 1 has 4 rows of 4 numbers."),
    ],
)
def test_it_says_how_many_are_right_and_what_was_likely_done(
    given: FloatArray, decimals: int, words: str
) -> None:
    assert said(given, decimals).startswith(words)


@pytest.mark.parametrize(
    ("given", "right", "decimals", "cell"),
    [
        (0.6027, 0.5956, 2, "0.6027<small>right: 0.5956</small>"),
        (0.6, 0.6051, 2, "0.60<small>right: 0.61</small>"),
        (2 / 3, 0.75, 2, "0.666667<small>right: 0.750000</small>"),
        (123456.0, 123457.0, 2, "1.23456e5<small>right: 1.23457e5</small>"),
        (1.0, -np.inf, 2, "1.00<small>right: −∞</small>"),
        (-np.inf, 1.0, 2, "−∞<small>right: 1.00</small>"),
    ],
)
def test_a_wrong_number_and_the_right_one_never_look_alike(
    given: float, right: float, decimals: int, cell: str
) -> None:
    matrix = labelled_matrix(PIZZA, "weights", 0)
    yours, other = (np.full((4, 4), number) for number in (given, right))
    drawn = table(Checked(other, yours, np.ones((4, 4), dtype=bool)), matrix, decimals)
    assert drawn.count(f"<td class='wrong'>{cell}</td>") == 16


def test_all_numbers_of_a_table_have_the_decimals_that_were_typed() -> None:
    typed = ONE_WRONG.copy()
    typed[3, 3] = 0.1012
    drawn = table(
        check_numbers(PIZZA, "weights", 0, typed, 2), labelled_matrix(PIZZA, "weights", 0), 2
    )
    assert "<td>0.1012</td>" in drawn
    assert drawn.count("<td>0.0000</td>") == 6
    assert "1.1000<small>right: 1.0000</small>" in drawn


def test_the_right_number_stands_below_a_wrong_one_and_labels_are_no_markup() -> None:
    tokens = ("<b>I</b>", *PIZZA.scenario.tokens[1:])
    trace = attend(replace(PIZZA.scenario, tokens=tokens))
    checked = check_numbers(trace, "weights", 0, ONE_WRONG, 2)
    drawn = table(checked, labelled_matrix(trace, "weights", 0), 2)
    assert drawn.count("class='wrong'") == 1
    assert "<td class='wrong'>1.10<small>right: 1.00</small></td>" in drawn
    assert "<b>" not in drawn
    assert "&lt;b&gt;I&lt;/b&gt;" in drawn
