"""The pictures of the walkthrough: every number on them is the core's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS, Screen, screens_of
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenarios
from tests.draws import draws
from ui.figures.figure import Walk
from ui.figures.presented import operation_figure
from ui.figures.walkthrough import is_of_one_head, screen_figure, shapes_of, shown_of
from ui.number_format import format_number

PIZZA = load_example("pizza")
EYE = np.eye(2)
WITH_BIAS = Scenario(
    x=np.array([[1.0, 2.0], [0.0, 1.0]]),
    w_q=np.array([[0.5, 0.0], [-1.0, 1.0]]),
    w_k=EYE,
    w_v=EYE,
    w_o=EYE,
    b_q=np.array([0.25, 0.0]),
    b_o=np.array([1.0, 0.0]),
    n_heads=1,
    mask=Mask(rules=(Rule("causal"),)),
    scores=ScoreOptions(scale="none"),
)
GROUPED = load_example("grouped-query")


def matrices(trace: Trace, screen: Screen, head: int) -> dict[str, Any]:
    return {m.name: m for m in screen_figure(trace, screen, head).heatmaps}


def walk_of(trace: Trace, name: str) -> Walk:
    walk = screen_figure(trace, SCREENS[name], 0).walk
    assert walk
    return walk


def numbers(trace: Trace, name: str) -> Any:
    """A matrix of the core, NaN where it is hidden."""
    step, _, head = name.partition("/")
    matrix = labelled_matrix(trace, step, int(head) if head else None)
    values = np.asarray(matrix.values, np.float64)
    return values if matrix.hidden is None else np.where(matrix.hidden, np.nan, values)


@draws(30)
@given(scenarios())
def test_a_screen_has_numbers_of_the_core_how_each_is_computed_and_all_its_symbols(
    s: Scenario,
) -> None:
    trace, head = attend(s), s.n_heads - 1
    for screen in screens_of(s):
        figure = screen_figure(trace, screen, head)
        shown = {matrix.name: matrix for matrix in figure.heatmaps}
        for name, matrix in shown.items():
            expected = numbers(trace, name)
            values = matrix.values.T if matrix.matrix.is_transposed else matrix.values
            np.testing.assert_array_equal(values, expected.astype(values.dtype))
        symbols = shown_of(trace, screen, head).values()
        assert sorted(name for each in symbols for name in each.matrices) == sorted(shown)
        assert figure.walk
        for name, rows in figure.walk.arithmetic.items():
            assert np.shape(rows) == shown[name].values.shape
            for place, words in [*np.ndenumerate(rows)][::3]:
                found = derive_cell(trace, Cell.of_matrix(name, *place))
                assert words == found.arithmetic(decimals=2, most_terms=8)


@pytest.mark.parametrize(
    ("name", "result", "words"),
    [
        ("queries", "q", "1.00·0.50 + 2.00·(−1.00) + 0.25 = −1.25"),
        ("mask", "masked_scores/0", "2.75"),
        ("weights", "weights/0", "1.00 / 1.00 = 1.00"),
        ("output", "output", "1.00·1.00 + 2.00·0.00 + 1.00 = 2.00"),
    ],
)
def test_a_bias_is_a_term_of_the_sum(name: str, result: str, words: str) -> None:
    trace = attend(WITH_BIAS)
    assert walk_of(trace, name).arithmetic[result][0][0] == words


def test_what_was_given_comes_row_by_row() -> None:
    assert walk_of(attend(PIZZA), "input").arithmetic == {}


def test_what_is_hidden_says_why() -> None:
    arithmetic = walk_of(attend(WITH_BIAS), "mask").arithmetic["masked_scores/0"]
    assert arithmetic[0][1] == "−∞ (the mask hides the key from the query)"


def test_of_a_long_sum_the_largest_terms_are_written_and_the_rest_is_one_number() -> None:
    trace = attend(load_example("wide-head"))
    words = walk_of(trace, "scores").arithmetic["raw_scores/0"][2][5]
    sum_in_words, _, result = words.partition(" = ")
    *terms, rest = sum_in_words.split(" + ")
    products = trace.q_heads[0][2] * trace.k_heads[0][5]
    largest = sorted(products, key=abs)[-8:]
    assert len(terms) == 8
    assert rest == f"({format_number(products.sum() - sum(largest))}) (56 more)"  # below 0
    assert result == format_number(trace.raw_scores[0, 2, 5])


def test_a_number_made_of_very_many_comes_with_its_row() -> None:
    wide = load_example("pizza-1024")
    one_token = replace(wide, x=wide.x[:1], tokens=wide.tokens[:1], mask=Mask())
    assert "raw_scores/0" in walk_of(attend(one_token), "scores").arithmetic
    assert walk_of(attend(one_token), "values").arithmetic == {}


def test_many_numbers_come_row_by_row() -> None:
    trace = attend(load_example("long"))
    assert walk_of(trace, "weights").arithmetic == {}


def test_narrow_pairs_stand_in_one_row_where_there_is_room() -> None:
    def columns_of_others(trace: Trace) -> list[int]:
        others = screen_figure(trace, SCREENS["split"], 0).arrangements[1:]
        lefts = [{place.left for place in other.places} for other in others]
        return [len(each) for each in lefts]

    assert columns_of_others(attend(GROUPED)) == [2, 1]  # in pairs, below each other
    assert columns_of_others(attend(PIZZA)) == [1]  # too wide for one row


def test_shapes_and_symbols() -> None:
    trace = attend(PIZZA)
    assert shapes_of(trace, SCREENS["scores"], 1) == (["Q₂: 4 × 4", "K₂: 4 × 4"], ["Q₂ K₂ᵀ: 4 × 4"])
    assert shapes_of(trace, SCREENS["input"], 0) == ([], ["X: 4 × 8"])
    headings = [m.matrix.heading for m in matrices(trace, SCREENS["scores"], 1).values()]
    assert headings == ["K₂ᵀ: 4 × 4", "Q₂: 4 × 4", "Q₂ K₂ᵀ: 4 × 4"]
    turned = attend(with_scores(GROUPED, positions="rope"))
    assert shapes_of(turned, SCREENS["rotation"], 3)[1] == ["Q₄': 5 × 2", "K₂': 5 × 2"]
    assert shapes_of(turned, SCREENS["join"], 3)[0] == ["head₁ … head₄: 5 × 2"]


def test_a_symbol_says_in_words_what_it_stands_for() -> None:
    trace = attend(PIZZA)
    scores = shown_of(trace, SCREENS["scores"], 1)
    assert scores["q_heads"] == (("q_heads/1",), "Q₂: Queries by head, head 2")
    assert shown_of(trace, SCREENS["queries"], 0)["w_q"].words == "W_Q"
    joined = shown_of(trace, SCREENS["join"], 0)["head_outputs"]
    assert joined == (("head_outputs/0", "head_outputs/1"), "Head outputs")


def test_where_there_is_a_head_to_choose() -> None:
    trace = attend(PIZZA)
    of_one = [name for name, screen in SCREENS.items() if is_of_one_head(trace, screen)]
    assert of_one[0] == "split"
    after = ["gate", "gate-of-another-kind", "gated", "center-of-heads", "norm-of-heads"]
    assert of_one[-7:] == ["blend", *after, "function-of-heads"]
    assert not {"input", "queries", "join", "output"} & {*of_one}


@pytest.mark.parametrize(
    ("screen", "options"),
    [("scale", {}), ("cap", {"softcap": 0.5}), ("temperature", {"temperature": 2.0})],
)
def test_scores_before_and_after_a_change_of_size_have_one_range_of_colours(
    screen: str, options: dict[str, Any]
) -> None:
    trace = attend(with_scores(PIZZA, **options))
    before, after = screen_figure(trace, SCREENS[screen], 0).heatmaps
    assert (before.low, before.high) == (after.low, after.high)
    assert np.nanmax(np.abs(before.values)) != np.nanmax(np.abs(after.values))
    one, other = operation_figure(trace, SCREENS[screen], 0).heatmaps
    assert (one.low, one.high) == (other.low, other.high) == (before.low, before.high)
