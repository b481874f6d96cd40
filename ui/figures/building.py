"""The head of a puzzle: what is written, what it makes of the sentences, and what is wanted."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

import numpy as np

from mha_core import StackTrace
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.puzzles.puzzle import Puzzle
from mha_core.puzzles.wants import Looks, Makes, Predicts, count_of_right
from mha_core.stack.cells import in_layer
from mha_core.stack.derivation import PROBABILITIES, W_U
from ui.figures.board import in_row
from ui.figures.drawing import CELL_OF_FOUR, Look, figure_of, matrix_of
from ui.figures.figure import Figure
from ui.figures.layers import at_the_end, x_of
from ui.figures.matrix import Matrix

WANTED: Final = "wanted"
COMES_OUT: Final = "comes out"
LOOKS: Final = (("w_q", "w_k", "weights", WANTED), ("q", "k", "x"))
MAKES: Final = (
    ("w_q", "w_k", "w_v", "w_o", "weights"),
    ("q", "k", "v", "output", WANTED),
    ("", "", "", "", "x"),
)
MAKES_WITH_TWO_HEADS: Final = (*MAKES[:2], ("", "", "", "weights/1", "x"))
MADE_OF: Final = {"w_q": "q", "w_k": "k", "w_v": "v", "w_o": "output"}  # what each makes
MOST_BESIDE: Final = 5  # matrices on a screen
MADE_AND_GIVEN: Final = ("x", "q", "k", "v", "output")  # a hall has no need of them
COLORS: Final = {  # groups: what is written is often larger than what comes out
    **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), "written"),
    **dict.fromkeys(("q", "k", "v"), "projected"),
    **dict.fromkeys(("x", "output"), "in X"),
}
ACROSS: Final = 1000  # pixels that the cells of a row share on a projector
LEAST_CELL: Final = 8  # pixels
ENOUGH: Final = 20  # pixels of a cell, for all to stand in one row
MAY_SHRINK: Final = 0.7  # of a cell, rather than that matrices stand one below the other
BY_TOUCH: Final = 30  # pixels of a cell that a finger hits, also where its row is low
LOWER: Final = 0.85  # widths of a cell, where many matrices are to be in sight


def building_figure(
    traces: StackTrace, puzzle: Puzzle, layer: int = 0, look: Look | None = None
) -> Figure:
    """The free matrices above what each makes; beside them, what comes out and what is wanted.

    They are those of one layer; of several layers, what comes out of the last one is there too.
    Only free matrices can be edited. A zero is not written: what is not zero is told at a glance.
    """
    made = _Made(traces, puzzle, layer)
    rows = [[made.low(name) if name else None for name in row] for row in made.names]
    across = sum(max(m.across for m in in_row(column)) for column in zip_longest(*rows))
    own = [m for row in rows for m in in_row(row)]
    in_twos = [own[i : i + 2] for i in range(0, len(own), 2)]
    alone = [[m] for m in own]
    cell = max(LEAST_CELL, min(CELL_OF_FOUR, int(ACROSS / across)))
    enough = min(ENOUGH, MAY_SHRINK * cell)
    figure = figure_of(rows, in_twos, alone, look=look, cell=cell, enough=enough, color_bars=False)
    return replace(figure, cells=replace(figure.cells, by_touch=BY_TOUCH))


def building_on_screen(
    traces: StackTrace, puzzle: Puzzle, layer: int = 0, look: Look | None = None
) -> Figure:
    """What is written, what comes out and what is wanted, so large that a hall reads it."""
    made = _Made(traces, puzzle, layer)
    names = [name for row in made.names for name in row if name and name not in MADE_AND_GIVEN]
    if made.step == Makes.step and COMES_OUT not in names and puzzle.free:
        names.insert(-1, "output")
    written = [made.matrix(name) for name in names if name in (*MADE_OF, W_U)]
    others = [made.matrix(name) for name in names if name not in (*MADE_OF, W_U)]
    beside, below = [[*written, *others]], [written, others]
    rows = (below, beside) if len(names) > MOST_BESIDE else (beside, below)
    return figure_of(*rows, look=look, cell=CELL_OF_FOUR, color_bars=False)


class _Made:
    """The matrices of a puzzle's picture, for one of its layers."""

    def __init__(self, traces: StackTrace, puzzle: Puzzle, layer: int) -> None:
        self.traces, self.puzzle, self.layer = traces, puzzle, layer
        self.trace = traces.layers[layer]
        self.is_last = layer == len(traces.layers) - 1
        self.step, self.numbers = puzzle.wanted_of_all_seen()
        free = [name for name in puzzle.free if puzzle.layer_of(name) == layer]
        self.free = {puzzle.array_of(name) for name in free}

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Of the matrices, in rows; where none is, an empty name."""
        if not self.puzzle.free:
            return self._names_of_a_question
        if self.is_of_several:
            return self._names_of_several
        if "w_o" not in self.free:
            return LOOKS
        return MAKES if self.puzzle.start.n_heads == 1 else MAKES_WITH_TWO_HEADS

    @property
    def is_of_several(self) -> bool:
        """Whether what is wanted is of no matrix that this layer has here."""
        return len(self.traces.layers) > 1 or self.step == Predicts.step

    @property
    def _names_of_a_question(self) -> tuple[tuple[str, ...], ...]:
        """What is given, and what it makes; nothing says what is wanted."""
        own = [*MADE_OF] if self.trace.scenario.w_v.any() else ["w_q", "w_k"]
        first, below = ["x", *own], ["", *(MADE_OF[name] for name in own)]
        if self.is_last and self.step == Predicts.step:
            first, below = [*first, W_U], [*below, COMES_OUT]
        has_two_heads = self.trace.scenario.n_heads > 1
        return (*first, "weights"), (*below, "weights/1" if has_two_heads else "")

    @property
    def _names_of_several(self) -> tuple[tuple[str, ...], ...]:
        """What is free above what it makes; then weights, what comes out, what is wanted."""
        own = [name for name in MADE_OF if name in self.free] or [*MADE_OF]
        x = ("x",) if self.layer else ()
        first, below = (*x, *own), (*("" for _ in x), *(MADE_OF[name] for name in own))
        if self.is_last and self.step == Predicts.step:
            return (*first, W_U, "weights"), (*below, COMES_OUT, WANTED)
        if self.is_last and (self.step == Looks.step or self.step in below):
            return (*first, "weights"), (*below, WANTED)
        empty = ("",) * len(first)
        return (*first, "weights"), (*below, COMES_OUT), (*empty, WANTED)

    def low(self, name: str) -> Matrix:
        """The matrix; where there are many, its rows are low, so that more are in sight."""
        matrix = self.matrix(name)
        return replace(matrix, row_height=LOWER) if self.is_of_several else matrix

    def matrix(self, name: str) -> Matrix:
        if name == WANTED:
            return self._wanted
        if name == COMES_OUT:
            return replace(self._comes_out, is_given=False, **PLAIN)
        if name == W_U:
            is_free = W_U in self.puzzle.free
            return replace(at_the_end(self.traces)[W_U], is_given=is_free, **PLAIN)
        step, _, head = name.partition("/")
        matrix = matrix_of(self.trace, step, int(head or 0) if step == "weights" else None)
        has_one_head = self.trace.scenario.n_heads == 1
        heading = say("Weights") if step == "weights" and has_one_head else matrix.title
        if self.is_of_several and name == "x":
            heading = x_of(self.layer)
        group = COLORS.get(name, "") if matrix.scale == "diverging" else matrix.color_group
        is_given = name in self.free
        return replace(matrix, heading=heading, is_given=is_given, color_group=group, **PLAIN)

    @property
    def _comes_out(self) -> Matrix:
        """What is compared with what is wanted: of the last layer, or of what is read after it."""
        if self.step == Predicts.step:
            return at_the_end(self.traces)[PROBABILITIES]
        last = len(self.traces.layers) - 1
        trace = self.traces.layers[last]
        matrix = matrix_of(trace, self.step, 0 if self.step == Looks.step else None)
        group = COLORS.get(self.step, matrix.color_group)
        if last == self.layer:
            return replace(matrix, heading=matrix.title, color_group=group)
        has_one_head = trace.scenario.n_heads == 1 and self.step == Looks.step
        title = say("Weights") if has_one_head else matrix.title
        heading = say("{matrix} of layer {layer}").format(matrix=title, layer=last + 1)
        name = in_layer(Cell.of_matrix(matrix.name, 0, 0), last).matrix
        return replace(matrix, name=name, title=heading, heading=heading, color_group=group)

    @property
    def _wanted(self) -> Matrix:
        """In the place of what the head should make; what is not asked for is hatched."""
        like, title, hidden = self._comes_out, say("Wanted"), np.isnan(self.numbers)
        values = np.where(hidden, 0, self.numbers)
        right, count = count_of_right(self.step, like.values, self.numbers)
        caption = say("{right} of {count} tokens are right").format(right=right, count=count)
        said = {"name": WANTED, "title": title, "heading": title, **PLAIN}
        return replace(
            like, values=values, masked=hidden, caption=caption, wanted_of=like.name, **said
        )


# Nothing is renamed here, and zeros are in the way.
PLAIN: Final[dict[str, Any]] = {"row_source": "", "column_source": "", "leaves_zeros_out": True}
