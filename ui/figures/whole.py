"""The whole computation: X, every head's matrices, the concatenation and the output, in one figure.

Rows of tokens stand in line: X beside the first matrices of the heads, the concatenation and the
output at their right, where there is room for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core import Scenario, Trace
from mha_core.language import say
from mha_core.scenario.given_arrays import GIVEN, OF_TOKENS
from ui.figures.board import DENSE, NARROW, USUAL, Rows, Spacing, in_row
from ui.figures.drawing import PAGE_WIDTH, Look, cell_size, figure_of, matrix_of, sized, with_bands
from ui.figures.figure import Figure
from ui.figures.heatmap import words_of_range
from ui.figures.matrix import Matrix
from ui.figures.names_of_heads import MOST_IN_LINE, lines_of
from ui.figures.overview import has_many, reach_of_colors
from ui.figures.pictures import SCORE_MATRICES, column_of_head, even_counts

Column = Sequence[Matrix | None]

WIDEST: Final = 24  # columns of a matrix that stands beside the heads
MOST_HEADS: Final = 16
ENOUGH: Final = 15  # pixels of a cell with a number, for all to stand in one row of heads
ENOUGH_OF_MANY: Final = 8  # of one without
ENOUGH_TO_SEE: Final = 3  # of one of very many, so that all is in sight at once
MANY: Final = 8  # tokens
VERY_MANY: Final = 16
BESIDE_CELLS: Final = 300  # pixels across: labels, bars, and what stands between matrices
FEW: Final = 6  # tokens: more stand closer
# The height of a row, in widths of a cell, for up to so many tokens. Numbers need no more width,
# and high rows are told apart; low ones stand twice below each other on a projector.
HEIGHTS: Final = {FEW: 1.2, MANY: 1.1}
LOW: Final = 1.05  # of more tokens
TEXT_BY_TOUCH: Final = 10.5  # pixels of a number
NOTES: Final = {
    "x": say("one row a token"),
    "context": say("for keys and values"),
    "context_v": say("for values alone"),
    "concat": say("what the heads found"),
    "output": say("W_O joins them"),
}
HEADINGS: Final = {
    **{name: GIVEN[name].symbol for name in OF_TOKENS},
    "concat": say("Concatenation"),
    "output": say("Output"),
}


def is_small_enough(s: Scenario, heads: Sequence[int]) -> bool:
    """Whether X, the concatenation and the output leave the heads their room."""
    widest = max(s.d_model, s.d_model_kv, s.d_model_v, s.n_heads * s.d_v, s.d_out)
    return widest <= WIDEST and len(heads) <= MOST_HEADS


def whole_figure(
    trace: Trace,
    heads: Sequence[int],
    names: Sequence[str],
    steps: Sequence[str] = ("masked_scores", "weights"),
    look: Look | None = None,
) -> Figure:
    """X, then some heads, a column a head, then what they make together.

    `names` says in a few words what each of these heads looks at. On a narrow screen the output
    goes below, then heads go on below each other.
    """
    s, look = trace.scenario, look or Look()
    side = max(s.n_q, s.n_k)
    high = next((height for most, height in HEIGHTS.items() if side <= most), LOW)
    names_given = [name for name in OF_TOKENS if getattr(s, name) is not None]
    given = [_alone(trace, name, look, high) for name in names_given]
    made = [_alone(trace, name, look, high) for name in ("concat", "output")]
    columns = [
        [
            _beside_others(
                column_of_head(trace, step, head, steps), name, high, is_first=not number
            )
            for step in steps
        ]
        for number, (head, name) in enumerate(zip(heads, names, strict=True))
    ]
    smallest = ENOUGH_OF_MANY if side <= VERY_MANY else ENOUGH_TO_SEE
    rows = _arrangements(given, columns, made)
    figure = figure_of(
        *rows,
        look=look,
        cell=cell_size(side),
        enough=min(ENOUGH if side <= MANY else smallest, cell_size(side)),
        least=min(smallest, cell_size(side)),
        spacings=(_spacing(side, rows[0]), NARROW),
        reach=reach_of_colors(trace) if has_many(s) else None,
        shows_free_place=True,
    )
    return replace(figure, cells=replace(figure.cells, text_by_touch=TEXT_BY_TOUCH))


def _spacing(side: int, rows: Rows) -> Spacing:
    """Of so many tokens. Where they are very many, headings are wider than some matrices."""
    if side <= VERY_MANY:
        return USUAL if side <= FEW else DENSE
    across = sum(matrix.across for matrix in in_row(rows[0]))
    cell = max(ENOUGH_TO_SEE, (PAGE_WIDTH - BESIDE_CELLS) / across)
    return DENSE._replace(least_cell=cell, headings_over_labels=True)


def _arrangements(
    given: Sequence[Matrix], columns: Sequence[Sequence[Matrix]], made: Sequence[Matrix]
) -> list[Rows]:
    """From the widest to the narrowest."""
    n_rows, across = len(columns[0]), columns[0][0].across
    beside = _as_rows([*_side(given, n_rows), *columns, *_side(made, n_rows)])
    below = _within(made, made[0].across + across)  # the output below the first head
    output_below = [*_as_rows([*_side(given, n_rows), *columns]), *below]
    # Nothing stands beside one column of heads: that would make all cells narrower.
    rooms = {count: count * across if count > 1 else 0 for count in even_counts(len(columns))}
    paged = [
        [*_within(given, room), *_blocks(columns, count), *_within(made, room)]
        for count, room in rooms.items()
    ]
    return [beside, output_below, *paged]


def _within(matrices: Sequence[Matrix], most_across: int) -> Rows:
    """In one row if they are no wider than that, else below each other."""
    across = sum(matrix.across for matrix in matrices)
    return [matrices] if across <= most_across else [[matrix] for matrix in matrices]


def _side(matrices: Sequence[Matrix], n_rows: int) -> list[Column]:
    """Matrices below each other, in as many columns as they need."""
    parts = [matrices[i : i + n_rows] for i in range(0, len(matrices), n_rows)]
    return [[*part, *[None] * (n_rows - len(part))] for part in parts]


def _as_rows(columns: Sequence[Column]) -> Rows:
    return [list(row) for row in zip(*columns, strict=True)]


def _blocks(columns: Sequence[Sequence[Matrix]], count: int) -> Rows:
    """So many heads beside each other, and the next ones below."""
    parts = [columns[start : start + count] for start in range(0, len(columns), count)]
    return [row for part in parts for row in _as_rows(part)]


def _alone(trace: Trace, name: str, look: Look, high: float) -> Matrix:
    """A matrix without heads; its caption says how far its colours go."""
    matrix = sized(matrix_of(trace, name))
    matrix = with_bands(trace.scenario, matrix) if name == "concat" else matrix
    note = NOTES[name]
    if name == "context" and trace.scenario.context_v is not None:
        note = say("for keys")
    said: dict[str, Any] = {"heading": HEADINGS[name], "notes": [note]}
    if not look.shared_scale:  # then the figure says it of each
        return replace(matrix, row_height=high, **said)
    reach = float(np.abs(matrix.values).max()) or 1.0
    says = words_of_range((-reach, reach), look.decimals)
    caption = f"{matrix.caption}; {says}" if matrix.caption else says
    said |= {"color_group": name, "has_own_range": True, "caption": caption}
    return replace(matrix, row_height=high, **said)


def _beside_others(matrix: Matrix, name: str, high: float, *, is_first: bool) -> Matrix:
    """A matrix of a head, under what the head looks at. Beside X it repeats the row labels."""
    said: dict[str, Any] = {"repeats_row_labels": is_first}
    if matrix.heading:
        said |= {"notes": lines_of(name), "note_chars": MOST_IN_LINE}
    if matrix.name.partition("/")[0] in SCORE_MATRICES:
        # The switch above says which scores: so no choice moves the picture.
        said["row_title"] = say("Scores")
    return replace(matrix, row_height=high, **said)
