"""One step of two layers: on one scale of colours, and as the difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_heads, with_scores, with_tokens
from mha_core.changing.reordering import with_token_moved
from mha_core.changing.rules import with_rules
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.examples import load_example
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.moved import format_difference
from ui.figures.pictures import step_figure
from ui.figures.side_by_side import CELL_TO_SEE, LETTER, SideBySide, room_to_read, side_by_side
from ui.number_format import format_number

PIZZA = load_example("pizza")
OPEN = with_rules(PIZZA, [])
GROUPED = load_example("grouped-query")
SIXTEEN = range(16)


def sides(
    a: Scenario, b: Scenario, step: str, head: int | None = None, look: Look | None = None
) -> SideBySide:
    return side_by_side(attend(a), attend(b), step, head, SIXTEEN, look or Look())


def there(figure: Figure | None) -> Figure:
    assert figure is not None
    return figure


def names(figure: Figure | None) -> list[str]:
    return [matrix.name for matrix in there(figure).heatmaps]


def ranges(figure: Figure | None) -> list[tuple[float, float]]:
    return [(matrix.low, matrix.high) for matrix in there(figure).heatmaps]


def bars(figure: Figure | None) -> list[Any]:
    arrangements = there(figure).arrangements
    return [(bar.range, bar.ticks) for each in arrangements for bar in each.bars]


@pytest.mark.parametrize("shared", [True, False])
def test_both_sides_have_one_scale_of_colours(shared: bool) -> None:
    louder = with_scores(OPEN, scale=2.0)
    a, b, _ = sides(OPEN, louder, "scaled_scores", look=Look(shared_scale=shared))
    assert ranges(a) == ranges(b)
    assert bars(a) == bars(b)
    assert bool(bars(a)) == shared
    alone = step_figure(attend(louder), "scaled_scores", range(2), Look(shared_scale=shared))
    assert ranges(b) == ranges(alone)  # the louder one has the wider range
    captions = [matrix.matrix.caption for matrix in there(a).heatmaps]
    assert captions == [matrix.matrix.caption for matrix in alone.heatmaps]


def test_both_sides_keep_their_colours_during_a_drag() -> None:
    keeps_colors = [there(side).keeps_colors for side in sides(OPEN, PIZZA, "output")]
    assert keeps_colors == [True, True, False]


def test_the_other_way_round_the_range_is_the_same() -> None:
    louder = with_scores(OPEN, scale=2.0)
    a, b, _ = sides(louder, OPEN, "scaled_scores")
    assert ranges(a) == ranges(b) == ranges(sides(OPEN, louder, "scaled_scores").a)


def test_the_difference_has_the_numbers_of_both() -> None:
    _, _, difference = sides(OPEN, PIZZA, "output")
    (matrix,) = there(difference).heatmaps
    assert np.array_equal(matrix.values, attend(PIZZA).output)
    assert np.array_equal(matrix.before.values, attend(OPEN).output)
    assert matrix.before.then == "in A"
    assert there(difference).words.startswith("The largest change from A: ")


def widest(sides: SideBySide) -> list[str]:
    return [there(side).cells.widest for side in sides if side]


@pytest.mark.parametrize(
    ("a", "b", "step"),
    [
        (OPEN, PIZZA, "weights"),
        (PIZZA, OPEN, "weights"),
        (OPEN, with_scores(OPEN, scale=900.0), "scaled_scores"),
        (OPEN, replace(OPEN, x=-9 * OPEN.x), "output"),
    ],
)
def test_the_longest_number_of_all_three_has_room_in_all_three(
    a: Scenario, b: Scenario, step: str
) -> None:
    in_a, in_b = (getattr(attend(side), step) for side in (a, b))
    texts = [
        *map(format_number, [*in_a.flat, *in_b.flat]),
        *(format_difference(change, 2, keep_tiny=False) for change in (in_b - in_a).flat),
    ]
    (longest,) = {*widest(sides(a, b, step))}
    assert len(longest) == max(map(len, texts))


@pytest.mark.parametrize("step", ["weights", "q_heads", "output", "x", "mask"])
def test_other_names_of_tokens_move_nothing(step: str) -> None:
    renamed = replace(PIZZA, tokens=("INCOMPREHENSIBLY", "I", "EAT", "IT"))
    for a, b in ((PIZZA, renamed), (renamed, PIZZA)):
        in_a, in_b, difference = (there(side).arrangements for side in sides(a, b, step))
        for of_a, of_b, of_both in zip(in_a, in_b, difference, strict=True):
            assert of_a.places == of_b.places == of_both.places
            assert of_a.width == of_b.width == of_both.width
            assert of_a.height == of_b.height == of_both.height


def test_without_a_difference_both_sides_have_room_for_the_longest_number_of_both() -> None:
    louder = with_scores(with_heads(OPEN, 4), scale=900.0)
    a, b, difference = sides(OPEN, louder, "scaled_scores")
    assert difference is None
    (longest,) = {*widest(SideBySide(a, b, None))}
    assert len(longest) > len("−0.72")


def test_numbers_that_are_not_written_need_no_room() -> None:
    assert widest(sides(OPEN, PIZZA, "weights", look=Look(values=False))) == ["", "", ""]
    long = load_example("long")
    assert widest(sides(long, long, "weights")) == ["", "", ""]
    assert widest(sides(OPEN, replace(OPEN, b_q=np.ones(8)), "b_q")) == ["1.00"]


def test_the_room_in_which_the_numbers_can_be_read() -> None:
    """The width of the narrowest arrangement, with cells for the longest number."""
    of_a, _, _ = sides(PIZZA, PIZZA, "q_heads")
    fixed, cells = there(of_a).arrangements[-1].width
    assert cells == 4
    assert room_to_read(there(of_a)) == fixed + cells * LETTER * len("−0.58")
    (unwritten, _, _) = sides(PIZZA, PIZZA, "q_heads", look=Look(values=False))
    assert room_to_read(there(unwritten)) == fixed + cells * CELL_TO_SEE


@pytest.mark.parametrize("step", ["x", "w_o", "concat", "output"])
def test_one_matrix_says_its_range_below_it_and_has_no_bar(step: str) -> None:
    a, b, difference = sides(PIZZA, replace(PIZZA, x=2 * PIZZA.x), step)
    assert bars(a) == bars(b) == bars(difference) == []
    captions = [there(side).heatmaps[0].matrix.caption for side in (a, b, difference)]
    assert captions[0] == captions[1]
    assert captions[0].startswith("colours ±")
    assert captions[2].startswith("no diff" if step == "w_o" else "difference ±")


@pytest.mark.parametrize("step", ["q", "scaled_scores", "weights", "output"])
@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize("shared", [True, False])
def test_what_single_precision_rounds_has_no_colour(
    step: str, is_swapped: bool, shared: bool
) -> None:
    pair = READY_QUESTIONS["float32"].shown
    a, b = reversed(pair) if is_swapped else pair
    _, _, difference = sides(a, b, step, look=Look(shared_scale=shared))
    for matrix in there(difference).heatmaps:
        apart = np.nan_to_num(np.abs(matrix.values - matrix.before.values))
        assert 0 < apart.max() < matrix.high / 10
        has_caption = not shared or step in ("q", "output")
        assert matrix.matrix.caption.endswith("no difference") == has_caption
    words = there(difference).words
    assert words == "Nothing has moved from A, but for rounding."


@pytest.mark.parametrize(("a", "b"), [(OPEN, PIZZA), (PIZZA, OPEN)])
def test_a_weight_that_is_hidden_counts_as_zero(a: Scenario, b: Scenario) -> None:
    _, _, difference = sides(a, b, "weights")
    moved = np.abs(attend(b).weights - attend(a).weights).max()
    for matrix in there(difference).heatmaps:
        assert matrix.matrix.is_zero_where_masked
        assert matrix.high == pytest.approx(moved)
        assert np.isfinite(matrix.before.values).all()


def test_a_score_that_is_hidden_counts_as_none() -> None:
    _, _, difference = sides(OPEN, PIZZA, "masked_scores")
    assert all(not matrix.matrix.is_zero_where_masked for matrix in there(difference).heatmaps)
    assert there(difference).words == "Nothing has moved from A."


@pytest.mark.parametrize("step", ["x", "k", "weights", "masked_scores", "output", "mask"])
def test_a_token_is_compared_with_itself(step: str) -> None:
    plain = load_example("permutation")
    _, _, difference = sides(plain, with_token_moved(plain, "tokens", 1, 4), step)
    for matrix in there(difference).heatmaps:
        assert np.allclose(matrix.before.values, matrix.values)


def test_an_additive_mask_goes_along_with_its_tokens() -> None:
    drawn = np.arange(16.0).reshape(4, 4)
    a = replace(OPEN, mask=replace(OPEN.mask, additive=drawn))
    _, _, difference = sides(a, with_token_moved(a, "tokens", 0, 3), "bias")
    for matrix in there(difference).heatmaps:
        assert np.array_equal(matrix.before.values, matrix.values)


def test_one_head_or_all_that_a_side_has() -> None:
    four = with_heads(PIZZA, 4)
    a, b, difference = sides(PIZZA, four, "weights")
    assert names(a) == ["weights/0", "weights/1"]
    assert names(b) == [f"weights/{head}" for head in range(4)]
    assert difference is None
    a, b, _ = sides(PIZZA, four, "weights", head=2)
    assert a is None
    assert names(b) == ["weights/2"]


def test_keys_that_heads_share_stand_there_once() -> None:
    a, b, difference = sides(GROUPED, with_scores(GROUPED, positions="rope"), "k_rotated")
    assert names(a) == names(b) == names(difference) == ["k_rotated/0", "k_rotated/1"]
    headings = [matrix.matrix.heading for matrix in there(a).heatmaps]
    assert headings == ["Key/value head 1", "Key/value head 2"]
    assert names(sides(GROUPED, GROUPED, "k_heads", head=3).a) == ["k_heads/1"]


def test_what_a_side_does_not_have_is_no_picture() -> None:
    biased = replace(PIZZA, b_q=np.ones(8))
    a, b, difference = sides(PIZZA, biased, "b_q")
    assert (a, difference) == (None, None)
    assert names(b) == ["b_q"]


def test_other_sizes_have_no_difference() -> None:
    a, b, difference = sides(OPEN, with_tokens(OPEN, ["A", "B"]), "output")
    assert difference is None
    assert [there(figure).heatmaps[0].values.shape for figure in (a, b)] == [(4, 8), (2, 8)]


@pytest.mark.parametrize(
    ("step", "bands"), [("w_q", 2), ("b_q", 2), ("concat", 2), ("x", 0), ("w_o", 0), ("output", 0)]
)
def test_arrays_whose_heads_stand_side_by_side_have_their_colours(step: str, bands: int) -> None:
    trace: Trace = attend(replace(PIZZA, b_q=np.ones(8)))
    (matrix,) = step_figure(trace, step, SIXTEEN).heatmaps
    assert len(matrix.matrix.bands) == bands


def test_given_numbers_can_be_edited_where_they_stand() -> None:
    a, b, _ = sides(PIZZA, PIZZA, "w_q")
    assert [there(figure).heatmaps[0].matrix.is_given for figure in (a, b)] == [True, True]
