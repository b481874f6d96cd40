"""A board of heatmaps as one figure: square cells, one cell size, shared colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from ui import theme
from ui.figures.board import USUAL, Board, Rows, Spacing, board_of, exchanged, in_row, in_rows
from ui.figures.figure import Arrangement, CellSizes, ColorBar, Figure, Heatmap, Range, Tick
from ui.figures.matrix import Matrix
from ui.number_format import format_number

LARGE: Final = 20  # pixels of a cell that is read, not part of a texture
GROWN: Final = 64  # pixels of the largest cell
BAR_TITLES: Final = {  # of groups of colours
    "weights": say("weights"),
    "exponentials": say("exponentials"),
    "scores": say("scores"),
    "vectors": say("vectors"),
}
DOUBLE_CELLS: Final = 2**17  # the rest travel in single precision: seven digits, half the bytes
LEAST_SCORE: Final = 1e-9  # below it all weights of a row are even in nine digits
FARTHEST: Final = 1e300  # of a range of colours: twice as much is still a number


def heatmap_grid(
    rows: Rows,
    *,
    cell: float = 36,
    least_cell: float = 12,
    decimals: int = 2,
    values: bool = True,
    shared_scale: bool = True,
    color_bars: bool = True,
    zoom: bool = False,
    palette: str = theme.DEFAULT_PALETTE,
    row_title_chars: int = 0,
    spacings: Sequence[Spacing] = (USUAL,),
    shows_free_place: bool = False,
    others: Sequence[Rows] = (),
    widest: str = "",
    text: int | None = None,
    enough: float | None = None,
    reach: Mapping[str, float] | None = None,
) -> Figure:
    """Rows of matrices, aligned in columns, as one figure.

    Cells are squares of `cell` pixels; the component shrinks them to `least_cell` where the screen
    is narrow, and lets them grow to GROWN where it has room. Diverging colours are centred on 0,
    sequential ones run from 0 to 1, or to their reach. Matrices of one colour group share a range,
    which a bar shows. It goes as far as `reach` says, whatever stands in this figure. With
    `shared_scale` off each matrix has its own range, as far as its values go, and its caption says
    how far.

    `others` are the same matrices in fewer and fewer columns. The browser takes the arrangement
    that fits its width. `widest` is a number as text: cells have room for it and for their own.
    `text` is the size, in pixels, at which numbers are to be read: rather than write them smaller,
    the browser takes an arrangement of fewer columns, however high. Cells of `enough` pixels keep
    an arrangement, whatever their numbers. `spacings` are those of the arrangements, the last for
    all that follow. Where the page has words for the place that a board leaves free, it
    `shows_free_place`.
    """
    if not rows or not all(map(in_row, rows)):
        raise OptionError(
            say("A grid of heatmaps"),
            say("needs at least one matrix in every row"),
            say("rows of {counts} matrices").format(counts=[len(in_row(row)) for row in rows]),
            say("Give what there is to show."),
        )
    ranges = _color_ranges(in_rows(rows), shared_scale, reach or {})
    if not shared_scale:
        captioned = {m: _with_its_range(m, ranges[m], decimals) for m in ranges}
        ranges = {captioned[m]: ranges[m] for m in ranges}
        rows, *others = (exchanged(each, captioned) for each in (rows, *others))
    matrices = in_rows(rows)
    boards = [
        board_of(
            each,
            has_bars=shared_scale and color_bars,
            row_title_chars=row_title_chars,
            spacing=spacings[min(number, len(spacings) - 1)],
        )
        for number, each in enumerate((rows, *others))
    ]
    scales = theme.PALETTES[palette]
    precisions = _precisions(matrices, ranges)
    return Figure(
        heatmaps=tuple(
            Heatmap(m, _values(m, precisions[m]), *ranges[m], scale=m.scale) for m in matrices
        ),
        arrangements=tuple(
            _arrangement(matrices, each, ranges, decimals, shows_free_place) for each in boards
        ),
        scales={matrix.scale: scales[matrix.scale] for matrix in matrices},
        cells=CellSizes(
            least=min(least_cell, cell),
            preferred=cell,
            most=max(cell, GROWN) if cell >= LARGE else 2 * cell,
            widest=widest,
            text=text if values else None,
            enough=enough,
        ),
        decimals=decimals if values else None,
        can_zoom=zoom,
    )


def _precisions(
    matrices: Sequence[Matrix], ranges: Mapping[Matrix, Range]
) -> dict[Matrix, type[np.floating[Any]]]:
    """How exactly each matrix travels: double, while it and all smaller ones hold few numbers."""
    is_within = max(high for _, high in ranges.values()) <= float(np.finfo(np.float32).max)
    sizes = [matrix.values.size for matrix in matrices]
    up_to = {size: sum(other for other in sizes if other <= size) for size in set(sizes)}
    return {
        m: np.float32 if is_within and up_to[m.values.size] > DOUBLE_CELLS else np.float64
        for m in matrices
    }


def _color_ranges(
    matrices: Sequence[Matrix], shared: bool, reach_of: Mapping[str, float]
) -> dict[Matrix, Range]:
    """The lowest and highest value on the colour scale of each matrix."""
    reach = {m: _reach(m) for m in matrices}
    reach_of_group = dict(reach_of)
    for m in matrices:
        reach_of_group[m.group] = max(reach_of_group.get(m.group, 0), reach[m])
    ranges: dict[Matrix, Range] = {}
    for m in matrices:
        high = (reach_of_group[m.group] if shared else reach[m]) or 1.0  # all zero: any will do
        high = min(high, FARTHEST)
        if m.scale == "diverging":
            ranges[m] = (-high, high)
        else:
            ranges[m] = (0.0, reach_of.get(m.group, 1.0) if shared else high)
    return ranges


def _reach(matrix: Matrix) -> float:
    """The largest number that is seen. Scores that no weight can tell from zeros have none."""
    largest = float(np.abs(matrix.values[matrix.visible]).max(initial=0))
    return 0.0 if matrix.group == "scores" and largest < LEAST_SCORE else largest


def _with_its_range(matrix: Matrix, color_range: Range, decimals: int) -> Matrix:
    """The matrix. Its caption or, if it is whole, its title says what its colours stand for."""
    words = words_of_range(color_range, decimals)
    if matrix.is_whole:
        return replace(matrix, title=f"{matrix.title}; {words}", has_own_range=True)
    caption = f"{matrix.caption}; {words}" if matrix.caption else words
    return replace(matrix, caption=caption, has_own_range=True)


def words_of_range(color_range: Range, decimals: int) -> str:
    """`wordsOfRange` in ui/plot/js/board/board.js writes the same, while a number is dragged."""
    low, high = (format_number(value, decimals, keep_tiny=True) for value in color_range)
    says = say("colours {low} to {high}") if color_range[0] == 0 else say("colours ±{high}")
    return says.format(low=low, high=high)


def _arrangement(
    matrices: Sequence[Matrix],
    board: Board,
    ranges: Mapping[Matrix, Range],
    decimals: int,
    shows_free_place: bool,
) -> Arrangement:
    return Arrangement(
        tuple(board.places[matrix] for matrix in matrices),
        tuple(_color_bars(matrices, board, ranges, decimals)),
        board.width,
        board.height,
        board.free if shows_free_place else None,
    )


def _values(matrix: Matrix, precision: type[np.floating[Any]]) -> FloatArray:
    """The values to colour; NaN where a cell is masked."""
    values = matrix.values.astype(precision)
    if matrix.masked is not None:
        values[matrix.masked] = np.nan
    return values


def _color_bars(
    matrices: Sequence[Matrix], board: Board, ranges: Mapping[Matrix, Range], decimals: int
) -> Iterator[ColorBar]:
    """A bar for each colour group that has a place."""
    for group, place in board.bars.items():
        first = next(matrix for matrix in matrices if matrix.group == group)
        yield ColorBar(
            group=group,
            scale=first.scale,
            title=BAR_TITLES.get(group, group) if place.has_title else "",
            range=ranges[first],
            ticks=ticks_of_bar(ranges[first], decimals),
            left=place.left,
            top=place.top,
        )


def ticks_of_bar(color_range: Range, decimals: int) -> tuple[Tick, ...]:
    low, high = color_range
    middle = (low + high) / 2
    return tuple(
        Tick(value, format_number(value, decimals, keep_tiny=True)) for value in (low, middle, high)
    )
