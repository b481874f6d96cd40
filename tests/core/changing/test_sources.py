"""What made a given array, in words and in numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core.changing.changes import with_changes, with_matrix, with_weights, with_x
from mha_core.changing.sources import source_of
from mha_core.examples import EXAMPLES, load_example
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

PIZZA = load_example("pizza")
GROUPED = load_example("grouped-query")


def words(s: Scenario, name: str) -> str:
    source = source_of(s, name)
    return source.words if source else ""


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "1024" not in name])
def test_the_source_of_each_array_of_an_example_makes_its_numbers(name: str) -> None:
    s = load_example(name)
    for array, numbers in s.given().items():
        source = source_of(s, array)
        assert source
        assert np.array_equal(source.array, numbers)


@pytest.mark.parametrize(
    ("s", "name", "said"),
    [
        (GROUPED, "w_k", "the preset “Random”"),
        (with_weights(GROUPED, "random", 7), "w_o", "the preset “Random” with seed 7"),
        (with_weights(GROUPED, "zeros", 7), "w_q", "the preset “Zeros”"),
        (with_x(PIZZA, "random", 3), "x", "the input “Random” with seed 3"),
        (load_example("translation"), "context", "the input “One-hot words”"),
        (PIZZA, "w_q", "the example “Pizza, a language model”"),
        (replace(PIZZA, origin=Origin()), "w_q", ""),
        (replace(PIZZA, b_o=np.zeros(8)), "b_o", ""),
    ],
)
def test_a_source_has_the_name_of_its_recipe_or_example(s: Scenario, name: str, said: str) -> None:
    assert words(s, name) == said


def test_a_preset_has_its_own_number_where_another_was_entered() -> None:
    entered = GROUPED.w_q.copy()
    entered[0, 0] += 1
    source = source_of(with_matrix(GROUPED, "w_q", entered), "w_q")
    assert source
    assert source.array[0, 0] == GROUPED.w_q[0, 0]


def test_what_makes_another_size_is_no_source() -> None:
    assert words(with_changes(PIZZA, sizes={"d_out": 5}), "w_o") == ""
    too_narrow = replace(load_example("split-only"), origin=Origin(x="one_hot_position"))
    assert words(too_narrow, "x") == ""
