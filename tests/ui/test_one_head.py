"""One head as the equation it is: each product stands where its two factors lead to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_heads, with_heads_off, with_scores, with_tokens
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer.trace import HEAD_STEPS
from mha_core.scenario.masks import Mask
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.one_head import one_head_figure
from ui.plot import Picture
from ui.plot.sent import as_sent

CELL = 40
CHAIN = ("raw_scores", "scaled_scores", "masked_scores", "exponentials", "row_sums", "weights")
PIZZA = load_example("pizza")
EVERYTHING = with_scores(
    replace(PIZZA, mask=replace(PIZZA.mask, additive=np.ones((4, 4)))),
    positions="alibi",
    softcap=30.0,
)


def metas(scenario: Scenario, head: int = 0, look: Look | None = None) -> dict[str, dict[str, Any]]:
    """What is said of each matrix of a head, by the name of its step."""
    figure = one_head_figure(attend(scenario), head, look)
    return {name_of(each): each for each in as_sent(figure)["matrices"]}


def name_of(sent: dict[str, Any]) -> str:
    """Of its step."""
    return str(sent["name"]).split("/")[0]


def steps_of(scenario: Scenario) -> list[str]:
    """The steps from scores to weights that the picture shows."""
    names = {step.name for step in HEAD_STEPS} - {"q_rotated", "head_outputs"}
    return [name for name in metas(scenario) if name in names]


def arrangements(figure: Figure) -> list[dict[str, dict[str, Any]]]:
    """The places of the matrices in each arrangement, by the names of their steps."""
    sent = as_sent(figure)
    own = [each for each in sent["matrices"]]
    names = [name_of(each) for each in sent["matrices"]]
    others = [other["places"] for other in sent["others"]]
    return [dict(zip(names, places, strict=True)) for places in (own, *others)]


def in_lines(figure: Figure) -> list[dict[str, dict[str, Any]]]:
    """All arrangements but the last, in which matrices stand below each other."""
    return arrangements(figure)[:-1]


def top(place: dict[str, Any]) -> float:
    return at(place["top"])


def left(place: dict[str, Any]) -> float:
    return at(place["left"])


def at(length: list[float]) -> float:
    fixed, cells = length
    return fixed + cells * CELL


def of_tokens(count: int, d_k: int) -> Scenario:
    s = with_tokens(load_example("eight-tokens-512"), [f"t{i}" for i in range(count)])
    return with_heads(s, 2, d_k=d_k, d_v=d_k)


@pytest.mark.parametrize("scenario", [PIZZA, EVERYTHING, load_example("translation")])
def test_each_product_stands_where_its_rows_meet_its_columns(scenario: Scenario) -> None:
    figure = one_head_figure(attend(scenario), 1)
    assert len(in_lines(figure)) >= 3
    for m in in_lines(figure):
        for factor, above, product in (
            ("q_rotated", "k_rotated", "raw_scores"),
            ("weights", "v_heads", "head_outputs"),
        ):
            assert top(m[factor]) == top(m[product])
            assert left(m[factor]) < left(m[product])
            assert left(m[above]) == left(m[product])
            assert top(m[above]) < top(m[product])
    m = metas(scenario, 1)
    for factor, above, product in (
        ("q_rotated", "k_rotated", "raw_scores"),
        ("weights", "v_heads", "head_outputs"),
    ):
        assert m[factor]["row_labels"] == m[product]["row_labels"]
        assert m[above]["column_labels"] == m[product]["column_labels"]
        assert m[factor]["columns"] == m[above]["rows"]


@pytest.mark.parametrize("scenario", [PIZZA, EVERYTHING, load_example("pizza-1024")])
def test_the_chain_is_read_line_by_line_in_the_order_of_the_steps(scenario: Scenario) -> None:
    figure = one_head_figure(attend(scenario), 0)
    chain = steps_of(scenario)
    for m in arrangements(figure):
        read = sorted(chain, key=lambda name: (top(m[name]), left(m[name])))
        assert read == chain


def test_row_sums_stand_beside_the_exponentials_that_they_sum() -> None:
    for m in in_lines(one_head_figure(attend(PIZZA), 0)):
        assert top(m["exponentials"]) == top(m["row_sums"])
        assert left(m["row_sums"]) - left(m["exponentials"]) < 6 * CELL


def test_the_share_of_a_sink_stands_beside_the_weights_in_their_colours() -> None:
    with_sinks = replace(PIZZA, sinks=np.zeros(2))
    assert "sink_weights" not in metas(PIZZA)
    share, weights = (metas(with_sinks)[name] for name in ("sink_weights", "weights"))
    assert (share["low"], share["high"]) == (weights["low"], weights["high"])
    for m in in_lines(one_head_figure(attend(with_sinks), 0)):
        assert top(m["weights"]) == top(m["sink_weights"])
        assert left(m["sink_weights"]) - left(m["weights"]) < 6 * CELL


def test_relative_scores_stand_between_the_raw_ones_and_their_sum() -> None:
    near = replace(PIZZA, r_k=np.zeros((3, 8)))
    both = ["raw_scores", "relative_scores", "summed_scores", "scaled_scores"]
    assert steps_of(near)[:4] == both
    assert steps_of(PIZZA)[:2] == ["raw_scores", "scaled_scores"]
    captions = {name: meta["caption"] for name, meta in metas(near).items()}
    assert captions["relative_scores"] == "× R, by distance"
    assert captions["summed_scores"] == "+ D₁"


def test_grown_scores_stand_between_the_raw_and_the_scaled_ones() -> None:
    grown = with_scores(PIZZA, growth=0.5)
    assert steps_of(grown)[:3] == ["raw_scores", "grown_scores", "scaled_scores"]
    meta = metas(grown)["grown_scores"]
    assert (meta["heading"], meta["caption"]) == ("Grown scores S₁ᴳ", "× growth of its row")


def test_last_of_all_they_stand_below_each_other() -> None:
    *_, below = arrangements(one_head_figure(attend(PIZZA), 0))
    assert len({left(place) for place in below.values()}) == 1
    order = ["q_rotated", "k_rotated", *CHAIN, "v_heads", "head_outputs"]
    assert sorted(below, key=lambda name: top(below[name])) == order


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_matrix_lies_over_another(example: str) -> None:
    figure = one_head_figure(attend(load_example(example)), 0)
    sizes = [(each.matrix.across, each.matrix.down) for each in figure.heatmaps]
    for m in arrangements(figure):
        boxes = [
            (left(place), top(place), left(place) + across * CELL, top(place) + down * CELL)
            for place, (across, down) in zip(m.values(), sizes, strict=True)
        ]
        for i, (x, y, right, bottom) in enumerate(boxes):
            for x_2, y_2, right_2, bottom_2 in boxes[:i]:
                assert right <= x_2 or right_2 <= x or bottom <= y_2 or bottom_2 <= y


@pytest.mark.parametrize(
    ("scenario", "steps"),
    [
        (PIZZA, CHAIN),
        (replace(PIZZA, mask=Mask()), [name for name in CHAIN if name != "masked_scores"]),
        (with_scores(PIZZA, scale="none"), [name for name in CHAIN if name != "scaled_scores"]),
        (with_scores(PIZZA, positions="rope"), CHAIN),
        (with_scores(PIZZA, softcap=30.0), [*CHAIN[:2], "capped_scores", *CHAIN[2:]]),
        (with_scores(PIZZA, positions="alibi"), [*CHAIN[:2], "bias", "biased_scores", *CHAIN[2:]]),
        (EVERYTHING, [*CHAIN[:2], "capped_scores", "bias", "biased_scores", *CHAIN[2:]]),
    ],
)
def test_a_step_that_changes_nothing_is_left_out(scenario: Scenario, steps: list[str]) -> None:
    assert steps_of(scenario) == list(steps)


def test_numbers_are_those_of_the_trace() -> None:
    trace = attend(EVERYTHING)
    figure = one_head_figure(trace, 1)
    for each in figure.heatmaps:
        name = each.name.split("/")[0]
        expected = getattr(trace, name)[1]
        if name == "k_rotated":
            expected = expected.T
        seen = ~np.isnan(each.values)
        assert np.array_equal(each.values[seen], expected[seen])


def test_what_happens_stands_below_each_matrix() -> None:
    s = with_heads_off(with_scores(load_example("grouped-query"), scale=-1 / 3), {2})
    captions = {name: meta["caption"] for name, meta in metas(s, 2).items() if meta["caption"]}
    assert captions == {
        "raw_scores": "Q₃ × K₂ᵀ",
        "scaled_scores": "× −0.3333",
        "exponentials": "e^(score − max)",
        "row_sums": "row sums",
        "weights": "softmax: E₃ ÷ Z₃",
        "head_outputs": "off: all 0",
    }
    more = metas(EVERYTHING)
    assert more["scaled_scores"]["caption"] == "÷ √d_k"
    assert more["capped_scores"]["caption"] == "bent to ±30"
    assert more["biased_scores"]["caption"] == "+ B₁"
    assert more["masked_scores"]["caption"] == "hidden: −∞"
    assert more["head_outputs"]["caption"] == "A₁ × V₁"
    assert (more["bias"]["heading"], more["biased_scores"]["heading"]) == (
        "Additions B₁",
        "Scores with additions",
    )


def test_a_caption_that_says_what_colours_mean_says_nothing_else() -> None:
    m = metas(PIZZA, look=Look(shared_scale=False))
    assert m["scaled_scores"]["caption"] == "colours ±2.30"
    assert m["exponentials"]["caption"] == "colours 0.00 to 1.00"


def test_keys_are_transposed_and_a_cell_keeps_its_address() -> None:
    s = load_example("translation")
    figure = one_head_figure(attend(s), 0)
    keys = next(each for each in figure.heatmaps if each.name == "k_rotated/0")
    assert keys.values.shape == (s.d_k, s.n_k)
    assert keys.matrix.is_transposed
    assert keys.matrix.title == "Keys after rotation, head 1, transposed"
    assert not any(each.matrix.is_transposed for each in figure.heatmaps if each is not keys)
    sizes = Picture.of(figure, "", "").sizes
    assert sizes["k_rotated/0"] == (s.n_k, s.d_k)
    assert sizes["v_heads/0"] == (s.n_k, s.d_v)


def test_exponentials_and_weights_have_one_scale_and_sums_make_no_score_pale() -> None:
    s = of_tokens(8, d_k=4)
    figure = one_head_figure(attend(replace(s, w_q=np.zeros_like(s.w_q))), 0)
    traces = {each.name.split("/")[0]: each for each in figure.heatmaps}
    for name in ("exponentials", "weights"):
        assert (traces[name].low, traces[name].high) == (0, 1)
        assert traces[name].scale == "sequential"
    assert traces["row_sums"].high == 8
    assert traces["raw_scores"].high == 1  # all zero: any will do
    groups = [bar.group for bar in figure.arrangements[0].bars]
    assert groups == ["vectors", "scores", "weights"]


@pytest.mark.parametrize(("tokens", "text"), [(1, 14), (8, 14), (9, None)])
def test_few_columns_ask_for_large_numbers(tokens: int, text: int | None) -> None:
    trace = attend(of_tokens(tokens, d_k=4))
    figure = one_head_figure(trace, 0)
    assert figure.cells.text == text
    assert {each.matrix.down for each in figure.heatmaps} <= (
        {0.7 * tokens, 0.7 * 4} if text else {tokens, 4}
    )
    bare = one_head_figure(trace, 0, Look(values=False))
    assert bare.cells.text is None


def test_many_columns_are_squares_that_can_be_zoomed() -> None:
    figure = one_head_figure(attend(of_tokens(300, d_k=64)), 0)
    weights, queries = (figure.named(name).matrix for name in ("weights/0", "q_rotated/0"))
    assert (weights.across, weights.down) == (128, 128)
    assert weights.down == queries.down
    assert figure.can_zoom
