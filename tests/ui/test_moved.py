"""A figure that shows what moved: the numbers before, their own colours, and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_heads, with_mask, with_matrix, with_scores, with_tokens
from mha_core.examples import load_example
from mha_core.scenario.masks import Mask
from ui.figures import pictures
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.into_heads import into_heads_figure
from ui.figures.moved import BEFORE, EXAMPLE, Since, moved_figure
from ui.figures.one_head import one_head_figure

PIZZA = load_example("pizza")
TOKENS = load_example("two-tokens")


def heads_of(now: Trace, look: Look | None = None) -> Figure:
    return pictures.heads_figure(now, range(now.scenario.n_heads), look=look)


def moved(now: Scenario, then: Scenario, look: Look | None = None, since: Since = BEFORE) -> Figure:
    """The heads' picture of one scenario, compared with another."""
    decimals = (look or Look()).decimals
    return moved_figure(heads_of(attend(now), look), now, attend(then), since, decimals)


def matrix_in(figure: Figure, name: str) -> Any:
    return next(trace for trace in figure.heatmaps if trace.name == name)


def words(figure: Figure) -> str:
    text: str = figure.words
    return text


def test_each_matrix_gets_the_numbers_of_the_other_trace_and_keeps_its_own() -> None:
    now = with_scores(PIZZA, scale=2.0)
    plain, figure = heads_of(attend(now)), moved(now, PIZZA)
    for before, after in zip(plain.heatmaps, figure.heatmaps, strict=True):
        name, head = before.name.split("/")
        seen = np.where(attend(PIZZA).mask, getattr(attend(PIZZA), name)[int(head)], np.nan)
        np.testing.assert_array_equal(after.before.values, seen)
        np.testing.assert_array_equal(after.values, before.values)
        assert (after.scale, after.before.then) == ("difference", "before")
        assert before.before is None  # the plain figure stays as it was


def test_matrices_that_share_colours_share_a_range_with_zero_in_its_middle() -> None:
    doubled = with_scores(PIZZA, scale=1.0)  # it was 1/2: so each score moves by what it was
    figure = moved(doubled, PIZZA)
    reach = np.abs(attend(PIZZA).scaled_scores[:, attend(PIZZA).mask]).max()
    scores = [matrix_in(figure, f"masked_scores/{head}") for head in (0, 1)]
    assert [(m.low, m.high) for m in scores] == [(-reach, reach)] * 2
    bar, weights = figure.arrangements[0].bars
    assert (bar.title, bar.range, bar.scale) == ("difference", (-reach, reach), "difference")
    assert [text for _, text in bar.ticks] == ["−2.30", "0.00", "+2.30"]
    assert weights.range[1] < 1
    for other in figure.arrangements[1:]:
        assert {each.title for each in other.bars} == {"difference"}


def test_bars_that_stand_side_by_side_say_whose_difference_it_is() -> None:
    now = with_scores(PIZZA, scale=1.0)
    one_head = one_head_figure(attend(now), 0)
    figure = moved_figure(one_head, now, attend(PIZZA), BEFORE, 2)
    titles = [bar.title for bar in figure.arrangements[0].bars]
    assert titles == ["difference", "Δ scores", "Δ weights"]  # that of the vectors stands alone


def test_a_matrix_with_colours_of_its_own_says_its_range_in_its_caption() -> None:
    x = TOKENS.x.copy()
    x[1, 3] += 0.25
    now = with_matrix(TOKENS, "x", x)
    into = into_heads_figure(attend(now))
    figure = moved_figure(into, now, attend(TOKENS), BEFORE, 2)
    captions = {m.name: m.matrix.caption for m in figure.heatmaps}
    assert captions["x"] == "difference ±0.25"
    assert captions["w_q"] == "no difference"
    assert matrix_in(figure, "x").matrix.is_given
    own = moved(now, TOKENS, Look(shared_scale=False))
    assert matrix_in(own, "weights/0").low == -matrix_in(own, "weights/0").high


def test_where_nothing_has_moved_colours_have_a_range_and_the_bar_says_zero() -> None:
    figure = moved(PIZZA, PIZZA)
    assert words(figure) == "Nothing has moved."
    assert all(m.low < 0 < m.high for m in figure.heatmaps)
    assert [bar.ticks for bar in figure.arrangements[0].bars] == [((0.0, "0.00"),)] * 2
    assert words(moved(PIZZA, PIZZA, since=EXAMPLE)) == "Nothing has moved from the example."


def test_all_numbers_may_be_zero() -> None:
    zeros = with_matrix(TOKENS, "x", np.zeros((2, 4)))
    figure = moved(zeros, zeros)
    assert all(m.low < 0 < m.high for m in figure.heatmaps)


def test_rounding_is_no_change() -> None:
    x = TOKENS.x.copy()
    x[0, 0] *= 1 + 1e-12
    assert (
        words(moved(with_matrix(TOKENS, "x", x), TOKENS)) == "Nothing has moved, but for rounding."
    )


def test_a_cell_that_is_hidden_in_one_of_both_has_no_difference() -> None:
    unmasked = with_mask(PIZZA, Mask())
    for now, then in ((PIZZA, unmasked), (unmasked, PIZZA)):
        figure = moved(now, then)
        weights = matrix_in(figure, "weights/0")
        difference = weights.values - weights.before.values
        np.testing.assert_array_equal(np.isnan(difference), np.triu(np.ones((4, 4)), 1) == 1)
        assert weights.may_hide
        assert "hidden" not in words(figure)


def test_the_largest_change_is_named_with_its_numbers() -> None:
    figure = moved(with_scores(PIZZA, scale=1.0), PIZZA)
    weights = attend(PIZZA).weights
    change = np.abs(attend(with_scores(PIZZA, scale=1.0)).weights - weights)
    assert np.unravel_index(change.argmax(), change.shape) == (0, 3, 0)
    expected = "Weights, head 1, query PIZZA, key I, from 0.40 to 0.53."
    assert words(figure) == f"The largest change: {expected}"
    from_example = moved(with_scores(PIZZA, scale=1.0), PIZZA, since=EXAMPLE)
    assert words(from_example) == f"The largest change from the example: {expected}"


def test_the_last_kind_of_numbers_that_has_moved_is_named() -> None:
    """Each query's scores move by the same amount: the weights stay."""
    now = with_matrix(TOKENS, "b_k", np.array([1.0, 0, 0, 0]))
    text = words(moved(now, with_matrix(TOKENS, "b_k", np.zeros(4))))
    assert text.startswith("The largest change: Masked scores, head 1, query t")


def test_numbers_that_look_alike_get_more_decimals() -> None:
    x = TOKENS.x.copy()
    x[0, 0] += 0.0004
    now = with_matrix(TOKENS, "x", x)
    figure = moved_figure(into_heads_figure(attend(now)), now, attend(TOKENS), BEFORE, 2)
    assert words(figure).endswith("from 1.0000 to 1.0004.")


def test_tokens_with_one_label_are_told_apart() -> None:
    twice = with_tokens(TOKENS, ("THE", "THE"))
    text = words(moved(with_scores(twice, scale=1.0), twice))
    assert "THE (1)" in text or "THE (2)" in text


@pytest.mark.parametrize(
    ("now", "then", "why"),
    [
        (with_tokens(PIZZA, tuple("abcde")), PIZZA, "there were 4 tokens, now 5"),
        (with_heads(PIZZA, 4), PIZZA, "there were 2 heads, now 4"),
        (with_heads(PIZZA, 1), with_heads(PIZZA, 8), None),
    ],
)
def test_what_had_another_size_stays_as_it_is_and_the_words_say_why(
    now: Scenario, then: Scenario, why: str | None
) -> None:
    figure, plain = moved(now, then), heads_of(attend(now))
    if why is None:  # each head that there is was there before
        assert words(figure).startswith("The largest change: ")
        return
    assert words(figure) == f"Before, {why}: what cannot be compared shows its numbers."
    assert all(m.before is None for m in figure.heatmaps)
    assert figure.arrangements[0].bars == plain.arrangements[0].bars


def test_the_rest_of_a_picture_is_compared() -> None:
    """With colours of its own, each matrix is compared by itself."""
    now = with_heads(PIZZA, 4)
    look = Look(shared_scale=False)
    compared = [m for m in moved(now, PIZZA, look).heatmaps if m.before is not None]
    assert {m.name for m in compared} == {
        f"{step}/{head}" for step in ("masked_scores", "weights") for head in (0, 1)
    }


def test_an_array_that_nobody_had_given_has_nothing_to_be_compared_with() -> None:
    now = with_matrix(TOKENS, "b_q", np.ones(4))
    figure = moved_figure(into_heads_figure(attend(now)), now, attend(TOKENS), EXAMPLE, 2)
    assert matrix_in(figure, "b_q").before is None
    assert matrix_in(figure, "q").before is not None
    assert words(figure).endswith(
        "In the example, not all of this was there: what cannot be compared shows its numbers."
    )


def test_shared_keys_are_compared_with_those_of_the_same_head() -> None:
    grouped = load_example("grouped-query")
    now = replace(grouped, x=grouped.x + 1)
    for head in range(now.n_heads):
        one = one_head_figure(attend(now), head)
        for matrix in moved_figure(one, now, attend(grouped), BEFORE, 2).heatmaps:
            step, own = matrix.name.split("/")
            expected = getattr(attend(grouped), step)[int(own)]
            expected = expected.T if matrix.matrix.is_transposed else expected
            seen = np.isfinite(matrix.before.values)
            np.testing.assert_array_equal(matrix.before.values[seen], expected[seen])


def test_only_what_moved_before_follows_a_drag() -> None:
    for since, follows in ((BEFORE, True), (EXAMPLE, False)):
        assert moved(PIZZA, PIZZA, since=since).follows_drags is follows


def figure_moved(make: Callable[[Trace], Figure], now: Scenario, then: Scenario) -> Figure:
    trace = attend(now)
    return moved_figure(make(trace), now, attend(then), BEFORE, decimals=2)


def test_in_the_mask_a_cell_that_is_hidden_now_has_moved_from_1_to_0() -> None:
    figure = figure_moved(pictures.mask_figure, PIZZA, with_mask(PIZZA, Mask()))
    assert words(figure) == ("The largest change: Mask, query I, key LOVE, from 1.00 to 0.00.")
    mask = matrix_in(figure, "mask")
    assert (mask.low, mask.high, mask.matrix.is_zero_where_masked) == (-1, 1, True)
    assert np.isnan(mask.values[0, 1])  # it is hatched all the same
    back = figure_moved(pictures.mask_figure, with_mask(PIZZA, Mask()), PIZZA)
    assert words(back) == "The largest change: Mask, query I, key LOVE, from 0.00 to 1.00."


def test_an_additive_mask_that_was_not_there_was_all_zeros() -> None:
    added = np.zeros((4, 4))
    added[2, 1], added[3, 0] = 1.5, -np.inf
    now = with_mask(PIZZA, Mask(additive=added))
    figure = figure_moved(pictures.additive_figure, now, PIZZA)
    assert words(figure).endswith("from 0.00 to 1.50.")
    back = figure_moved(pictures.additive_figure, PIZZA, now)
    assert np.isnan(matrix_in(back, "mask.additive").before.values[3, 0])
    smaller = figure_moved(pictures.additive_figure, TOKENS, now)
    assert words(smaller).endswith("what cannot be compared shows its numbers.")


LOST = with_scores(load_example("saturated"), softmax="naive")
FOUND = load_example("saturated")


@pytest.mark.parametrize(("now", "then"), [(LOST, FOUND), (FOUND, LOST), (LOST, LOST)])
def test_what_is_lost_on_one_side_has_no_difference(now: Scenario, then: Scenario) -> None:
    shown = pictures.heads_figure(attend(now), range(2), ("exponentials", "weights"))
    figure = moved_figure(shown, now, attend(then), BEFORE, 2)
    weights = matrix_in(figure, "weights/1")
    lost = np.flatnonzero(np.isnan(attend(LOST).weights[1])).tolist()
    assert np.flatnonzero(weights.is_lost).tolist() == (lost if now is LOST else [])
    assert np.flatnonzero(weights.before.is_lost).tolist() == (lost if then is LOST else [])
    assert not weights.may_hide
    for trace in figure.heatmaps:
        assert 0 < trace.high <= 1e300
    is_one_sided = now is not then
    assert ("6 numbers lost on one side." in words(figure)) == is_one_sided
    assert "nan" not in words(figure)
    assert "inf" not in words(figure)
    assert "∞" not in words(figure)


def test_a_lost_weight_is_not_taken_for_a_hidden_one() -> None:
    hidden = np.ones((4, 4), np.bool_)
    hidden[0, 1] = False
    now, then = (with_mask(s, Mask(custom=hidden)) for s in (LOST, FOUND))
    look, zeros = Look(), {"is_zero_where_masked": True}
    figure = pictures.step_figure(attend(now), "weights", [1], look, **zeros)
    figure = moved_figure(figure, now, attend(then), BEFORE, 2)
    (weights,) = figure.heatmaps
    assert np.flatnonzero(weights.is_lost).tolist() == [0, 10, 15]
    assert np.flatnonzero(weights.before.is_lost).tolist() == []
    assert weights.high < 1  # of the rows that are not lost, nothing has moved
