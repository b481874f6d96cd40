"""The way into the heads: each product stands where its two factors lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_changes, with_heads, with_own_values, with_scores
from mha_core.examples import EXAMPLES, load_example
from ui import theme
from ui.figures.drawing import HIGH_AMONG_FOUR
from ui.figures.into_heads import into_heads_figure, rotated_figure
from ui.plot.sent import as_sent

PLACES = ("left", "top")


def shown(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """What is said of each matrix by its name, where the page is wide."""
    figure = into_heads_figure(attend(scenario))
    return {each["name"]: each for each in as_sent(figure)["matrices"]}


def with_biases(s: Scenario) -> Scenario:
    return replace(s, b_q=np.ones(s.n_heads * s.d_k), b_v=np.ones(s.n_kv_heads * s.d_v))


def test_a_product_stands_below_its_projection_and_in_the_row_of_its_input() -> None:
    m = shown(load_example("pizza"))
    assert list(m) == ["w_q", "w_k", "w_v", "x", "q", "k", "v"]
    for name in ("q", "k", "v"):
        assert m[name]["left"] == m[f"w_{name}"]["left"]
        assert m[name]["top"] == m["x"]["top"]
        assert m[f"w_{name}"]["top"] < m[name]["top"]
        assert m["x"]["left"] < m[name]["left"]


def test_with_a_second_sequence_keys_and_values_stand_in_its_row() -> None:
    m = shown(load_example("translation"))
    assert m["q"]["top"] == m["x"]["top"] < m["context"]["top"]
    assert m["k"]["top"] == m["v"]["top"] == m["context"]["top"]
    assert m["x"]["left"] == m["context"]["left"]
    assert (m["x"]["feeds"], m["context"]["feeds"]) == (["q"], ["k", "v"])
    assert m["context"]["row_labels"] == ["I", "DRINK", "BLACK", "COFFEE"]


@pytest.mark.parametrize(
    ("example", "of_x", "of_c"), [("pizza", ["q", "k"], []), ("translation", ["q"], ["k"])]
)
def test_values_from_rows_of_their_own_stand_in_their_row(
    example: str, of_x: list[str], of_c: list[str]
) -> None:
    m = shown(with_own_values(load_example(example)))
    sources = {"x": of_x, "context": of_c, "context_v": ["v"]}
    there = {name: of for name, of in sources.items() if of}
    assert {name: m[name]["feeds"] for name in there} == there
    for source, products in there.items():
        assert all(m[name]["top"] == m[source]["top"] for name in products)
        assert m[source]["left"] == m["x"]["left"]
    tops = [m[name]["top"] for name in there]
    assert all(above < below for above, below in pairwise(tops))


def test_the_numbers_are_those_of_the_trace() -> None:
    trace = attend(with_biases(load_example("grouped-query")))
    for each in into_heads_figure(trace).heatmaps:
        name = each.name
        array = getattr(trace if hasattr(trace, name) else trace.scenario, name)
        assert np.array_equal(each.values, np.atleast_2d(array))


def test_a_bias_is_a_row_that_is_added_where_there_is_one() -> None:
    pizza = load_example("pizza")
    assert not {"b_q", "b_k", "b_v"} & shown(pizza).keys()
    m = shown(with_biases(pizza))
    assert "b_k" not in m
    assert m["b_q"]["row_labels"] == ["+ b_Q"]
    assert m["w_q"]["top"] < m["b_q"]["top"] < m["q"]["top"]
    assert m["b_v"]["left"] == m["w_v"]["left"]


@pytest.mark.parametrize("example", ["pizza", "translation"])
def test_positions_are_there_where_they_are_added_to_the_input(example: str) -> None:
    s = load_example(example)
    of_x, of_c = ["positions", "x_positioned"], ["context_positions", "context_positioned"]
    moved = of_x + of_c * (s.context is not None)
    for kind, expected in (("none", []), ("rope", []), ("sinusoidal", moved)):
        m = shown(with_scores(s, positions=kind))
        assert [name for name in m if "position" in name] == expected
    assert m["positions"]["heading"].startswith("P: ")
    assert m["x_positioned"]["heading"].startswith("X + P: ")
    assert m["x"]["left"] == m["positions"]["left"] == m["x_positioned"]["left"] < m["q"]["left"]
    assert m["x"]["top"] < m["positions"]["top"] < m["x_positioned"]["top"] == m["q"]["top"]


def test_columns_have_the_colours_of_their_heads() -> None:
    m = shown(load_example("pizza"))
    of_heads = [[0, 4, theme.head_color(0)], [4, 8, theme.head_color(1)]]
    assert [m[name]["bands"] for name in ("w_q", "q", "k", "w_v", "v")] == [of_heads] * 5
    assert m["x"]["bands"] == []


def test_shared_keys_have_the_colours_of_all_heads_that_use_them() -> None:
    s = load_example("grouped-query")
    m = shown(s)
    assert len(m["q"]["bands"]) == s.n_heads
    one, two, three, four = (theme.head_color(head) for head in range(4))
    by_column = [(one, two)] * s.d_k + [(three, four)] * s.d_k
    for name in ("w_k", "k", "w_v", "v"):
        for column, colors in enumerate(by_column):
            above = [band[2] for band in m[name]["bands"] if column <= band[0] < column + 1]
            assert tuple(above) == colors


@pytest.mark.parametrize(("heads", "kv_heads", "d_k"), [(8, 1, 4), (8, 4, 16), (16, 1, 1)])
def test_many_heads_that_share_take_turns_in_few_bands(heads: int, kv_heads: int, d_k: int) -> None:
    s = with_heads(load_example("eight-tokens-512"), heads, n_kv_heads=kv_heads, d_k=d_k)
    bands = shown(s)["k"]["bands"]
    assert len(bands) <= 64
    assert [bands[0][0], bands[-1][1]] == [0, kv_heads * d_k]
    half = [color for start, _, color in bands if start < d_k]
    assert half[: heads // kv_heads] == [theme.head_color(i) for i in range(heads // kv_heads)]


def test_a_row_has_one_height_in_all_matrices() -> None:
    s = with_changes(load_example("pizza"), sizes={"d_model": 128, "d_k": 4, "d_v": 80})
    m = shown(s)
    assert len({m[name]["down"] for name in ("x", "q", "k", "v")}) == 1
    assert len({m[name]["down"] for name in ("w_q", "w_k", "w_v")}) == 1
    assert m["x"]["down"] == HIGH_AMONG_FOUR * s.n_q


def test_a_bias_on_one_projection_leaves_the_labels_of_the_others_alone() -> None:
    pizza = load_example("pizza")
    m = shown(replace(pizza, b_v=np.ones(8)))
    assert [m[name]["column_ticks"] for name in ("q", "k", "v")] == [[]] * 3


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_arrangement_shows_every_matrix_apart_from_the_others(example: str) -> None:
    figure = into_heads_figure(attend(with_biases(load_example(example))))
    assert len(figure.arrangements) == 3
    for arrangement in figure.arrangements:
        boxes = [
            [place.left.at(4), place.top.at(4), 4 * each.matrix.across, 4 * each.matrix.down]
            for place, each in zip(arrangement.places, figure.heatmaps, strict=True)
        ]
        for i, (left, top, width, height) in enumerate(boxes):
            for left_2, top_2, width_2, height_2 in boxes[:i]:
                apart = left + width <= left_2 or left_2 + width_2 <= left
                assert apart or top + height <= top_2 or top_2 + height_2 <= top


def test_a_wide_layer_says_its_shape_and_takes_no_more_room() -> None:
    m = shown(load_example("pizza-1024"))
    assert m["w_q"]["heading"] == "W_Q: 1024 × 1024"
    assert (m["w_q"]["across"], m["w_q"]["down"]) == (128, 128)


def at(length: list[float], cell: float) -> float:
    fixed, cells = length
    return fixed + cells * cell


def rotated(scenario: Scenario, heads: Sequence[int]) -> dict[str, dict[str, Any]]:
    figure = rotated_figure(attend(scenario), heads)
    return {each["name"]: each for each in as_sent(figure)["matrices"]} if figure else {}


def test_under_rope_the_rotated_queries_of_a_head_stand_above_its_rotated_keys() -> None:
    rope = with_scores(load_example("pizza"), positions="rope")
    m = rotated(rope, (0, 1))
    assert list(m) == ["q_rotated/0", "q_rotated/1", "k_rotated/0", "k_rotated/1"]
    for head in (0, 1):
        assert m[f"q_rotated/{head}"]["left"] == m[f"k_rotated/{head}"]["left"]
        assert m[f"q_rotated/{head}"]["top"] < m[f"k_rotated/{head}"]["top"]
    assert m["k_rotated/1"]["heading"] == "K₂': 4 × 4"
    trace = attend(rope)
    figure = rotated_figure(trace, (0, 1))
    assert figure
    for each in figure.heatmaps:
        step, _, head = each.name.partition("/")
        assert np.array_equal(each.values, getattr(trace, step)[int(head)])


def test_rotated_keys_that_heads_share_stand_there_once() -> None:
    grouped = with_scores(load_example("grouped-query"), positions="rope")
    keys = [name for name in rotated(grouped, range(4)) if name.startswith("k")]
    assert keys == ["k_rotated/0", "k_rotated/1"]


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "alibi"])
def test_where_nothing_is_rotated_there_is_no_such_picture(positions: str) -> None:
    assert rotated(with_scores(load_example("pizza"), positions=positions), (0, 1)) == {}
