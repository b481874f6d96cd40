"""The head of a puzzle: what is written, what it makes of the sentences, and what is wanted."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from mha_core import Trace
from mha_core.language import say
from mha_core.puzzles.puzzle import Puzzle
from mha_core.puzzles.wants import count_of_right
from ui.figures.board import in_row
from ui.figures.drawing import CELL_OF_FOUR, Look, figure_of, matrix_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix

WANTED: Final = "wanted"
LOOKS: Final = (("w_q", "w_k", "weights", WANTED), ("q", "k", "x"))
MAKES: Final = (
    ("w_q", "w_k", "w_v", "w_o", "weights"),
    ("q", "k", "v", "output", WANTED),
    ("", "", "", "", "x"),
)
MAKES_WITH_TWO_HEADS: Final = (*MAKES[:2], ("", "", "", "weights/1", "x"))
COLORS: Final = {  # groups: what is written is often larger than what comes out
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), "written"),
    **dict.fromkeys(("q", "k", "v"), "projected"),
    **dict.fromkeys(("x", "output"), "in X"),
}
ACROSS: Final = 1000  # pixels that the cells of a row share on a projector
ENOUGH: Final = 20  # pixels of a cell, for all to stand in one row


def building_figure(trace: Trace, puzzle: Puzzle, look: Look | None = None) -> Figure:
    """The free matrices above what each makes; beside them, what comes out and what is wanted.

    Only free matrices can be edited. A zero is not written: what is not zero is told at a glance.
    """
    names = _names(puzzle)
    rows = [[_matrix(trace, name, puzzle) if name else None for name in row] for row in names]
    across = sum(max(m.across for m in in_row(column)) for column in zip_longest(*rows))
    own = [m for row in rows for m in in_row(row)]
    in_twos = [own[i : i + 2] for i in range(0, len(own), 2)]
    cell = min(CELL_OF_FOUR, int(ACROSS / across))
    alone = [[m] for m in own]
    return figure_of(
        rows, in_twos, alone, look=look, cell=cell, enough=min(ENOUGH, cell), color_bars=False
    )


def _names(puzzle: Puzzle) -> tuple[tuple[str, ...], ...]:
    """Of the matrices, in rows; where none is, an empty name."""
    if "w_o" not in puzzle.free:
        return LOOKS
    return MAKES if puzzle.start.n_heads == 1 else MAKES_WITH_TWO_HEADS


def _matrix(trace: Trace, name: str, puzzle: Puzzle) -> Matrix:
    if name == WANTED:
        return _wanted(trace, puzzle)
    step, _, head = name.partition("/")
    matrix = matrix_of(trace, step, int(head or 0) if step == "weights" else None)
    has_one_head = trace.scenario.n_heads == 1
    heading = say("Weights") if step == "weights" and has_one_head else matrix.title
    group = COLORS.get(name, "") if matrix.scale == "diverging" else matrix.color_group
    is_given = name in puzzle.free
    return replace(matrix, heading=heading, is_given=is_given, color_group=group, **PLAIN)


def _wanted(trace: Trace, puzzle: Puzzle) -> Matrix:
    """In the place of the numbers that the head should make; what is not asked for is hatched."""
    step, numbers = puzzle.wanted_of_all_seen()
    like = matrix_of(trace, step, 0 if step == "weights" else None)
    title, hidden = say("Wanted"), np.isnan(numbers)
    values = np.where(hidden, 0, numbers)
    group = COLORS.get(step, like.color_group)
    right, count = count_of_right(step, like.values, numbers)
    caption = say("{right} of {count} tokens are right").format(right=right, count=count)
    said = {"name": WANTED, "title": title, "heading": title, "color_group": group, **PLAIN}
    return replace(like, values=values, masked=hidden, caption=caption, wanted_of=like.name, **said)


# Nothing is renamed here, and zeros are in the way.
PLAIN: Final[dict[str, Any]] = {"row_source": "", "column_source": "", "leaves_zeros_out": True}
