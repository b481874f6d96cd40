"""Which given number moves a cell most, in words."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import attend
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.reading.sentences import influence_sentence
from tests.core.strategies import self_attention

PIZZA = attend(load_example("pizza"))
TRANSLATION = attend(load_example("translation"))
OUTPUT = Cell("output", None, 0, 0)


@pytest.mark.parametrize(
    ("slopes", "said"),
    [
        ([[0, 0], [0, 0.5]], "the 2nd number of “LOVE”: +0.50"),
        ([[0, -0.5], [0, 0.25]], "the 2nd number of “I”: −0.50"),
        ([[0.5, -0.5], [0, 0]], "the 1st number of “I” and equally to 1 other: +0.50"),
        ([[0.5, 0.5], [0, 0.5]], "the 1st number of “I” and equally to 2 others: +0.50"),
    ],
)
def test_a_number_of_x_belongs_to_its_token(slopes: list[list[float]], said: str) -> None:
    sentence = influence_sentence(PIZZA, OUTPUT, "x", np.array(slopes))
    assert sentence == f"output[I, 1] is most sensitive to {said} for each 1 added"


def test_a_number_of_a_second_sequence_belongs_to_its_token() -> None:
    slopes = np.eye(TRANSLATION.scenario.n_k)[::-1]
    sentence = influence_sentence(TRANSLATION, OUTPUT, "context", slopes)
    assert f"number of “{TRANSLATION.scenario.context_tokens[0]}”" in sentence


def test_of_a_token_whose_word_stands_twice_it_is_said_which_one() -> None:
    scenario = self_attention(3, 2, 1, tokens=("THE", "CAT", "THE"))
    sentence = influence_sentence(attend(scenario), OUTPUT, "x", np.eye(3, 2)[::-1])
    assert "is most sensitive to the 2nd number of “CAT” and equally to 1 other" in sentence
    sentence = influence_sentence(attend(scenario), OUTPUT, "x", np.eye(3, 2)[[2, 2, 0]])
    assert "is most sensitive to the 1st number of “THE” (3): " in sentence


@pytest.mark.parametrize(
    ("of", "slopes", "most"),
    [
        ("w_q", [[0, 0], [3, 0]], "W_Q[2, 1.1]"),
        ("b_q", [0, 3], "b_Q[1.2]"),
        ("mask.additive", [[0, 0], [3, 0]], "M_add[LOVE, I]"),
    ],
)
def test_of_another_array_it_is_the_cell(of: str, slopes: list[float], most: str) -> None:
    sentence = influence_sentence(PIZZA, OUTPUT, of, np.array(slopes, dtype=float))
    assert sentence == f"output[I, 1] is most sensitive to {most}: +3.00 for each 1 added"


def test_where_none_moves_it_that_is_said() -> None:
    nothing = np.zeros((4, 8))
    none_of = {"x": "X", "w_q": "W_Q", "mask.additive": "the additive mask"}
    for of, symbol in none_of.items():
        said = f"output[I, 1] does not depend on any number of {symbol}"
        assert influence_sentence(PIZZA, OUTPUT, of, nothing) == said
