"""How far apart the numbers of A and B are: in a step, in one head of it, in every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.comparing.token_order import TokenOrder, token_order
from mha_core.layer.cells import Cell
from mha_core.layer.naming import dims_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.unchanged import is_unused
from mha_core.scenario.given_arrays import GIVEN

# Shares of the largest number: a smaller difference is rounding. The less precise side counts.
# ui/plot/js/numbers/moved.js has the same shares.
ROUNDING: Final = {"float64": 1e-9, "float32": 1e-5}
# Steps that are all zeros, or all open, where a scenario does not use them.
SELDOM_USED: Final = (
    *("positions", "context_positions", "bias", "mask", "blind_queries"),
    *("relative_scores", "sink_weights", "g", "gates"),
)


@dataclass(frozen=True, eq=False)
class Distance:
    """How far apart the numbers of one array are.

    `largest` and `mean` are the largest and the mean difference of the numbers that both sides
    show. `cell` is where in B the largest one is. `query` is the row that moved most, if each query
    has a row. `is_rounding`: no difference is more than rounding. `hidden_in_one` counts the
    numbers that one side hides and the other shows; `lost` counts those that one side lost because
    exp overflowed.
    """

    step: str
    head: int | None
    largest: float
    mean: float
    cell: Cell
    query: int | None
    is_rounding: bool
    hidden_in_one: int
    lost: int

    @property
    def is_same(self) -> bool:
        """Whether both sides show the same numbers, but for rounding, and hide the same."""
        return self.is_rounding and not self.hidden_in_one


def distance(
    a: Trace, b: Trace, step: str, head: int | None = None, order: TokenOrder | None = None
) -> Distance | None:
    """How far apart A and B are in a step or a given array, in all heads or in one.

    None if one of them does not have it, or has it in another size.
    """
    pair = numbers_of_both(a, b, step, order)
    if pair is None:
        return None
    theirs, ours = pair if head is None else (numbers[head : head + 1] for numbers in pair)
    if not ours.size:
        return None
    with np.errstate(invalid="ignore"):
        apart = np.abs(ours - theirs)
    is_alone = ~np.isfinite(apart)  # with no finite number on one side, or on both
    apart[is_alone] = 0
    place = tuple(int(i) for i in np.unravel_index(apart.argmax(), apart.shape))
    largest_number = max(_reach(ours), _reach(theirs))
    rounding = max(ROUNDING[trace.scenario.dtype.name] for trace in (a, b)) * largest_number
    largest = float(apart[place])
    alone = ours[is_alone], theirs[is_alone]
    lost = _count_on_one_side(_is_lost, *alone)
    return Distance(
        step,
        head,
        largest,
        mean=float(apart.sum() / max(apart.size - len(alone[0]), 1)),
        cell=_cell(b, step, place, head),
        query=_query_most_moved(b, step, apart),
        is_rounding=bool(largest <= rounding and not lost),
        hidden_in_one=_count_on_one_side(np.isneginf, *alone),
        lost=lost,
    )


def _reach(numbers: FloatArray) -> float:
    """How far from 0 the finite numbers go."""
    reach = np.abs(numbers).max()
    if not np.isfinite(reach):  # to look for the finite ones takes three times as long
        reach = np.abs(numbers[np.isfinite(numbers)]).max(initial=0)
    return float(reach)


def _count_on_one_side(
    is_so: Callable[[FloatArray], BoolArray], one: FloatArray, other: FloatArray
) -> int:
    return int(np.count_nonzero(is_so(one) != is_so(other)))


def _is_lost(numbers: FloatArray) -> BoolArray:
    """Not a number, or infinite: minus infinity is a hidden score."""
    lost: BoolArray = np.isnan(numbers) | np.isposinf(numbers)
    return lost


Distances = dict[str, Distance | None]  # by the name of the step or the given array


def all_distances(a: Trace, b: Trace) -> Distances:
    """The distance of every step that at least one side computes; None where sizes differ.

    A step that only hands on the numbers of an earlier one, on both sides, is left out.
    """
    return _distances(a, b, steps_in_use(a, b))


def distances_of_given(a: Trace, b: Trace) -> Distances:
    """The distance of every given array that one of them has; None where the other has not."""
    names = [n for n in GIVEN if any(array_of(trace, n) is not None for trace in (a, b))]
    return _distances(a, b, names)


def _distances(a: Trace, b: Trace, names: Sequence[str]) -> Distances:
    order = token_order(a.scenario, b.scenario)
    return {name: distance(a, b, name, order=order) for name in names}


def steps_in_use(a: Trace, b: Trace) -> list[str]:
    """The steps that change something in A or in B, in the order of the lesson."""
    return [step.name for step in STEPS if any(is_in_use(trace, step) for trace in (a, b))]


def is_in_use(trace: Trace, step: Step[Any]) -> bool:
    """Whether a step does more than to hand on an array, or to say that it has nothing to do."""
    s = trace.scenario
    if step.computed_by(s) is not step or is_unused(step.name, s):
        return False
    if step.name not in SELDOM_USED:
        return True
    array = getattr(trace, step.name)
    return not array.all() if step.name == "mask" else bool(array.any())


def total_variation(a: Trace, b: Trace, order: TokenOrder | None = None) -> FloatArray | None:
    """The share of its weight that each query moves to other tokens, by head: (n_heads, n_q).

    It is half of the sum of the differences in a row, NaN where a weight is not a number. None
    where the weights differ in size.
    """
    pair = numbers_of_both(a, b, "weights", order)
    if pair is None:
        return None
    theirs, ours = pair
    shares: FloatArray = np.abs(ours - theirs).sum(axis=-1) / 2
    return shares


def numbers_of_both(
    a: Trace, b: Trace, step: str, order: TokenOrder | None = None
) -> tuple[FloatArray, FloatArray] | None:
    """The numbers of A, their tokens in the order of B, and those of B; None if sizes differ."""
    if order is None:
        order = token_order(a.scenario, b.scenario)
    theirs, ours = array_of(a, step), array_of(b, step)
    if theirs is None or ours is None or theirs.shape != ours.shape:
        return None
    turned = order.applied(theirs, dims_of(a, step).axes)
    return np.asarray(turned, np.float64), np.asarray(ours, np.float64)


def array_of(trace: Trace, step: str) -> FloatArray | None:
    """The array of a step or a given one; None if it was not given."""
    if step in GIVEN:
        given: FloatArray | None = getattr(trace.scenario, step)
        return given
    array: FloatArray = getattr(trace, step)
    return array


def _cell(trace: Trace, step: str, place: tuple[int, ...], head: int | None) -> Cell:
    axes = dims_of(trace, step).axes
    if len(axes) == 3:
        own_head, row, column = place
        return Cell(step, own_head if head is None else head, row, column)
    if len(axes) == 1:
        return Cell(step, None, *((place[0], 0) if axes[0] == "n_q" else (0, place[0])))
    return Cell(step, None, *place)


def _query_most_moved(trace: Trace, step: str, apart: FloatArray) -> int | None:
    """The query whose row has moved most, over all heads; the first of several."""
    axes = dims_of(trace, step).axes
    if "n_q" not in axes:
        return None
    largest = apart.max() or 1.0  # so that no square overflows
    others = tuple(number for number, axis in enumerate(axes) if axis != "n_q")
    moved = np.square(apart / largest).sum(axis=others)
    return int(np.isclose(moved, moved.max(), rtol=1e-6, atol=0).argmax())
