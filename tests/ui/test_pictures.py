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
from ui.figures.figure import Figure
from ui.figures.one_head import one_head_figure, vectors, wide_head_figure
from ui.plot.sent import as_sent


def heatmaps(figure: Figure) -> dict[str, Any]:
    """The heatmaps of a figure by the name that a click reports."""
    return {heatmap.name: heatmap for heatmap in figure.heatmaps}


def sent_of(figure: Figure) -> dict[str, Any]:
    """What the browser is told of each matrix, by its name."""
    return {each["name"]: each for each in as_sent(figure)["matrices"]}


@pytest.fixture
def pizza() -> Trace:
    return attend(load_example("pizza"))


def test_scores_stand_above_weights_a_column_a_head(pizza: Trace) -> None:
    shown = heatmaps(pictures.heads_figure(pizza, range(2)))
    assert list(shown) == ["masked_scores/0", "masked_scores/1", "weights/0", "weights/1"]
    weights = shown["weights/1"]
    assert np.array_equal(weights.values[pizza.mask], pizza.weights[1][pizza.mask])
    assert np.isnan(weights.values[~pizza.mask]).all()
    assert weights.matrix.row_labels == ("I", "LOVE", "PEPPERONI", "PIZZA")
    assert (weights.low, weights.high) == (0, 1)


def test_the_rows_and_the_scores_are_chosen(pizza: Trace) -> None:
    figure = pictures.heads_figure(pizza, [1], ["head_outputs", "raw_scores"])
    shown = heatmaps(figure)
    assert list(shown) == ["head_outputs/1", "raw_scores/1"]
    assert np.array_equal(shown["raw_scores/1"].values, pizza.raw_scores[1])  # not masked yet
    assert np.array_equal(shown["head_outputs/1"].values, pizza.head_outputs[1])


def test_heads_that_do_not_fit_go_on_below() -> None:
    trace = attend(with_heads(load_example("eight-tokens-512"), 8))
    figure = pictures.heads_figure(trace, range(8))
    weights = [i for i, t in enumerate(figure.heatmaps) if t.name.startswith("weights")]
    tops = [[each.places[i].top for i in weights] for each in figure.arrangements]
    assert [len(set(each)) for each in tops] == [1, 2, 4, 8]
    assert [sorted(each) for each in tops] == tops


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
    widest = figure.cells.widest
    assert len(widest) == max(map(len, longest))
    bare = pictures.heads_figure(large, range(2), [step], Look(values=False))
    assert bare.cells.widest == ""


def test_a_cross_attention_has_queries_down_and_keys_across() -> None:
    trace = attend(load_example("translation"))
    weights = heatmaps(pictures.heads_figure(trace, [0]))["weights/0"]
    assert weights.matrix.row_labels == trace.scenario.tokens
    assert weights.matrix.column_labels == trace.scenario.context_tokens


def test_one_head_shows_its_own_keys_under_grouped_queries() -> None:
    trace = attend(load_example("grouped-query"))
    s = trace.scenario
    last = s.n_heads - 1
    shown = heatmaps(one_head_figure(trace, last))
    assert np.array_equal(
        shown[f"k_rotated/{s.n_kv_heads - 1}"].values, trace.k_rotated[s.n_kv_heads - 1].T
    )
    assert np.array_equal(shown[f"q_rotated/{last}"].values, trace.q_rotated[last])
    assert np.array_equal(shown[f"head_outputs/{last}"].values, trace.head_outputs[last])


def test_bands_say_which_columns_came_from_which_head(pizza: Trace) -> None:
    figure = pictures.together_figure(pizza)
    shown = heatmaps(figure)
    assert [band[:2] for band in shown["concat"].matrix.bands] == [(0, 4), (4, 8)]
    assert np.array_equal(shown["concat"].values, pizza.concat)
    assert np.array_equal(shown["output"].values, pizza.output)
    assert shown["w_o"].matrix.row_labels[4] == "2.1"


def test_the_bias_of_the_output_stands_below_w_o_where_there_is_one(pizza: Trace) -> None:
    assert "b_o" not in heatmaps(pictures.together_figure(pizza))
    trace = attend(replace(pizza.scenario, b_o=np.arange(8.0)))
    shown = heatmaps(pictures.together_figure(trace))
    sent = sent_of(pictures.together_figure(trace))
    w_o, b_o = (sent[name] for name in ("w_o", "b_o"))
    assert np.array_equal(shown["b_o"].values, [np.arange(8.0)])
    assert b_o["left"] == w_o["left"]
    assert b_o["top"][0] > w_o["top"][0]
    assert b_o["given"]
    assert b_o["row_ticks"] == ["+ b_O"]


@pytest.mark.parametrize("example", ["pizza", "two-tokens", "pizza-1024", "translation"])
def test_the_output_stands_where_rows_of_the_concatenation_meet_columns_of_w_o(
    example: str,
) -> None:
    shown = sent_of(pictures.together_figure(attend(load_example(example))))
    concat, w_o, output = (shown[name] for name in ("concat", "w_o", "output"))
    assert (output["top"], output["left"]) == (concat["top"], w_o["left"])
    assert (output["down"], output["across"]) == (concat["down"], w_o["across"])
    assert w_o["top"][0] < concat["top"][0]
    assert concat["left"][0] < w_o["left"][0] or concat["left"][1] < w_o["left"][1]


def test_a_wide_model_is_shown_whole_in_the_room_of_fewer_cells() -> None:
    trace = attend(load_example("pizza-1024"))
    concat = heatmaps(pictures.together_figure(trace))["concat"]
    assert np.array_equal(concat.values, trace.concat)
    assert concat.matrix.caption == "4 × 1024 numbers; colours ±3.09"
    assert (concat.matrix.down, concat.matrix.across) == (24, 128)
    assert [band[:2] for band in concat.matrix.bands][-1] == (896, 1024)
    w_o = heatmaps(pictures.together_figure(trace))["w_o"]
    assert np.array_equal(w_o.values, trace.scenario.w_o.astype(np.float32))
    assert (w_o.matrix.down, w_o.matrix.across) == (128, 128)


def test_a_head_wider_than_its_scores_is_shown_below_them() -> None:
    trace = attend(load_example("pizza-1024"))
    beside, below = one_head_figure(trace, 2), wide_head_figure(trace, 2)
    steps = ["raw_scores", "scaled_scores", "masked_scores", "exponentials", "row_sums", "weights"]
    assert list(heatmaps(beside)) == [f"{step}/2" for step in steps]
    assert below is not None
    shown = heatmaps(below)
    assert list(shown) == ["q_rotated/2", "k_rotated/2", "v_heads/2", "head_outputs/2"]
    assert np.array_equal(shown["v_heads/2"].values, trace.v_heads[2])
    assert (shown["q_rotated/2"].matrix.down, shown["q_rotated/2"].matrix.across) == (12, 128)


@pytest.mark.parametrize(("width", "rows"), [(9, 2), (16, 2), (17, 4)])
def test_a_wide_head_stands_in_pairs_while_its_values_fit(width: int, rows: int) -> None:
    s = with_heads(load_example("pizza"), 2, d_k=width, d_v=width)
    below = wide_head_figure(attend(s), 0)
    assert below is not None
    tops = {place.top for place in below.arrangements[0].places}
    assert len(tops) == rows


@pytest.mark.parametrize("width", [1, 4, 8])
def test_a_head_of_few_columns_stands_in_one_picture(width: int) -> None:
    trace = attend(with_heads(load_example("pizza"), 2, d_k=width, d_v=width))
    assert set(vectors(trace)) < {name.split("/")[0] for name in one_head(trace)}
    assert wide_head_figure(trace, 0) is None


def one_head(trace: Trace) -> dict[str, Any]:
    return heatmaps(one_head_figure(trace, 0))


@pytest.mark.parametrize(("heads", "d_v"), [(2, 128), (12, 32), (2, 4), (2, 9)])
def test_wide_outputs_take_no_more_room_than_the_scores_or_six_cells(heads: int, d_v: int) -> None:
    trace = attend(with_heads(load_example("pizza"), heads, d_k=d_v, d_v=d_v))
    with_outputs = ["masked_scores", "weights", "head_outputs"]
    figure = pictures.heads_figure(trace, range(heads), with_outputs)
    shown = heatmaps(figure)
    assert shown["head_outputs/1"].values.shape == (4, d_v)
    assert shown["head_outputs/1"].matrix.across == min(d_v, 6)
    assert figure.arrangements[0].width.at(figure.cells.preferred) < 200 + 8 * 6 * 40 + 8 * 20
    assert figure.can_zoom == (d_v > 6)  # a zoom shows its numbers


def test_outputs_do_not_make_scores_pale() -> None:
    s = with_heads(load_example("pizza"), 2)
    trace = attend(replace(s, w_v=1000 * s.w_v))
    both = ["masked_scores", "weights", "head_outputs"]
    alone, beside = (
        heatmaps(pictures.heads_figure(trace, range(2), steps)) for steps in (both[:2], both)
    )
    assert beside["masked_scores/0"].high == alone["masked_scores/0"].high
    assert beside["head_outputs/0"].high == pytest.approx(np.abs(trace.head_outputs).max())
    whole = one_head(trace)
    assert whole["masked_scores/0"].high < whole["head_outputs/0"].high
    bars = one_head_figure(trace, 0).arrangements[0].bars
    assert [bar.group for bar in bars] == ["vectors", "scores", "weights"]


def test_one_array_has_one_name_in_every_picture(pizza: Trace) -> None:
    heads = heatmaps(pictures.heads_figure(pizza, range(2), ["masked_scores", "head_outputs"]))
    one = heatmaps(one_head_figure(pizza, 1))
    shared = {"masked_scores/1", "head_outputs/1"}
    assert shared == set(heads) & set(one)
    for name in shared:
        assert np.array_equal(heads[name].values, one[name].values, equal_nan=True)


def test_keys_and_values_say_what_their_axes_are(pizza: Trace) -> None:
    one = one_head(pizza)
    axes = {name: (t.matrix.rows, t.matrix.columns) for name, t in one.items()}
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
    headings = [t.matrix.heading for t in one.values()]
    assert headings == [
        *("K₁ᵀ: d_k × key", "V₁: key × d_v", "Q₁: query × d_k"),
        *("Raw scores", "Scaled scores S₁", "Masked scores S₁ᴹ"),
        *("Exponentials E₁", "", "Weights A₁", "head₁: query × d_v"),
    ]


def test_raw_scaled_and_masked_scores_stand_in_the_same_place(pizza: Trace) -> None:
    places = {
        (figure.arrangements[0].width, figure.arrangements[0].places[0].left)
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
    figure = pictures.heads_figure(trace, range(2), ["cooled_scores", "weights"])
    shown = heatmaps(figure)
    added = shown["cooled_scores/1"]
    assert np.array_equal(added.values, trace.scaled_scores[1] / 2)
    assert added.matrix.title == "Cooled scores, head 2"
    assert (added.matrix.rows, added.matrix.columns) == ("query", "key")
    assert added.matrix.row_labels == trace.scenario.tokens
    assert sent_of(figure)["cooled_scores/0"]["corner"]["title"] == "Cooled scores"


def test_contributions_add_up_to_the_output(pizza: Trace) -> None:
    shown = heatmaps(pictures.step_figure(pizza, "contributions", range(2)))
    total = sum(matrix.values for matrix in shown.values())
    assert total == pytest.approx(pizza.output)


def test_the_mask_is_hatched_where_it_hides(pizza: Trace) -> None:
    (mask,) = heatmaps(pictures.mask_figure(pizza)).values()
    assert np.array_equal(np.isnan(mask.values), ~pizza.mask)


def test_the_additive_mask_is_zeros_until_somebody_enters_a_number(pizza: Trace) -> None:
    (shown,) = heatmaps(pictures.additive_figure(pizza)).values()
    assert shown.name == "mask.additive"
    assert shown.matrix.is_given
    assert not shown.values.any()


def test_the_additive_mask_is_hatched_where_it_is_minus_infinity(pizza: Trace) -> None:
    added = np.array([[0, -np.inf, 0, 1.5], *np.zeros((3, 4))])
    mask = replace(pizza.scenario.mask, additive=added)
    trace = attend(replace(pizza.scenario, mask=mask))
    (shown,) = heatmaps(pictures.additive_figure(trace)).values()
    np.testing.assert_array_equal(shown.values, np.where(np.isinf(added), np.nan, added))


def test_what_heads_add_is_shown_where_there_is_some(pizza: Trace) -> None:
    assert pictures.own_additions_figure(pizza) is None
    added = np.arange(32.0).reshape(8, 4)
    trace = attend(replace(pizza.scenario, b_s=added))
    figure = pictures.own_additions_figure(trace)
    assert figure is not None
    (shown,) = heatmaps(figure).values()
    assert shown.matrix.is_given
    np.testing.assert_array_equal(shown.values, added)


def test_the_sinks_of_heads_are_shown_where_there_are_some(pizza: Trace) -> None:
    assert pictures.sinks_figure(pizza) is None
    figure = pictures.sinks_figure(attend(replace(pizza.scenario, sinks=np.array([1.5, -2]))))
    assert figure is not None
    (shown,) = heatmaps(figure).values()
    assert shown.matrix.is_given
    np.testing.assert_array_equal(shown.values, [[1.5, -2]])


def test_the_vectors_of_distances_are_shown_where_there_are_some(pizza: Trace) -> None:
    assert pictures.distances_figure(pizza) is None
    r = np.arange(24.0).reshape(3, 8)
    figure = pictures.distances_figure(attend(replace(pizza.scenario, r_k=r, r_q=-r)))
    assert figure is not None
    shown = heatmaps(figure)
    assert list(shown) == ["r_k", "r_q"]
    assert shown["r_k"].matrix.is_given
    assert shown["r_k"].matrix.row_labels == ("-1", "0", "+1")
    np.testing.assert_array_equal(shown["r_q"].values, -r)


def test_a_look_reaches_the_figure(pizza: Trace) -> None:
    look = Look(decimals=3, palette="teal", values=True)
    figure = pictures.heads_figure(pizza, [0], look=look)
    assert figure.decimals == 3
    bare = pictures.heads_figure(pizza, [0], look=replace(look, values=False))
    assert bare.decimals is None


@pytest.mark.parametrize(
    ("side", "pixels"), [(1, 40), (7, 40), (16, 20), (25, 12), (125, 2), (1024, 2)]
)
def test_cells_shrink_until_a_matrix_is_a_texture(side: int, pixels: int) -> None:
    assert drawing.cell_size(side) == pixels


def test_a_row_says_what_it_shows_and_an_axis_what_stands_on_it(pizza: Trace) -> None:
    shown = sent_of(
        pictures.heads_figure(pizza, range(2), ["masked_scores", "weights", "head_outputs"])
    )
    corners = {name: sent["corner"] for name, sent in shown.items()}
    key, d_v, nothing = (["query ↓", "key →"], ["query ↓", "d_v →"], {"title": "", "axes": []})
    assert corners == {
        "masked_scores/0": {"title": "Masked scores", "axes": key},
        "weights/0": {"title": "Weights", "axes": []},  # the axes are those of the row above
        "head_outputs/0": {"title": "Head outputs", "axes": d_v},
        **{f"{step}/1": nothing for step in ("masked_scores", "weights", "head_outputs")},
    }
    together = sent_of(pictures.together_figure(pizza))
    assert [sent["corner"]["axes"] for sent in together.values()] == [
        ["concat ↓", "output →"],
        ["query ↓", "concat →"],
        [],  # the output has its rows beside it and its columns above
    ]


def test_axes_are_named_in_one_line_where_row_labels_are_as_long() -> None:
    trace = attend(with_tokens(load_example("pizza"), ["a long first word", "b", "c", "d"]))
    (first, _) = sent_of(pictures.heads_figure(trace, [0])).values()
    assert first["corner"]["axes"] == ["query ↓ key →"]


def test_a_head_that_is_off_says_so() -> None:
    trace = attend(with_heads_off(load_example("pizza"), {1}))
    added = pictures.step_figure(trace, "contributions", range(2))
    for figure in (pictures.heads_figure(trace, range(2)), added):
        metas = [*sent_of(figure).values()]
        assert [meta["heading"] for meta in metas[:2]] == ["Head 1", "Head 2, off"]
        heads = [{"place": i, "n_heads": 2, "is_off": bool(i)} for i in range(2)]
        assert [meta["head"] for meta in metas] == [*heads, *[None] * (len(metas) - 2)]


def test_the_mask_has_no_colour_bar(pizza: Trace) -> None:
    assert pictures.mask_figure(pizza).arrangements[0].bars == ()


def test_an_axis_of_one_thing_needs_no_arrow() -> None:
    row_sums = drawing.matrix_of(attend(load_example("pizza")), "row_sums", 0)
    assert row_sums.axes == ["query ↓"]
