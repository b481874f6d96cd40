"""The pictures of the walkthrough: every number on them is the core's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS, Screen, screens_of
from mha_core.layer.matrices import labelled_matrix
from tests.core.strategies import scenarios
from ui.figures.walkthrough import is_of_one_head, screen_figure, shapes_of

PIZZA = load_example("pizza")
GROUPED = load_example("grouped-query")


def matrices(trace: Trace, screen: Screen, head: int) -> dict[str, Any]:
    return {m["meta"]["name"]: m for m in screen_figure(trace, screen, head)["data"]}


def numbers(trace: Trace, name: str) -> Any:
    """A matrix of the core, NaN where it is hidden."""
    step, _, head = name.partition("/")
    matrix = labelled_matrix(trace, step, int(head) if head else None)
    values = np.asarray(matrix.values, np.float64)
    return values if matrix.hidden is None else np.where(matrix.hidden, np.nan, values)


@given(scenarios())
def test_every_number_on_every_screen_is_that_of_the_core(s: Scenario) -> None:
    trace = attend(s)
    for screen in screens_of(s):
        for name, matrix in matrices(trace, screen, s.n_heads - 1).items():
            expected = numbers(trace, name)
            shown = matrix["z"].T if matrix["meta"]["transposed"] else matrix["z"]
            np.testing.assert_array_equal(shown, expected.astype(shown.dtype))


@pytest.mark.parametrize(
    ("name", "factors", "result"),
    [
        ("queries", ["x", "w_q"], "q"),
        ("scores", ["q_heads/1", "k_heads/1"], "raw_scores/1"),
        ("blend", ["weights/1", "v_heads/1"], "head_outputs/1"),
        ("output", ["concat", "w_o"], "output"),
    ],
)
def test_a_product_says_of_which_factors_it_is_made(
    name: str, factors: list[str], result: str
) -> None:
    trace = attend(PIZZA)
    walk = screen_figure(trace, SCREENS[name], 1)["layout"]["meta"]["walk"]
    assert walk == {"results": [result], "factors": factors}
    shown = matrices(trace, SCREENS[name], 1)
    left, upper, product = (shown[each]["z"] for each in (*factors, result))
    assert np.allclose(np.nan_to_num(left) @ upper, product)


def test_what_is_no_plain_product_has_no_factors() -> None:
    for name in ("scale", "mask", "weights", "join", "split"):
        figure = screen_figure(attend(PIZZA), SCREENS[name], 0)
        assert figure["layout"]["meta"]["walk"]["factors"] == []


def test_shapes_and_symbols() -> None:
    trace = attend(PIZZA)
    assert shapes_of(trace, SCREENS["scores"], 1) == (
        ["Q₂: 4 × 4", "K₂: 4 × 4"],
        ["Q₂ K₂ᵀ: 4 × 4"],
    )
    assert shapes_of(trace, SCREENS["input"], 0) == ([], ["X: 4 × 8"])
    headings = [m["meta"]["heading"] for m in matrices(trace, SCREENS["scores"], 1).values()]
    assert headings == ["K₂ᵀ: 4 × 4", "Q₂: 4 × 4", "Q₂ K₂ᵀ: 4 × 4"]
    turned = attend(with_scores(GROUPED, positions="rope"))
    assert shapes_of(turned, SCREENS["rotation"], 3)[1] == ["Q₄': 5 × 2", "K₂': 5 × 2"]


def test_where_there_is_a_head_to_choose() -> None:
    trace = attend(PIZZA)
    of_one = [name for name, screen in SCREENS.items() if is_of_one_head(trace, screen)]
    assert of_one[0] == "split"
    assert of_one[-1] == "blend"
    assert not {"input", "queries", "join", "output"} & {*of_one}
