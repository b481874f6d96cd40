"""What moved: a figure that shows by how much its numbers differ from those of another trace.

It takes any figure of matrices: the name of each matrix says which numbers it has. The numbers of
before come from the other trace itself. A figure of that trace would also have places and labels,
which nobody sees; and if that trace has fewer heads, it cannot be made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np

from mha_core import Scenario, Trace
from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.comparing.distances import ROUNDING
from mha_core.comparing.token_order import TokenOrder
from mha_core.language import say, say_number
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.naming import dims_of
from ui import theme
from ui.figures.drawing import longest_number
from ui.figures.figure import Arrangement, Before, ColorBar, Figure, Heatmap, Tick
from ui.figures.heatmap import FARTHEST
from ui.figures.pictures import added_mask
from ui.number_format import format_number

SCALE: Final = "difference"
AT_REST: Final = say("no difference")
MOST_DECIMALS: Final = 17
COUNTED: Final = {  # what a size counts, in words
    "n_q": say("tokens"),
    "n_k": say("keys"),
    "n_heads": say("heads"),
    "n_kv_heads": say("key/value heads"),
    "d_model": say("columns of X"),
    "d_model_kv": say("columns of the second sequence"),
    "d_model_v": say("columns of the source of values"),
    "d_k": say("columns of a head's queries"),
    "d_v": say("columns of a head's values"),
    "d_out": say("columns of the output"),
}


@dataclass(frozen=True)
class Since:
    """What a figure is compared with, in words.

    `follows_drags`: while a number is dragged, the figure is compared with how the drag began.
    """

    then: str  # as in "before 0.21"
    largest: str
    nothing: str
    nothing_but_rounding: str
    follows_drags: bool = False


BEFORE: Final = Since(
    say("before"),
    largest=say("The largest change: {number}, from {old} to {new}."),
    nothing=say("Nothing has moved."),
    nothing_but_rounding=say("Nothing has moved, but for rounding."),
    follows_drags=True,
)
EXAMPLE: Final = Since(
    say("in the example"),
    largest=say("The largest change from the example: {number}, from {old} to {new}."),
    nothing=say("Nothing has moved from the example."),
    nothing_but_rounding=say("Nothing has moved from the example, but for rounding."),
)
IN_A: Final = Since(
    say("in A"),
    largest=say("The largest change from A: {number}, from {old} to {new}."),
    nothing=say("Nothing has moved from A."),
    nothing_but_rounding=say("Nothing has moved from A, but for rounding."),
)
SAME_ORDER: Final = TokenOrder()


def moved_figure(
    figure: Figure,
    now: Scenario,
    then: Trace,
    since: Since,
    decimals: int,
    order: TokenOrder = SAME_ORDER,
) -> Figure:
    """The figure in the colours of differences: its matrices hold the numbers now and those before.

    Matrices that share a range of colours still share one, symmetric about 0. If one of them has no
    counterpart of its size, all of them stay as they were: one colour bar cannot mean two things.
    `order` says where each token stood before.
    """
    befores = [(heatmap, _before(then, heatmap, since, order)) for heatmap in figure.heatmaps]
    alone = {heatmap.range_name for heatmap, before in befores if before is None}
    pairs = [
        _Pair(heatmap, before)
        for heatmap, before in befores
        if before is not None and heatmap.range_name not in alone
    ]
    rounding = max(ROUNDING[each.dtype.name] for each in (now, then.scenario))
    ranges = {
        name: _range_of([pair for pair in pairs if pair.range_name == name], rounding)
        for name in dict.fromkeys(pair.range_name for pair in pairs)
    }
    compared = {pair.heatmap: _compared(pair, ranges[pair.range_name], decimals) for pair in pairs}
    words = [*_largest_change(pairs, ranges, since, decimals)]
    if lost := sum(_count_lost_on_one_side(pair) for pair in pairs):
        says = say_number(
            "{count} number lost on one side.", "{count} numbers lost on one side.", lost
        )
        words.append(says.format(count=lost))
    if alone:
        words.append(_why_not_all(now, then.scenario, since))
    return replace(
        figure,
        heatmaps=tuple(compared.get(heatmap, heatmap) for heatmap in figure.heatmaps),
        arrangements=tuple(_barred(each, ranges, decimals) for each in figure.arrangements),
        scales={**figure.scales, SCALE: theme.DIFFERENCE},
        words=" ".join(words) or _nothing_has_moved(pairs, since),
        follows_drags=since.follows_drags,
    )


@dataclass(frozen=True, eq=False)
class _Pair:
    """A matrix of the figure, and its numbers before."""

    heatmap: Heatmap
    before: Before

    @property
    def range_name(self) -> str:
        return self.heatmap.range_name

    @property
    def now(self) -> FloatArray:
        values, matrix = self.heatmap.values, self.heatmap.matrix
        if matrix.masked is None or not matrix.is_zero_where_masked:
            return values
        return np.where(matrix.masked, values.dtype.type(0), values)

    @cached_property
    def change(self) -> FloatArray:
        """By how much each number has moved; 0 where it is, or was, hidden, lost or infinite."""
        with np.errstate(invalid="ignore"):
            change = self.now - self.before.values
        return np.where(np.isfinite(change), change, 0)


class _Range(NamedTuple):
    """How far colours go to both sides of 0: a little way even if nothing has moved."""

    high: float
    is_at_rest: bool


def _before(then: Trace, heatmap: Heatmap, since: Since, order: TokenOrder) -> Before | None:
    """What a matrix was in another trace; None if it had another size."""
    values, matrix = heatmap.values, heatmap.matrix
    step, _, head = matrix.name.partition("/")
    if step == "mask.additive":
        added = added_mask(then.scenario)
        before = np.where(np.isneginf(added), np.nan, added).astype(values.dtype)
        before = order.applied(before, ("n_q", "n_k"))
        if before.shape != values.shape:
            return None
        return Before(before, np.zeros(values.shape, np.bool_), since.then)
    try:
        counterpart = labelled_matrix(then, step, int(head) if head else None)
    except OptionError:  # fewer heads, or an array that nobody had given
        return None
    with np.errstate(over="ignore"):
        before = counterpart.values.astype(values.dtype)
    was_lost = np.isnan(before)
    if counterpart.hidden is not None:
        was_lost &= ~counterpart.hidden
        before[counterpart.hidden] = 0 if matrix.is_zero_where_masked else np.nan
    if order.is_changed:
        axes = dims_of(then, step).axes[-2:]
        before, was_lost = order.applied(before, axes), order.applied(was_lost, axes)
    if matrix.is_transposed:
        before, was_lost = before.T, was_lost.T
    return Before(before, was_lost, since.then) if before.shape == values.shape else None


def _range_of(pairs: Sequence[_Pair], rounding: float) -> _Range:
    """The range of the colours that these matrices share.

    A change of less than this share of the largest number counts as rounding.
    """
    change = max(float(np.abs(pair.change).max()) for pair in pairs)
    largest = max(_reach(pair.heatmap.values) for pair in pairs)
    rest = rounding * (largest or 1.0)
    return _Range(min(max(change, rest), FARTHEST), is_at_rest=change <= rest)


def _reach(values: FloatArray) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0))


def _compared(pair: _Pair, its_range: _Range, decimals: int) -> Heatmap:
    heatmap = pair.heatmap
    if heatmap.matrix.has_own_range:
        words = [*heatmap.words_of_caption, _words_of_range(its_range, decimals)]
        heatmap = heatmap.saying(caption="; ".join(words))
    high = its_range.high
    return replace(heatmap, low=-high, high=high, scale=SCALE, before=pair.before)


def _count_lost_on_one_side(pair: _Pair) -> int:
    """How many cells hold no number, or infinity, either now or before."""
    is_lost = np.isposinf(pair.heatmap.values) | pair.heatmap.is_lost
    was_lost = np.isposinf(pair.before.values) | pair.before.is_lost
    return int(np.count_nonzero(is_lost != was_lost))


def words_of_range(figure: Figure, decimals: int) -> str:
    """How far the colours of differences go in a figure of one kind of matrices."""
    pairs = [_Pair(each, each.before) for each in figure.heatmaps if each.before]
    high = max(pair.heatmap.high for pair in pairs)
    change = max(float(np.abs(pair.change).max()) for pair in pairs)
    return _words_of_range(_Range(high, is_at_rest=change < high), decimals)


def _words_of_range(its_range: _Range, decimals: int) -> str:
    """`wordsOfRange` in ui/plot/js/board/board.js writes the same, while a number is dragged."""
    if its_range.is_at_rest:
        return AT_REST
    high = format_number(its_range.high, decimals, keep_tiny=True)
    return say("difference ±{high}").format(high=high)


def _barred(arrangement: Arrangement, ranges: Mapping[str, _Range], decimals: int) -> Arrangement:
    """The arrangement. Its colour bars say that they are of differences."""
    bars = (
        _bar(bar, ranges[bar.group], decimals) if bar.group in ranges else bar
        for bar in arrangement.bars
    )
    return replace(arrangement, bars=tuple(bars))


def _bar(bar: ColorBar, its_range: _Range, decimals: int) -> ColorBar:
    high = its_range.high
    values = (0.0,) if its_range.is_at_rest else (-high, 0.0, high)
    return replace(
        bar,
        scale=SCALE,
        title=f"Δ {bar.title}" if bar.title else say("difference"),
        range=(-high, high),
        ticks=tuple(Tick(value, format_difference(value, decimals)) for value in values),
    )


def format_difference(value: float, decimals: int, *, keep_tiny: bool = True) -> str:
    """A difference as text: with its sign.

    >>> format_difference(0.5, 2), format_difference(-0.5, 2), format_difference(0.0, 2)
    ('+0.50', '−0.50', '0.00')
    """
    return ("+" if value > 0 else "") + format_number(value, decimals, keep_tiny=keep_tiny)


def longest_difference(heatmaps: Sequence[Heatmap], decimals: int) -> str:
    """The longest text in the cells of matrices that show what has moved."""
    changes = [_Pair(each, each.before).change for each in heatmaps if each.before]
    return longest_number(changes, decimals, partial(format_difference, keep_tiny=False))


def _largest_change(
    pairs: Sequence[_Pair], ranges: Mapping[str, _Range], since: Since, decimals: int
) -> Iterator[str]:
    """The number that has moved most, in words; nothing if none has.

    Scores and weights cannot be compared. So it names the last kind of numbers in the figure that
    has moved: the others lead to it.
    """
    moved = [pair for pair in pairs if not ranges[pair.range_name].is_at_rest]
    if not moved:
        return
    kind = moved[-1].heatmap.matrix.group
    alike = [pair for pair in moved if pair.heatmap.matrix.group == kind]
    most = max(alike, key=lambda pair: float(np.abs(pair.change).max()))
    row, column = np.unravel_index(np.abs(most.change).argmax(), most.change.shape)
    name = _name_of_cell(most.heatmap, int(row), int(column))
    old, new = float(most.before.values[row, column]), float(most.now[row, column])
    old_text, new_text = _apart(old, new, decimals)
    yield since.largest.format(number=name, old=old_text, new=new_text)


def _nothing_has_moved(pairs: Sequence[_Pair], since: Since) -> str:
    is_rounded = any(pair.change.any() for pair in pairs)
    return since.nothing_but_rounding if is_rounded else since.nothing


def _name_of_cell(heatmap: Heatmap, row: int, column: int) -> str:
    """As `nameOf` in ui/plot/js/entering/cell_texts.js says it."""
    matrix = heatmap.matrix
    row_word, column_word = matrix.words
    row_name = f"{row_word} {heatmap.row_names[row]}".strip()
    column_name = f"{column_word} {heatmap.column_names[column]}".strip()
    return f"{matrix.title}, {row_name}, {column_name}"


def _apart(one: float, other: float, decimals: int) -> tuple[str, str]:
    """Two different numbers as text, with as many decimals as it takes to tell them apart.

    >>> _apart(0.21, 0.214, 2)
    ('0.210', '0.214')
    """
    texts = (
        (format_number(one, count), format_number(other, count))
        for count in range(decimals, MOST_DECIMALS)
    )
    return next((pair for pair in texts if pair[0] != pair[1]), (repr(one), repr(other)))


def _why_not_all(now: Scenario, then: Scenario, since: Since) -> str:
    where = since.then[0].upper() + since.then[1:]
    for size, things in COUNTED.items():
        if then.sizes[size] != now.sizes[size]:
            says = say(
                "{where}, there were {old} {things}, now {new}: what cannot be compared shows its "
                "numbers."
            )
            old, new = then.sizes[size], now.sizes[size]
            return says.format(where=where, old=old, things=things, new=new)
    says = say("{where}, not all of this was there: what cannot be compared shows its numbers.")
    return says.format(where=where)
