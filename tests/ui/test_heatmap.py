"""What the figure of a grid of heatmaps holds: data, titles, sizes and colours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core.checks.errors import OptionError, ShapeError
from ui.figures.board import COLOR_BAR, Length, Place, short_label
from ui.figures.figure import Figure, Heatmap
from ui.figures.heatmap import DOUBLE_CELLS, heatmap_grid
from ui.figures.matrix import Matrix
from ui.plot.sent import as_sent

ROWS = ["I", "LOVE", "PIZZA"]
COLUMNS = ["a", "b", "c", "d", "e"]
VALUES = np.array([[0.0, 1, -2, 3, 0.004], [4, 5, -6, 7, 8], [9, 10, 11, -12, 13]])
HIDDEN = np.zeros((3, 5), dtype=bool)
HIDDEN[0, 3:] = True
HIDDEN[2, 1] = True


def matrix(name: str = "scores/0", **options: Any) -> Matrix:
    return Matrix(name, f"the {name}", VALUES, ROWS, COLUMNS, **options)


def heatmaps(figure: Figure) -> tuple[Heatmap, ...]:
    return figure.heatmaps


def places(figure: Figure) -> tuple[Place, ...]:
    return figure.arrangements[0].places


def sent_of(figure: Figure) -> list[dict[str, Any]]:
    """What the browser is told of each matrix."""
    return as_sent(figure)["matrices"]


def test_the_figure_shows_the_numbers_themselves() -> None:
    (trace,) = heatmaps(heatmap_grid([[matrix()]]))
    np.testing.assert_array_equal(trace.values, VALUES)
    assert trace.values.dtype == np.float64


def test_a_masked_cell_has_no_number_and_so_no_colour_and_no_text() -> None:
    (trace,) = heatmaps(heatmap_grid([[matrix(masked=HIDDEN)]]))
    np.testing.assert_array_equal(np.isnan(trace.values), HIDDEN)


def test_decimals_reach_the_browser_which_writes_the_values() -> None:
    assert heatmap_grid([[matrix()]], decimals=3).decimals == 3
    assert heatmap_grid([[matrix()]], values=False).decimals is None


def test_the_arrays_that_come_in_stay_as_they_were() -> None:
    before = VALUES.copy()
    heatmap_grid([[matrix(masked=HIDDEN)]])
    np.testing.assert_array_equal(VALUES, before)


def test_scores_share_one_scale_centred_on_zero() -> None:
    small = Matrix("scores/1", "small", VALUES / 10, ROWS, COLUMNS)
    traces = heatmaps(heatmap_grid([[matrix(), small]]))
    assert [(t.low, t.high) for t in traces] == [(-13, 13), (-13, 13)]


def test_each_group_of_numbers_has_its_own_range_and_its_own_bar() -> None:
    output = Matrix("output", "output", 100 * VALUES, ROWS, COLUMNS, color_group="vectors")
    figure = heatmap_grid([[matrix(color_group="scores")], [output]])
    assert [(t.low, t.high) for t in heatmaps(figure)] == [(-13, 13), (-1300, 1300)]
    bars = figure.arrangements[0].bars
    assert [bar.range for bar in bars] == [(-13, 13), (-1300, 1300)]
    assert [bar.top for bar in bars] == [place.top for place in places(figure)]


def test_scores_that_no_weight_can_tell_from_zeros_have_no_colour() -> None:
    tiny = replace(matrix(color_group="scores"), values=1e-12 * VALUES)
    assert [(t.low, t.high) for t in heatmaps(heatmap_grid([[tiny]]))] == [(-1, 1)]
    output = replace(tiny, color_group="vectors")
    assert heatmaps(heatmap_grid([[output]]))[0].high == pytest.approx(1.3e-11)


def test_bars_beside_each_other_say_whose_colours_they_show() -> None:
    output = Matrix("output", "output", VALUES, ROWS, COLUMNS, color_group="vectors")
    scores = matrix(color_group="scores")
    beside, below = (
        heatmap_grid(rows).arrangements[0].bars
        for rows in ([[scores, output]], [[scores], [output]])
    )
    assert [bar.title for bar in beside] == ["scores", "vectors"]
    assert [bar.title for bar in below] == ["", ""]


def test_each_matrix_may_have_its_own_scale_and_then_no_colour_bar_speaks_for_all() -> None:
    small = Matrix("scores/1", "small", VALUES / 10, ROWS, COLUMNS)
    figure = heatmap_grid([[matrix(), small]], shared_scale=False)
    assert [(t.low, t.high) for t in heatmaps(figure)] == [(-13, 13), (-1.3, 1.3)]
    assert figure.arrangements[0].bars == ()
    captions = [trace.matrix.caption for trace in heatmaps(figure)]
    assert captions == ["colours ±13.00", "colours ±1.30"]


def test_weights_of_their_own_scale_run_from_zero_to_the_largest() -> None:
    weights = Matrix("w", "w", np.full((3, 5), 0.004), ROWS, COLUMNS, scale="sequential")
    figure = heatmap_grid([[weights]], shared_scale=False)
    (trace,) = heatmaps(figure)
    assert (trace.low, trace.high) == (0, 0.004)
    assert trace.matrix.caption == "colours 0.00 to 4.00e−3"


def test_two_bars_beside_one_row_stand_side_by_side() -> None:
    weights = Matrix("w", "w", VALUES, ROWS, COLUMNS, scale="sequential")
    (beside,) = heatmap_grid([[matrix(), weights]]).arrangements
    (below,) = heatmap_grid([[matrix()], [weights]]).arrangements
    first, second = (bar.left for bar in beside.bars)
    assert second.fixed - first.fixed == COLOR_BAR
    assert beside.bars[0].top == beside.bars[1].top
    assert below.bars[0].left == below.bars[1].left
    assert beside.width.fixed >= second.fixed + 60


def test_a_bar_of_tiny_values_does_not_say_zero_three_times() -> None:
    figure = heatmap_grid([[Matrix("m", "m", VALUES / 1e6, ROWS, COLUMNS)]])
    (bar,) = figure.arrangements[0].bars
    assert [text for _, text in bar.ticks] == ["−1.30e−5", "0.00", "1.30e−5"]


def test_a_heading_wider_than_its_matrix_gets_room() -> None:
    columns = [
        Matrix(f"m{i}", "", np.ones((1, 1)), ["a"], ["b"], heading="Head 12") for i in (0, 1)
    ]
    left, right = (place.left for place in places(heatmap_grid([columns])))
    assert right[0] - left[0] + 30 * right[1] > 7 * len("Head 12")


def test_a_masked_value_does_not_stretch_the_scale() -> None:
    largest = VALUES == 13
    (trace,) = heatmaps(heatmap_grid([[matrix(masked=largest)]]))
    assert trace.high == 12


def test_weights_run_from_zero_to_one_whatever_they_are() -> None:
    weights = Matrix("w", "weights", VALUES / 100, ROWS, COLUMNS, scale="sequential")
    (trace,) = heatmaps(heatmap_grid([[weights]]))
    assert (trace.low, trace.high) == (0, 1)


def test_a_matrix_of_zeros_still_has_a_scale() -> None:
    nothing = Matrix("z", "zeros", np.zeros((3, 5)), ROWS, COLUMNS)
    (trace,) = heatmaps(heatmap_grid([[nothing]]))
    assert trace.low < trace.high


def test_shared_labels_are_written_once() -> None:
    one, two, three, four = sent_of(
        heatmap_grid([[matrix("m0"), matrix("m1")], [matrix("m2"), matrix("m3")]])
    )
    assert [t["row_ticks"] for t in (one, two, three, four)] == [ROWS, [], ROWS, []]
    assert [t["column_ticks"] for t in (one, two, three, four)] == [COLUMNS, COLUMNS, [], []]


def test_other_labels_are_written_again() -> None:
    other = Matrix("other", "other", VALUES, ["x", "y", "z"], COLUMNS)
    (_, second) = sent_of(heatmap_grid([[matrix(), other]]))
    assert second["row_ticks"] == ["x", "y", "z"]


def test_repeated_labels_have_names_that_tell_them_apart() -> None:
    repeated = Matrix("m", "m", VALUES, ["THE", "CAT", "THE"], COLUMNS)
    (meta,) = sent_of(heatmap_grid([[repeated]]))
    assert (meta["row_labels"], meta["row_ticks"]) == (["THE", "CAT", "THE"],) * 2
    assert meta["row_names"] == ["THE (1)", "CAT", "THE (3)"]
    assert meta["column_names"] is None


def test_what_looks_like_html_stays_as_it_was_written() -> None:
    hostile = ["<b>I</b>", "<a href='javascript:x'>", "&lt;"]
    figure = heatmap_grid([[Matrix("m", "<i>m</i>", VALUES, hostile, COLUMNS, heading="<u>h</u>")]])
    (meta,) = sent_of(figure)
    assert (meta["row_labels"], meta["title"]) == (hostile, "<i>m</i>")


def test_a_long_label_is_cut_and_says_so() -> None:
    assert short_label("x" * 14) == "x" * 14
    assert short_label("x" * 15) == "x" * 13 + "…"


def test_very_many_numbers_travel_in_single_precision() -> None:
    side = int(DOUBLE_CELLS**0.5) + 1
    labels = [str(i) for i in range(side)]
    big = Matrix("big", "big", np.ones((side, side)), labels, labels)
    assert heatmaps(heatmap_grid([[big]]))[0].values.dtype == np.float32


def test_small_matrices_beside_a_large_one_keep_all_their_digits() -> None:
    side = int(DOUBLE_CELLS**0.5)
    labels = [str(i) for i in range(side)]
    large = [Matrix(name, name, np.ones((side, side)), labels, labels) for name in ("a", "b")]
    data = heatmaps(heatmap_grid([[matrix(), *large]]))
    assert [trace.values.dtype for trace in data] == [np.float64, np.float32, np.float32]


def test_axes_of_one_kind_zoom_together() -> None:
    value = Matrix("v", "V", VALUES.T.copy(), COLUMNS, ROWS, rows="key", columns="feature")
    sent = as_sent(heatmap_grid([[matrix("a"), matrix("b"), value]], zoom=True))
    a, b, other = (each["axes"] for each in sent["matrices"])
    assert a == b
    assert a["rows"] != other["rows"]
    assert a["columns"] != other["columns"]
    assert sent["zooms"]


def test_without_zoom_nothing_moves() -> None:
    assert not as_sent(heatmap_grid([[matrix()]]))["zooms"]


def test_a_zoom_is_forgotten_when_the_sizes_change_and_only_then() -> None:
    def revision(values: Any) -> str:
        rows = [str(i) for i in range(len(values))]
        figure = heatmap_grid([[Matrix("m", "m", values, rows, COLUMNS)]])
        return str(as_sent(figure)["zoomed_as"])

    assert revision(VALUES) == revision(-VALUES)
    assert revision(VALUES) != revision(VALUES[:2])


def test_a_length_grows_with_the_cell() -> None:
    assert Length(10, 3).plus(5, cells=1).at(20) == 95


def test_labels_that_do_not_fit_the_values_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"The values of m must have .* \(2, 5\), got \(3, 5\)"):
        Matrix("m", "m", VALUES, ROWS[:2], COLUMNS)


def test_a_mask_of_another_shape_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"The mask of m must have .* \(3, 5\), got \(5, 3\)"):
        Matrix("m", "m", VALUES, ROWS, COLUMNS, masked=HIDDEN.T)


@pytest.mark.parametrize("rows", [[], [[matrix()], []]])
def test_nothing_to_show_is_refused(rows: list[list[Matrix]]) -> None:
    with pytest.raises(OptionError, match="needs at least one matrix in every row"):
        heatmap_grid(rows)


def test_what_is_no_number_is_told_from_what_is_masked_and_stretches_no_scale() -> None:
    values = VALUES.copy()
    values[0, 0], values[1, 2], values[0, 4], values[2, 2] = np.nan, np.inf, np.nan, 1e308
    lost = Matrix("weights/0", "lost", values, ROWS, COLUMNS, masked=HIDDEN)
    (trace,) = heatmaps(heatmap_grid([[lost]]))
    assert np.flatnonzero(trace.is_lost).tolist() == [0]
    assert trace.high == -trace.low == 1e300
    assert np.isinf(trace.values[1, 2])
    (plain,) = heatmaps(heatmap_grid([[matrix(masked=HIDDEN)]]))
    assert not plain.is_lost.any()


def test_many_numbers_that_single_precision_cannot_hold_travel_in_double_precision() -> None:
    side = int(DOUBLE_CELLS**0.5) + 1
    labels = [str(i) for i in range(side)]
    large = Matrix("exponentials/0", "large", np.full((side, side), 1e200), labels, labels)
    (trace,) = heatmaps(heatmap_grid([[large]]))
    assert trace.values.dtype == np.float64
