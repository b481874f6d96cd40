"""The pictures of a forward pass show the trace, nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Trace, attend
from mha_core.changing.changes import with_heads, with_heads_off, with_tokens
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.layer.made_of import Input
from mha_core.layer.steps import step
from ui.figures import drawing, pictures
from ui.figures.drawing import Look
from ui.figures.heatmap import Figure
from ui.figures.one_head import VECTORS, one_head_figure, wide_head_figure


def heatmaps(figure: Figure) -> dict[str, Any]:
    """The heatmaps of a figure by the name that a click reports."""
    return {t["meta"]["name"]: t for t in figure["data"] if t["type"] == "heatmap"}


@pytest.fixture
def pizza() -> Trace:
    return attend(load_example("pizza"))


def test_scores_stand_above_weights_a_column_a_head(pizza: Trace) -> None:
    shown = heatmaps(pictures.heads_figure(pizza, range(2)))
    assert list(shown) == ["masked_scores/0", "masked_scores/1", "weights/0", "weights/1"]
    weights = shown["weights/1"]
    assert np.array_equal(weights["z"][pizza.mask], pizza.weights[1][pizza.mask])
    assert np.isnan(weights["z"][~pizza.mask]).all()
    assert weights["meta"]["row_labels"] == ["I", "LOVE", "PEPPERONI", "PIZZA"]
    assert (weights["zmin"], weights["zmax"]) == (0, 1)


def test_the_rows_and_the_scores_are_chosen(pizza: Trace) -> None:
    figure = pictures.heads_figure(pizza, [1], ["head_outputs", "raw_scores"])
    shown = heatmaps(figure)
    assert list(shown) == ["head_outputs/1", "raw_scores/1"]
    assert np.array_equal(shown["raw_scores/1"]["z"], pizza.raw_scores[1])  # not masked yet
    assert np.array_equal(shown["head_outputs/1"]["z"], pizza.head_outputs[1])


def test_heads_that_do_not_fit_go_on_below() -> None:
    trace = attend(with_heads(load_example("eight-tokens-512"), 8))
    figure = pictures.heads_figure(trace, range(8))
    weights = [i for i, t in enumerate(figure["data"]) if t["meta"]["name"].startswith("weights")]
    ways = [[t["meta"] for t in figure["data"]]]
    ways += [other["places"] for other in figure["layout"]["meta"]["others"]]
    rows = [len({tuple(places[i]["top"]) for i in weights}) for places in ways]
    assert rows == [1, 2, 4, 8]
    for places in ways:
        tops = [places[i]["top"] for i in weights]
        assert sorted(tops) == tops


@pytest.mark.parametrize("n", range(1, 17))
def test_heads_fill_their_rows_evenly(n: int) -> None:
    for count in pictures.even_counts(n):
        last = n % count or count
        assert last == count or last == count - 1
    assert pictures.even_counts(n)[-1] == 1


def test_never_three_heads_and_one() -> None:
    assert pictures.even_counts(4) == [4, 2, 1]
    assert pictures.even_counts(8) == [8, 4, 2, 1]
    assert pictures.even_counts(12) == [6, 4, 3, 2, 1]


@pytest.mark.parametrize("step", pictures.SCORE_MATRICES)
def test_all_scores_have_room_for_the_longest_number_of_any(pizza: Trace, step: str) -> None:
    s = pizza.scenario
    large = attend(replace(s, x=40 * s.x))
    figure = pictures.heads_figure(large, range(2), [step, "weights"])
    longest = {f"{number:.2f}" for number in large.raw_scores.ravel()}
    widest = figure["layout"]["meta"]["cell"]["widest"]
    assert len(widest) == max(map(len, longest))
    bare = pictures.heads_figure(large, range(2), [step], Look(values=False))
    assert bare["layout"]["meta"]["cell"]["widest"] == ""


def test_a_cross_attention_has_queries_down_and_keys_across() -> None:
    trace = attend(load_example("translation"))
    weights = heatmaps(pictures.heads_figure(trace, [0]))["weights/0"]
    assert weights["meta"]["row_labels"] == list(trace.scenario.tokens)
    assert weights["meta"]["column_labels"] == list(trace.scenario.context_tokens)


def test_one_head_shows_its_own_keys_under_grouped_queries() -> None:
    trace = attend(load_example("grouped-query"))
    s = trace.scenario
    last = s.n_heads - 1
    shown = heatmaps(one_head_figure(trace, last))
    assert np.array_equal(
        shown[f"k_rotated/{s.n_kv_heads - 1}"]["z"], trace.k_rotated[s.n_kv_heads - 1].T
    )
    assert np.array_equal(shown[f"q_rotated/{last}"]["z"], trace.q_rotated[last])
    assert np.array_equal(shown[f"head_outputs/{last}"]["z"], trace.head_outputs[last])


def test_bands_say_which_columns_came_from_which_head(pizza: Trace) -> None:
    figure = pictures.together_figure(pizza)
    shown = heatmaps(figure)
    assert [band[:2] for band in shown["concat"]["meta"]["bands"]] == [[0, 4], [4, 8]]
    assert np.array_equal(shown["concat"]["z"], pizza.concat)
    assert np.array_equal(shown["output"]["z"], pizza.output)
    assert shown["w_o"]["meta"]["row_labels"][4] == "2.1"


def test_the_bias_of_the_output_stands_below_w_o_where_there_is_one(pizza: Trace) -> None:
    assert "b_o" not in heatmaps(pictures.together_figure(pizza))
    trace = attend(replace(pizza.scenario, b_o=np.arange(8.0)))
    shown = heatmaps(pictures.together_figure(trace))
    w_o, b_o = (shown[name]["meta"] for name in ("w_o", "b_o"))
    assert np.array_equal(shown["b_o"]["z"], [np.arange(8.0)])
    assert b_o["left"] == w_o["left"]
    assert b_o["top"][0] > w_o["top"][0]
    assert b_o["given"]
    assert b_o["row_ticks"] == ["+ b_O"]


@pytest.mark.parametrize("example", ["pizza", "two-tokens", "pizza-1024", "translation"])
def test_the_output_stands_where_rows_of_the_concatenation_meet_columns_of_w_o(
    example: str,
) -> None:
    shown = heatmaps(pictures.together_figure(attend(load_example(example))))
    concat, w_o, output = (shown[name]["meta"] for name in ("concat", "w_o", "output"))
    assert (output["top"], output["left"]) == (concat["top"], w_o["left"])
    assert (output["down"], output["across"]) == (concat["down"], w_o["across"])
    assert w_o["top"][0] < concat["top"][0]
    assert concat["left"][0] < w_o["left"][0] or concat["left"][1] < w_o["left"][1]


def test_a_wide_model_is_shown_whole_in_the_room_of_fewer_cells() -> None:
    trace = attend(load_example("pizza-1024"))
    concat = heatmaps(pictures.together_figure(trace))["concat"]
    assert np.array_equal(concat["z"], trace.concat)
    assert concat["meta"]["caption"] == "4 × 1024 numbers; colours ±3.09"
    assert (concat["meta"]["down"], concat["meta"]["across"]) == (24, 128)
    assert [band[:2] for band in concat["meta"]["bands"]][-1] == [896, 1024]
    w_o = heatmaps(pictures.together_figure(trace))["w_o"]
    assert np.array_equal(w_o["z"], trace.scenario.w_o.astype(np.float32))
    assert (w_o["meta"]["down"], w_o["meta"]["across"]) == (128, 128)


def test_a_head_wider_than_its_scores_is_shown_below_them() -> None:
    trace = attend(load_example("pizza-1024"))
    beside, below = one_head_figure(trace, 2), wide_head_figure(trace, 2)
    steps = ["raw_scores", "scaled_scores", "masked_scores", "exponentials", "row_sums", "weights"]
    assert list(heatmaps(beside)) == [f"{step}/2" for step in steps]
    assert below is not None
    shown = heatmaps(below)
    assert list(shown) == ["q_rotated/2", "k_rotated/2", "v_heads/2", "head_outputs/2"]
    assert np.array_equal(shown["v_heads/2"]["z"], trace.v_heads[2])
    assert (shown["q_rotated/2"]["meta"]["down"], shown["q_rotated/2"]["meta"]["across"]) == (
        12,
        128,
    )


@pytest.mark.parametrize(("width", "rows"), [(9, 2), (16, 2), (17, 4)])
def test_a_wide_head_stands_in_pairs_while_its_values_fit(width: int, rows: int) -> None:
    s = with_heads(load_example("pizza"), 2, d_k=width, d_v=width)
    below = wide_head_figure(attend(s), 0)
    assert below is not None
    tops = {tuple(trace["meta"]["top"]) for trace in heatmaps(below).values()}
    assert len(tops) == rows


@pytest.mark.parametrize("width", [1, 4, 8])
def test_a_head_of_few_columns_stands_in_one_picture(width: int) -> None:
    trace = attend(with_heads(load_example("pizza"), 2, d_k=width, d_v=width))
    assert set(VECTORS) < {name.split("/")[0] for name in one_head(trace)}
    assert wide_head_figure(trace, 0) is None


def one_head(trace: Trace) -> dict[str, Any]:
    return heatmaps(one_head_figure(trace, 0))


@pytest.mark.parametrize(("heads", "d_v"), [(2, 128), (12, 32), (2, 4), (2, 9)])
def test_wide_outputs_take_no_more_room_than_the_scores_or_six_cells(heads: int, d_v: int) -> None:
    trace = attend(with_heads(load_example("pizza"), heads, d_k=d_v, d_v=d_v))
    with_outputs = ["masked_scores", "weights", "head_outputs"]
    figure = pictures.heads_figure(trace, range(heads), with_outputs)
    shown = heatmaps(figure)
    assert shown["head_outputs/1"]["z"].shape == (4, d_v)
    assert shown["head_outputs/1"]["meta"]["across"] == min(d_v, 6)
    assert figure["layout"]["width"] < 200 + 8 * 6 * 40 + 8 * 20
    assert bool(figure["layout"]["dragmode"]) == (d_v > 6)  # a zoom shows its numbers


def test_outputs_do_not_make_scores_pale() -> None:
    s = with_heads(load_example("pizza"), 2)
    trace = attend(replace(s, w_v=1000 * s.w_v))
    both = ["masked_scores", "weights", "head_outputs"]
    alone, beside = (
        heatmaps(pictures.heads_figure(trace, range(2), steps)) for steps in (both[:2], both)
    )
    assert beside["masked_scores/0"]["zmax"] == alone["masked_scores/0"]["zmax"]
    assert beside["head_outputs/0"]["zmax"] == pytest.approx(np.abs(trace.head_outputs).max())
    whole = one_head(trace)
    assert whole["masked_scores/0"]["zmax"] < whole["head_outputs/0"]["zmax"]
    bars = one_head_figure(trace, 0)["layout"]["meta"]["bars"]
    assert [bar["group"] for bar in bars] == ["vectors", "scores", "weights"]


def test_one_array_has_one_name_in_every_picture(pizza: Trace) -> None:
    heads = heatmaps(pictures.heads_figure(pizza, range(2), ["masked_scores", "head_outputs"]))
    one = heatmaps(one_head_figure(pizza, 1))
    shared = {"masked_scores/1", "head_outputs/1"}
    assert shared == set(heads) & set(one)
    for name in shared:
        assert np.array_equal(heads[name]["z"], one[name]["z"], equal_nan=True)


def test_keys_and_values_say_what_their_axes_are(pizza: Trace) -> None:
    one = one_head(pizza)
    axes = {name: (t["meta"]["rows"], t["meta"]["columns"]) for name, t in one.items()}
    assert axes == {
        "k_rotated/0": ("d_k", "key"),
        "v_heads/0": ("key", "d_v"),
        "q_rotated/0": ("query", "d_k"),
        "raw_scores/0": ("query", "key"),
        "scaled_scores/0": ("query", "key"),
        "masked_scores/0": ("query", "key"),
        "exponentials/0": ("query", "key"),
        "row_sums/0": ("query", ""),
        "weights/0": ("query", "key"),
        "head_outputs/0": ("query", "d_v"),
    }
    headings = [t["meta"]["heading"] for t in one.values()]
    assert headings == [
        *("K₁ᵀ: d_k × key", "V₁: key × d_v", "Q₁: query × d_k"),
        *("Raw scores", "Scaled scores S₁", "Masked scores S₁ᴹ"),
        *("Exponentials E₁", "", "Weights A₁", "head₁: query × d_v"),
    ]


def test_raw_scaled_and_masked_scores_stand_in_the_same_place(pizza: Trace) -> None:
    places = {
        tuple(figure["layout"]["meta"]["width"] + figure["data"][0]["meta"]["left"])
        for figure in (
            pictures.heads_figure(pizza, range(2), [step, "weights"])
            for step in pictures.SCORE_MATRICES
        )
    }
    assert len(places) == 1


class WithCooled(Trace):
    """A trace with one more step, as a newcomer adds it."""

    @step("T_i", "n_heads n_q n_k", r"S_i / 2", Input())
    def cooled_scores(self) -> FloatArray:
        """Cooled scores: half of each score."""
        return self.scaled_scores / 2


def test_a_step_that_is_added_is_shown_without_another_entry() -> None:
    trace = WithCooled(load_example("pizza"))
    shown = heatmaps(pictures.heads_figure(trace, range(2), ["cooled_scores", "weights"]))
    added = shown["cooled_scores/1"]
    assert np.array_equal(added["z"], trace.scaled_scores[1] / 2)
    assert added["meta"]["title"] == "Cooled scores, head 2"
    assert (added["meta"]["rows"], added["meta"]["columns"]) == ("query", "key")
    assert added["meta"]["row_labels"] == list(trace.scenario.tokens)
    assert shown["cooled_scores/0"]["meta"]["corner"]["title"] == "Cooled scores"


def test_contributions_add_up_to_the_output(pizza: Trace) -> None:
    shown = heatmaps(pictures.step_figure(pizza, "contributions", range(2)))
    total = sum(matrix["z"] for matrix in shown.values())
    assert total == pytest.approx(pizza.output)


def test_the_mask_is_hatched_where_it_hides(pizza: Trace) -> None:
    (mask,) = heatmaps(pictures.mask_figure(pizza)).values()
    assert np.array_equal(np.isnan(mask["z"]), ~pizza.mask)


def test_the_additive_mask_is_zeros_until_somebody_enters_a_number(pizza: Trace) -> None:
    (shown,) = heatmaps(pictures.additive_figure(pizza)).values()
    assert shown["meta"]["name"] == "mask.additive"
    assert shown["meta"]["given"]
    assert not shown["z"].any()


def test_the_additive_mask_is_hatched_where_it_is_minus_infinity(pizza: Trace) -> None:
    added = np.array([[0, -np.inf, 0, 1.5], *np.zeros((3, 4))])
    mask = replace(pizza.scenario.mask, additive=added)
    trace = attend(replace(pizza.scenario, mask=mask))
    (shown,) = heatmaps(pictures.additive_figure(trace)).values()
    np.testing.assert_array_equal(shown["z"], np.where(np.isinf(added), np.nan, added))


def test_a_look_reaches_the_figure(pizza: Trace) -> None:
    look = Look(decimals=3, palette="teal", values=True)
    figure = pictures.heads_figure(pizza, [0], look=look)
    assert figure["layout"]["meta"]["decimals"] == 3
    bare = pictures.heads_figure(pizza, [0], look=replace(look, values=False))
    assert bare["layout"]["meta"]["decimals"] is None


@pytest.mark.parametrize(
    ("side", "pixels"), [(1, 40), (7, 40), (16, 20), (25, 12), (125, 2), (1024, 2)]
)
def test_cells_shrink_until_a_matrix_is_a_texture(side: int, pixels: int) -> None:
    assert drawing.cell_size(side) == pixels


def test_a_row_says_what_it_shows_and_an_axis_what_stands_on_it(pizza: Trace) -> None:
    shown = heatmaps(
        pictures.heads_figure(pizza, range(2), ["masked_scores", "weights", "head_outputs"])
    )
    corners = {name: trace["meta"]["corner"] for name, trace in shown.items()}
    key, d_v, nothing = (["query ↓", "key →"], ["query ↓", "d_v →"], {"title": "", "axes": []})
    assert corners == {
        "masked_scores/0": {"title": "Masked scores", "axes": key},
        "weights/0": {"title": "Weights", "axes": []},  # the axes are those of the row above
        "head_outputs/0": {"title": "Head outputs", "axes": d_v},
        **{f"{step}/1": nothing for step in ("masked_scores", "weights", "head_outputs")},
    }
    together = heatmaps(pictures.together_figure(pizza))
    assert [trace["meta"]["corner"]["axes"] for trace in together.values()] == [
        ["concat ↓", "output →"],
        ["query ↓", "concat →"],
        [],  # the output has its rows beside it and its columns above
    ]


def test_axes_are_named_in_one_line_where_row_labels_are_as_long() -> None:
    trace = attend(with_tokens(load_example("pizza"), ["a long first word", "b", "c", "d"]))
    (first, _) = heatmaps(pictures.heads_figure(trace, [0])).values()
    assert first["meta"]["corner"]["axes"] == ["query ↓ key →"]


def test_a_head_that_is_off_says_so() -> None:
    trace = attend(with_heads_off(load_example("pizza"), {1}))
    added = pictures.step_figure(trace, "contributions", range(2))
    for figure in (pictures.heads_figure(trace, range(2)), added):
        metas = [t["meta"] for t in heatmaps(figure).values()]
        assert [meta["heading"] for meta in metas[:2]] == ["Head 1", "Head 2, off"]
        heads = [{"place": i, "n_heads": 2, "is_off": bool(i)} for i in range(2)]
        assert [meta["head"] for meta in metas] == [*heads, *[None] * (len(metas) - 2)]


def test_the_mask_has_no_colour_bar(pizza: Trace) -> None:
    assert pictures.mask_figure(pizza)["layout"]["meta"]["bars"] == []


def test_an_axis_of_one_thing_needs_no_arrow() -> None:
    row_sums = drawing.matrix_of(attend(load_example("pizza")), "row_sums", 0)
    assert row_sums.axes == ["query ↓"]
