"""The weights of all heads, small, on one screen. Each is pointed at and picked as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from mha_core import Scenario, Trace
from ui.figures.board import BETWEEN, GAP, HEADING, NOTE, Rows
from ui.figures.drawing import Look, figure_of, matrix_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix
from ui.figures.pictures import MOST_WRITTEN, head_title, headed, heads_figure

MANY_HEADS: Final = 8
MANY_TOKENS: Final = 64
FINEST: Final = 32  # lengths of a cell along the side of a head; of more tokens, a cell has less
NAMED: Final = 16  # heads with a name below their heading
LEAST: Final = 34  # pixels of a head, on a narrow screen
LEAST_NAMED: Final = 84  # of one with its name
UNEVEN: Final = 0.9  # worth of rows of which the last is not full


USUAL: Final = 0.995  # of all weights
PALE: Final = 0.25  # a weight that has little colour on a scale up to 1


class Room(NamedTuple):
    """Pixels that the heads share on a projector."""

    width: float
    height: float


ALONE: Final = Room(870, 410)
BESIDE_ONE: Final = Room(400, 410)  # of which one is shown large


def has_many(s: Scenario) -> bool:
    """Whether the heads are so many, or so large, that they are seen small at first."""
    return s.n_heads >= MANY_HEADS or (s.n_heads > 1 and max(s.n_q, s.n_k) >= MANY_TOKENS)


def overview_figure(
    trace: Trace,
    heads: Sequence[int],
    names: Sequence[str],
    chosen: int | None = None,
    look: Look | None = None,
) -> Figure:
    """`names` says in a few words what each of these heads looks at; `chosen` is shown large."""
    matrices = [
        _small(trace, head, name, is_chosen=head == chosen)
        for head, name in zip(heads, names, strict=True)
    ]
    room = ALONE if chosen is None else BESIDE_ONE
    best = _columns_in(room, len(heads))
    first, *narrower = [_rows(matrices, count) for count in _halves(best)]
    side = matrices[0].across
    least = (LEAST_NAMED if len(heads) <= NAMED else LEAST) / side
    return figure_of(
        first,
        *narrower,
        look=_without_numbers(look or Look(), trace.scenario),
        cell=max(1, int(_side_in(room, len(heads), best) / side)),
        enough=least,
        least=least,
        zooms=False,
        reach=reach_of_colors(trace),
    )


def one_of_many_figure(
    trace: Trace, head: int, steps: Sequence[str], look: Look | None = None
) -> Figure:
    """A head large, in the colours that it has among the others."""
    return heads_figure(trace, (head,), steps, look, reach=reach_of_colors(trace))


def reach_of_colors(trace: Trace) -> dict[str, float]:
    """Where the colours of weights end.

    Of many tokens most weights are small, and a scale up to 1 shows none of them: then the few
    largest are beyond its end.
    """
    few_are_larger = float(np.quantile(trace.weights, USUAL))
    return {"weights": few_are_larger} if 0 < few_are_larger < PALE else {}


def _small(trace: Trace, head: int, name: str, *, is_chosen: bool) -> Matrix:
    s = trace.scenario
    across, down = min(FINEST, s.n_k), min(FINEST, s.n_q)
    matrix = matrix_of(
        trace,
        "weights",
        head,
        **headed(trace, head),
        title=f"{head_title(trace, head)}: {name}",
        note=name if s.n_heads <= NAMED else "",
        most_across=across,
        row_height=down / s.n_q,
        is_whole=True,
        is_chosen=is_chosen,
    )
    return matrix if s.n_heads <= NAMED else replace(matrix, heading=str(head + 1))


def _rows(matrices: Sequence[Matrix], count: int) -> Rows:
    return [matrices[start : start + count] for start in range(0, len(matrices), count)]


def _halves(count: int) -> list[int]:
    """Fewer and fewer.

    >>> _halves(11)
    [11, 6, 3, 2, 1]
    """
    return [count] if count == 1 else [count, *_halves(-(-count // 2))]


def _columns_in(room: Room, n_heads: int) -> int:
    """How many heads stand in a row, so that all are as large as they can be."""

    def worth(count: int) -> float:
        return _side_in(room, n_heads, count) * (UNEVEN if n_heads % count else 1)

    return max(range(1, n_heads + 1), key=worth)


def _side_in(room: Room, n_heads: int, count: int) -> float:
    """Pixels of the side of a head, with so many in a row."""
    heading = HEADING + GAP + (NOTE if n_heads <= NAMED else 0)
    return min(room.width / count - BETWEEN, room.height / -(-n_heads // count) - heading)


def _without_numbers(look: Look, s: Scenario) -> Look:
    """No numbers where the browser would write none."""
    return replace(look, values=look.values and s.n_heads * s.n_q * s.n_k <= MOST_WRITTEN)
