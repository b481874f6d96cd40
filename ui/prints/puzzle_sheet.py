"""A puzzle on paper: the job, X, the matrices to fill in by hand, and what is wanted; or its key.

All lengths are in millimetres until a page is finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

import numpy as np

from mha_core import Trace
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.puzzle import Arrays, Puzzle
from mha_core.puzzles.wants import LEAST, TIMES, WITHIN, Looks, Predicts
from mha_core.stack.attending import attend
from mha_core.stack.derivation import W_U
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace
from ui.figures.building import WANTED, building_figure
from ui.figures.drawing import matrix_of
from ui.figures.layers import at_the_end
from ui.figures.marks import Lines, Mark, Rect, Sheet, Text, moved
from ui.figures.matrix import Matrix
from ui.prints.blocks import (
    LINE,
    PAPERS,
    Block,
    above,
    in_pages,
    in_rows,
    lines_block,
    room_below,
    sheet_of,
)
from ui.prints.fonts import REGULAR, width_of
from ui.prints.slides import in_words, wrapped

WIDTH: Final = 184.0  # between the margins
GAP: Final = 4.0
HEAD: Final = 10.0  # of the line that each page begins with
INK: Final = "#000000"
PALE: Final = "#666666"
SHADE: Final = "#e9e9ee"  # where nothing is wanted
TITLE: Final = 5.5
HEADING: Final = 3.7
WORDS: Final = 3.5
SMALL: Final = 2.6
OF_A_KEY: Final = 3.0
THIN: Final = 0.15
THICK: Final = 0.3
TO_WRITE: Final = 6.5  # a side of a cell
TO_READ: Final = 4.6
WITH_DECIMALS: Final = 7.0  # its width, for numbers with a point
OF_A_HEAD: Final = ("w_q", "w_k", "w_v", "w_o")
RIGHT: Final = {
    Looks.step: say("A token is right if it gives each key at least {least} of what is wanted."),
    Predicts.step: say("A token is right if its word is {times:g} times as likely as any other."),
}
MADE: Final = say("A token is right if each number is at most {within} from what is wanted.")


def puzzle_sheets(puzzle: Puzzle, paper: str = "A4", *, has_hints: bool = False) -> list[Sheet]:
    """The pages to fill in; hints come on a page of their own."""
    pages = _Paper(puzzle, puzzle.on_all_seen({}), is_key=False).pages(PAPERS[paper])
    if has_hints:
        pages.append(list(reduce(above, _hints(puzzle)).marks))
    return [sheet_of(_fields(), page, puzzle.title, PAPERS[paper]) for page in pages]


def puzzle_key(puzzle: Puzzle, paper: str = "A4", arrays: Arrays | None = None) -> list[Sheet]:
    """The same with numbers: those of our own solution, or of another answer."""
    answer = puzzle.on_all_seen(puzzle.solution() if arrays is None else arrays)
    pages = _Paper(puzzle, answer, is_key=True).pages(PAPERS[paper])
    head = Block(WIDTH, HEAD, [Text(0, WORDS, say("Answer key"), WORDS, INK, bold=True)])
    return [sheet_of(head, page, puzzle.title, PAPERS[paper]) for page in pages]


class _Paper:
    """Lays out one puzzle, with the numbers of this stack on a key."""

    def __init__(self, puzzle: Puzzle, stack: Stack, *, is_key: bool) -> None:
        self.puzzle, self.is_key = puzzle, is_key
        self.traces: StackTrace = attend(stack)

    def pages(self, size: tuple[float, float]) -> list[list[Mark]]:
        return in_pages(self._blocks(), room_below(HEAD, size))

    def _blocks(self) -> Iterator[Block]:
        """The words stay with the matrices to write."""
        first, *rows = self._matrices()
        yield reduce(above, [*self._words(), first])
        yield from rows

    def _words(self) -> Iterator[Block]:
        puzzle = self.puzzle
        yield _text(puzzle.title, TITLE, bold=True)
        yield _text(puzzle.job, WORDS, after=1)
        for line in (*self._how_x_is_made(), *self._layers(), self._what_is_right()):
            yield _text(line, WORDS)
        yield Block(WIDTH, GAP, [])

    def _how_x_is_made(self) -> Iterator[str]:
        labels = matrix_of(self.traces.layers[0], "x").column_labels
        says = say("{part}: the columns {columns}")
        parts = [
            says.format(part=part, columns=", ".join(labels[place]))
            for part, place in self.puzzle.parts_of_x.items()
        ]
        yield say("X says of each token: {parts}.").format(parts="; ".join(parts))

    def _layers(self) -> Iterator[str]:
        """What each layer is, on the first sentence alone."""
        alone = attend(self.puzzle.on(self.puzzle.answered({}), self.puzzle.sentences_seen[0]))
        if len(alone.layers) == 1:
            says = say("The first sentence: {sizes}. Each sentence is computed by itself.")
            yield says.format(sizes=in_words(alone.layers[0].scenario))
            return
        for number, trace in enumerate(alone.layers, 1):
            says = say("The first sentence in layer {number}: {sizes}.")
            yield says.format(number=number, sizes=in_words(trace.scenario))
        yield say("Each sentence is computed by itself. Each layer adds its output to its X.")

    def _what_is_right(self) -> str:
        says = RIGHT.get(self.puzzle.wanted_of_all_seen()[0], MADE)
        right = says.format(least=LEAST, times=TIMES, within=WITHIN)
        empty = say(
            "An empty cell of what is given or wanted is 0; nothing is wanted of grey ones."
        )
        return " ".join([right, empty])

    def _matrices(self) -> Iterator[Block]:
        """Those to write, then what they work on and what is wanted."""
        yield from in_rows([*self._to_write()], WIDTH, GAP)
        x = matrix_of(self.traces.layers[0], "x")
        wanted = self._wanted()
        to_read = [_matrix(x, x.values), *self._given(), _matrix(wanted, wanted.values)]
        yield from in_rows(to_read, WIDTH, GAP)

    def _to_write(self) -> Iterator[Block]:
        for name in self.puzzle.free:
            matrix = self._of_layer(name)
            yield _matrix(matrix, matrix.values if self.is_key else None, side=TO_WRITE)

    def _of_layer(self, name: str) -> Matrix:
        array, layer = self.puzzle.array_of(name), self.puzzle.layer_of(name)
        if array not in OF_A_HEAD:
            return at_the_end(self.traces)[W_U]
        return self._named(self.traces.layers[layer], array, layer)

    def _named(self, trace: Trace, array: str, layer: int) -> Matrix:
        matrix = matrix_of(trace, array)
        if len(self.traces.layers) == 1:
            return matrix
        says = say("{matrix} of layer {layer}")
        return replace(matrix, title=says.format(matrix=matrix.title, layer=layer + 1))

    def _given(self) -> Iterator[Block]:
        """Arrays that are neither free nor zero."""
        free = {(self.puzzle.layer_of(n), self.puzzle.array_of(n)) for n in self.puzzle.free}
        for layer, trace in enumerate(self.traces.layers):
            for array in OF_A_HEAD:
                matrix = self._named(trace, array, layer)
                if (layer, array) not in free and matrix.values.any():
                    yield _matrix(matrix, matrix.values)

    def _wanted(self) -> Matrix:
        last = len(self.traces.layers) - 1
        figure = building_figure(self.traces, self.puzzle, last)
        return next(each.matrix for each in figure.heatmaps if each.name == WANTED)


def _matrix(matrix: Matrix, values: FloatArray | None, side: float = TO_READ) -> Block:
    """A matrix with its labels; without numbers, to be filled in."""
    shape = matrix.values.shape
    is_fine = values is not None and bool((values != np.round(values)).any())
    across = max(side, WITH_DECIMALS if is_fine else side)
    x = max(width_of(label, SMALL, REGULAR) for label in matrix.row_labels) + 1
    labels, room = _column_labels(matrix.column_labels, across)
    y = HEADING * LINE + room
    pen, size = (THICK, OF_A_KEY) if side == TO_WRITE else (THIN, SMALL)
    marks: list[Mark] = [Text(x, HEADING, matrix.title, HEADING, INK, bold=True)]
    marks += moved(labels, x, y)
    for row, label in enumerate(matrix.row_labels):
        at = x - 1, y + (row + 0.5) * side + 0.35 * SMALL
        marks.append(Text(*at, label, SMALL, PALE, anchor="end"))
    hidden = np.zeros(shape, bool) if matrix.masked is None else matrix.masked
    for row, column in np.ndindex(shape):
        corner = x + column * across, y + row * side
        if hidden[row, column]:
            marks.append(Rect(*corner, across, side, SHADE))
        elif values is not None and values[row, column]:
            at = corner[0] + across / 2, corner[1] + side / 2 + 0.35 * size
            marks.append(
                Text(*at, _written(float(values[row, column])), size, INK, anchor="middle")
            )
    marks.append(Lines(_grid(x, y, shape, (across, side)), PALE, pen))
    width, height = x + shape[1] * across, y + shape[0] * side
    return Block(width, height + GAP, marks)


def _column_labels(labels: Sequence[str], across: float) -> tuple[list[Mark], float]:
    """Upright where there is room, else turned; and how much room they take above the matrix."""
    widest = max(width_of(label, SMALL, REGULAR) for label in labels)
    if widest <= across:
        marks: list[Mark] = [
            Text((i + 0.5) * across, -1, label, SMALL, PALE, anchor="middle")
            for i, label in enumerate(labels)
        ]
        return marks, SMALL + 1
    turned: list[Mark] = [
        Text((i + 0.5) * across + 0.35 * SMALL, -1, label, SMALL, PALE, angle=-90)
        for i, label in enumerate(labels)
    ]
    return turned, widest + 1


def _grid(
    x: float, y: float, shape: tuple[int, ...], cell: tuple[float, float]
) -> list[list[tuple[float, float]]]:
    """The lines around all cells."""
    right, below = x + shape[1] * cell[0], y + shape[0] * cell[1]
    across = [[(x, y + i * cell[1]), (right, y + i * cell[1])] for i in range(shape[0] + 1)]
    down = [[(x + j * cell[0], y), (x + j * cell[0], below)] for j in range(shape[1] + 1)]
    return [*across, *down]


def _written(number: float) -> str:
    """A whole number without a point, another one with two decimals."""
    is_whole = number == round(number)
    return str(round(number)) if is_whole else f"{number:.2f}"


def _hints(puzzle: Puzzle) -> Iterator[Block]:
    yield _text(say("Hints: {title}").format(title=puzzle.title), TITLE, bold=True)
    for number, hint in enumerate(puzzle.hints, 1):
        yield _text(f"{number}. {hint}", WORDS, after=1)


def _text(text: str, size: float, *, bold: bool = False, after: float = 0) -> Block:
    lines = lines_block(wrapped(text, size, WIDTH, bold=bold), size, INK, bold=bold)
    return Block(WIDTH, lines.height + after, lines.marks)


def _fields() -> Block:
    """The name and the date, to be filled in."""
    name, date = (
        Text(x, WORDS, text, WORDS, INK) for x, text in ((0, say("Name")), (126, say("Date")))
    )
    lines = Lines([[(12, 4.5), (120, 4.5)], [(136, 4.5), (WIDTH, 4.5)]], PALE, THIN)
    return Block(WIDTH, HEAD, [name, date, lines])
