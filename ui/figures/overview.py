"""The weights of all heads, small, on one screen. Each is pointed at and picked as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from mha_core import Scenario, Trace
from ui.figures.board import BETWEEN, GAP, HEADING, NOTE, NOTE_LINE, Rows
from ui.figures.drawing import Look, figure_of, matrix_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix
from ui.figures.names_of_heads import lines_of
from ui.figures.pictures import MOST_WRITTEN, head_title, headed, heads_figure

MANY_HEADS: Final = 8
MANY_TOKENS: Final = 64
FINEST: Final = 32  # lengths of a cell along the side of a head; more tokens get smaller cells
MOST_IN_WORDS: Final = 16  # heads with more than a number above them
UNEVEN: Final = 0.9  # worth of rows of which the last is not full
USUAL: Final = 0.995  # of all weights
PALE: Final = 0.25  # a weight that has little colour on a scale up to 1


class Room(NamedTuple):
    """Pixels that the heads share on a projector."""

    width: float
    height: float


class Said(NamedTuple):
    """What stands above a head: how high it is, and how wide the head must be, in pixels."""

    height: int
    least: int


ALONE: Final = Room(870, 410)
BESIDE_ONE: Final = Room(400, 410)  # of which one is shown large
NAME: Final = Said(HEADING + NOTE + NOTE_LINE, 84)
HEAD: Final = Said(HEADING, 48)
NUMBER: Final = Said(HEADING, 34)


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
    room, said = (ALONE, NAME) if chosen is None else (BESIDE_ONE, HEAD)
    said = said if len(heads) <= MOST_IN_WORDS else NUMBER
    matrices = [
        _small(trace, head, name, said, is_chosen=head == chosen)
        for head, name in zip(heads, names, strict=True)
    ]
    best = _columns_in(room, len(heads), said)
    first, *narrower = [_rows(matrices, count) for count in _halves(best)]
    side = matrices[0].across
    return figure_of(
        first,
        *narrower,
        look=_without_numbers(look or Look(), trace.scenario),
        cell=max(said.least, _side_in(room, len(heads), best, said)) / side,
        enough=said.least / side,
        least=said.least / side,
        zooms=False,
        reach=reach_of_colors(trace),
    )


def large_heads_figure(
    trace: Trace, heads: Sequence[int], steps: Sequence[str], look: Look | None = None
) -> Figure:
    """Some of many heads, large, in the colours that they have where all are small."""
    return heads_figure(trace, heads, steps, look, reach=reach_of_colors(trace))


def reach_of_colors(trace: Trace) -> dict[str, float]:
    """Where the colours of weights end.

    With many tokens most weights are small, and a scale up to 1 shows none of them: then the few
    largest lie beyond its end.
    """
    few_are_larger = float(np.quantile(trace.weights, USUAL))
    return {"weights": few_are_larger} if 0 < few_are_larger < PALE else {}


def _small(trace: Trace, head: int, name: str, said: Said, *, is_chosen: bool) -> Matrix:
    s = trace.scenario
    across, down = min(FINEST, s.n_k), min(FINEST, s.n_q)
    heading = {"heading": str(head + 1)} if said == NUMBER else {}
    return matrix_of(
        trace,
        "weights",
        head,
        **{**headed(trace, head), **heading},
        title=f"{head_title(trace, head)}: {name}",
        notes=lines_of(name) if said == NAME else (),
        most_across=across,
        row_height=down / s.n_q,
        is_whole=True,
        is_chosen=is_chosen,
    )


def _rows(matrices: Sequence[Matrix], count: int) -> Rows:
    return [matrices[start : start + count] for start in range(0, len(matrices), count)]


def _halves(count: int) -> list[int]:
    """Half as many, again and again, down to 1.

    >>> _halves(11)
    [11, 6, 3, 2, 1]
    """
    return [count] if count == 1 else [count, *_halves(-(-count // 2))]


def _columns_in(room: Room, n_heads: int, said: Said) -> int:
    """How many heads stand in a row, so that all are as large as they can be."""

    def worth(count: int) -> float:
        return _side_in(room, n_heads, count, said) * (UNEVEN if n_heads % count else 1)

    return max(range(1, n_heads + 1), key=worth)


def _side_in(room: Room, n_heads: int, count: int, said: Said) -> float:
    """Pixels of the side of a head, with so many in a row."""
    n_rows = -(-n_heads // count)
    return min(room.width / count - BETWEEN, room.height / n_rows - said.height - GAP)


def _without_numbers(look: Look, s: Scenario) -> Look:
    """No numbers if the browser would write none."""
    return replace(look, values=look.values and s.n_heads * s.n_q * s.n_k <= MOST_WRITTEN)
