"""One step of A and of B on one scale of colours, and B's in the colours of their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from mha_core import Trace
from mha_core.comparing.distances import array_of, numbers_of_both
from mha_core.comparing.token_order import token_order
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.naming import has_heads
from mha_core.layer.steps import Step
from ui.figures.board import PRESENTED
from ui.figures.drawing import Look, longest_number
from ui.figures.figure import Arrangement, ColorBar, Figure, Heatmap, Range
from ui.figures.heatmap import ticks_of_bar, words_of_range
from ui.figures.moved import IN_A, longest_difference, moved_figure
from ui.figures.pictures import MOST_WRITTEN, step_figure

LETTER: Final = 4.75  # pixels of a letter of a number that a person reads with ease
CELL_TO_SEE: Final = 5  # of a cell without a number


class SideBySide(NamedTuple):
    """The pictures of one step; None where a side does not have it, or nothing can be compared."""

    a: Figure | None
    b: Figure | None
    difference: Figure | None


def side_by_side(
    a: Trace,
    b: Trace,
    step: str,
    head: int | None,
    heads: range,
    look: Look,
    *,
    presented: bool = False,
) -> SideBySide:
    """One `step` of both: of one `head`, or of those of `heads` that a side has.

    All three have room for the longest number and the longest labels of any: so the browser gives
    them one arrangement, and cells of one size. Where they are presented, captions say what colours
    stand for.
    """
    said = _room_for_labels([trace for trace in (a, b) if array_of(trace, step) is not None], step)
    if presented:
        said |= {"has_bars": False, "spacing": PRESENTED}
    in_a, in_b = (_one_side(trace, step, head, heads, look, **said) for trace in (a, b))
    difference = None
    if in_a and in_b:
        in_a, in_b = on_one_scale(in_a, in_b, look.decimals)
        if numbers_of_both(a, b, step):
            now = step_figure(b, step, _heads_of(b, head, heads), look, **said, **_as_zeros(step))
            order = token_order(a.scenario, b.scenario)
            difference = moved_figure(now, b.scenario, a, IN_A, look.decimals, order)
    sides = (in_a, in_b, difference)
    there = [side for side in sides if side]
    longest = max((_longest_number(side, look) for side in there), key=len, default="")
    return SideBySide(*(side and _with_room_for(side, longest) for side in sides))


def room_to_read(figure: Figure) -> float:
    """Pixels that a figure needs across, its matrices below each other, for its numbers to be read.

    If no numbers are written, cells only have to be seen.
    """
    longest = figure.cells.widest
    cell = LETTER * len(longest) if longest else CELL_TO_SEE
    return figure.arrangements[-1].width.at(cell)


def _longest_number(side: Figure, look: Look) -> str:
    """The longest text in the cells of a figure; none where they are too many to be written in."""
    if not look.values or side.count > MOST_WRITTEN:
        return ""
    if compared := [heatmap for heatmap in side.heatmaps if heatmap.before]:
        return longest_difference(compared, look.decimals)
    return longest_number([heatmap.values for heatmap in side.heatmaps], look.decimals)


def _with_room_for(figure: Figure, longest: str) -> Figure:
    return replace(figure, cells=replace(figure.cells, widest=longest))


def on_one_scale(one: Figure, other: Figure, decimals: int) -> tuple[Figure, Figure]:
    """Two figures whose matrices of one kind have one range of colours in both.

    While a number of one is dragged, both keep it: the other does not follow the drag.
    """
    ranges: dict[str, Range] = {}
    for heatmap in (*one.heatmaps, *other.heatmaps):
        name, low, high = heatmap.range_name, heatmap.low, heatmap.high
        lowest, highest = ranges.get(name, (low, high))
        ranges[name] = (min(lowest, low), max(highest, high))
    return _ranged(one, ranges, decimals), _ranged(other, ranges, decimals)


def _room_for_labels(traces: Sequence[Trace], step: str) -> dict[str, Any]:
    """The longest label of both sides, on each axis: tokens may have other names in one of them."""
    matrices = [labelled_matrix(t, step, 0 if has_heads(t, step) else None) for t in traces]
    return {
        "row_room": [max(matrix.rows.labels, key=len) for matrix in matrices],
        "column_room": [max(matrix.columns.labels, key=len) for matrix in matrices],
    }


def _one_side(
    trace: Trace, step: str, head: int | None, heads: range, look: Look, **said: Any
) -> Figure | None:
    chosen = _heads_of(trace, head, heads)
    if array_of(trace, step) is None or not chosen:
        return None
    return step_figure(trace, step, chosen, look, **said)


def _heads_of(trace: Trace, head: int | None, heads: range) -> Sequence[int]:
    wanted = heads if head is None else [head]
    return [each for each in wanted if each < trace.scenario.n_heads]


def _as_zeros(step: str) -> dict[str, Any]:
    """A hidden weight is 0, so its difference has a colour. A hidden score is no number at all."""
    of_step = getattr(Trace, step, None)
    is_share = isinstance(of_step, Step) and of_step.after_mask and of_step.from_0_to_1
    return {"is_zero_where_masked": True} if is_share else {}


def _ranged(figure: Figure, ranges: Mapping[str, Range], decimals: int) -> Figure:
    return replace(
        figure,
        heatmaps=tuple(
            _colored(heatmap, ranges[heatmap.range_name], decimals) for heatmap in figure.heatmaps
        ),
        arrangements=tuple(_barred(each, ranges, decimals) for each in figure.arrangements),
        keeps_colors=True,
    )


def _colored(heatmap: Heatmap, color_range: Range, decimals: int) -> Heatmap:
    low, high = color_range
    if heatmap.matrix.has_own_range:
        words = [*heatmap.words_of_caption, words_of_range(color_range, decimals)]
        heatmap = heatmap.saying(caption="; ".join(words))
    return replace(heatmap, low=low, high=high)


def _barred(arrangement: Arrangement, ranges: Mapping[str, Range], decimals: int) -> Arrangement:
    def ranged(bar: ColorBar) -> ColorBar:
        color_range = ranges.get(bar.group, bar.range)
        return replace(bar, range=color_range, ticks=ticks_of_bar(color_range, decimals))

    return replace(arrangement, bars=tuple(map(ranged, arrangement.bars)))
