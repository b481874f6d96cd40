"""A board of heatmaps as one plain Plotly figure: square cells, one cell size, shared colours.

It holds the numbers and says which axes zoom together. All that is written and painted (labels,
titles, hatching, colour bars) is drawn by `ui/plot`, from what stands under `meta`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.layer.matrices import distinct_names
from ui import theme
from ui.figures.board import Board, Place, Rows, board_of, exchanged, in_row, in_rows, short_label
from ui.figures.matrix import Matrix
from ui.number_format import format_number

Figure = dict[str, Any]
Range = tuple[float, float]

LARGE: Final = 20  # pixels of a cell that is read, not part of a texture
GROWN: Final = 64  # pixels of the largest cell
DOUBLE_CELLS: Final = 2**17  # the rest travel in single precision: seven digits, half the bytes
FARTHEST: Final = 1e300  # of a range of colours: twice as much is still a number


def heatmap_grid(
    rows: Rows,
    *,
    cell: int = 36,
    least_cell: float = 12,
    decimals: int = 2,
    values: bool = True,
    shared_scale: bool = True,
    color_bars: bool = True,
    zoom: bool = False,
    palette: str = theme.DEFAULT_PALETTE,
    row_title_chars: int = 0,
    is_tight: bool = False,
    others: Sequence[Rows] = (),
    widest: str = "",
    text: int | None = None,
) -> Figure:
    """Rows of matrices, aligned in columns, as a plain Plotly figure.

    Cells are squares of `cell` pixels; the component shrinks them to `least_cell` where the screen
    is narrow, and lets them grow to GROWN where it has room. Diverging colours are centred on 0,
    sequential ones run from 0 to 1. Matrices of one colour group share their range, which a bar
    shows. With `shared_scale` off each matrix has its own range, as far as its values go, and its
    caption says how far.

    `others` are the same matrices in fewer and fewer columns. The browser takes the arrangement
    that fits its width. `widest` is a number as text: cells have room for it and for their own.
    `text` is the size, in pixels, at which numbers are to be read: rather than write them smaller,
    the browser takes an arrangement of fewer columns, however high. `is_tight` is the board's.
    """
    if not rows or not all(map(in_row, rows)):
        raise OptionError(
            "A grid of heatmaps",
            "needs at least one matrix in every row",
            f"rows of {[len(in_row(row)) for row in rows]} matrices",
            "Give what there is to show.",
        )
    ranges = _color_ranges(in_rows(rows), shared_scale)
    if not shared_scale:
        captioned = {m: _with_its_range(m, ranges[m], decimals) for m in ranges}
        ranges = {captioned[m]: ranges[m] for m in ranges}
        rows, *others = (exchanged(each, captioned) for each in (rows, *others))
    matrices = in_rows(rows)
    board, *other_boards = (
        board_of(
            each,
            has_bars=shared_scale and color_bars,
            row_title_chars=row_title_chars,
            is_tight=is_tight,
        )
        for each in (rows, *others)
    )
    scales = theme.PALETTES[palette]
    precisions = _precisions(matrices, ranges)
    layout = _layout(matrices, board, scales) | {"dragmode": "zoom" if zoom else False}
    layout["width"] = board.width.at(cell)
    bars = [_color_bars(matrices, each, ranges, decimals) for each in (board, *other_boards)]
    layout["meta"] |= {
        "bars": bars[0],
        "others": [
            _arrangement(matrices, each, its_bars)
            for each, its_bars in zip(other_boards, bars[1:], strict=True)
        ],
        "cell": {
            "least": min(least_cell, cell),
            "preferred": cell,
            "most": max(cell, GROWN) if cell >= LARGE else 2 * cell,
            "widest": widest,
            "text": text if values else None,
        },
        "decimals": decimals if values else None,
    }
    data = []
    for number, matrix in enumerate(matrices, start=1):
        place, color_range = board.places[matrix], ranges[matrix]
        colors = scales[matrix.scale]["light"]
        data.append(_heatmap(matrix, number, place, color_range, colors, precisions[matrix]))
        layout |= _axes(matrix, number)
    if zoom:
        _zoom_together(matrices, layout)
    return {"data": data, "layout": layout}


def _precisions(
    matrices: Sequence[Matrix], ranges: Mapping[Matrix, Range]
) -> dict[Matrix, type[np.floating[Any]]]:
    """How exactly each matrix travels: in double precision while all up to its size are few."""
    is_within = max(high for _, high in ranges.values()) <= float(np.finfo(np.float32).max)
    sizes = [matrix.values.size for matrix in matrices]
    up_to = {size: sum(other for other in sizes if other <= size) for size in set(sizes)}
    return {
        m: np.float32 if is_within and up_to[m.values.size] > DOUBLE_CELLS else np.float64
        for m in matrices
    }


def _color_ranges(matrices: Sequence[Matrix], shared: bool) -> dict[Matrix, Range]:
    """The lowest and highest value on the colour scale of each matrix."""
    reach = {m: float(np.abs(m.values[m.visible]).max(initial=0)) for m in matrices}
    reach_of_group: dict[str, float] = {}
    for m in matrices:
        reach_of_group[m.group] = max(reach_of_group.get(m.group, 0), reach[m])
    ranges: dict[Matrix, Range] = {}
    for m in matrices:
        high = (reach_of_group[m.group] if shared else reach[m]) or 1.0  # all zero: any will do
        high = min(high, FARTHEST)
        if m.scale == "diverging":
            ranges[m] = (-high, high)
        else:
            ranges[m] = (0.0, 1.0 if shared else high)
    return ranges


def _with_its_range(matrix: Matrix, color_range: Range, decimals: int) -> Matrix:
    """The matrix, its caption saying which values its colours stand for."""
    words = words_of_range(color_range, decimals)
    caption = f"{matrix.caption}; {words}" if matrix.caption else words
    return replace(matrix, caption=caption, has_own_range=True)


def words_of_range(color_range: Range, decimals: int) -> str:
    """`wordsOfRange` in ui/plot/js/board.js writes the same, while a number is dragged."""
    low, high = (format_number(value, decimals, keep_tiny=True) for value in color_range)
    return f"colours {low} to {high}" if color_range[0] == 0 else f"colours ±{high}"


def _heatmap(
    matrix: Matrix,
    number: int,
    place: Place,
    color_range: Range,
    colors: theme.ColorScale,
    precision: type[np.floating[Any]],
) -> Figure:
    return {
        "type": "heatmap",
        "z": _z(matrix, precision),
        "xaxis": _axis("x", number),
        "yaxis": _axis("y", number),
        "zmin": color_range[0],
        "zmax": color_range[1],
        "colorscale": [list(stop) for stop in colors],
        "showscale": False,
        "meta": {
            "name": matrix.name,
            "title": matrix.title,
            "rows": matrix.rows,
            "columns": matrix.columns,
            "row_labels": list(matrix.row_labels),
            "column_labels": list(matrix.column_labels),
            "row_names": _names(tuple(matrix.row_labels)),
            "column_names": _names(tuple(matrix.column_labels)),
            "masked": matrix.masked is not None,
            "zero_where_masked": matrix.is_zero_where_masked,
            **_lost(matrix),
            "given": matrix.is_given,
            "row_source": matrix.row_source,
            "column_source": matrix.column_source,
            "transposed": matrix.is_transposed,
            "group": matrix.group,
            "across": matrix.across,
            "down": matrix.down,
            "row_height": matrix.row_height,
            "scale": matrix.scale,
            "heading": matrix.heading,
            "head": matrix.headed and matrix.headed._asdict(),
            "caption": matrix.caption,
            "own_range": matrix.has_own_range,
            "feeds": list(matrix.feeds),
            "color": matrix.color,
            "bands": [[*band] for band in matrix.bands],
            **_position(place),
            "row_ticks": _ticks(matrix.row_labels) if place.writes_row_labels else [],
            "column_ticks": _ticks(matrix.column_labels) if place.writes_column_labels else [],
            "corner": _corner(matrix, place),
        },
    }


def _position(place: Place) -> Figure:
    return {
        "left": [*place.left],
        "top": [*place.top],
        "heading_top": [*place.heading_top],
    }


def _arrangement(matrices: Sequence[Matrix], board: Board, bars: list[Figure]) -> Figure:
    """Another place for each matrix. The browser has the labels, and writes them where it says."""
    return {
        "width": [*board.width],
        "height": [*board.height],
        "bars": bars,
        "places": [
            {
                **_position(board.places[matrix]),
                "writes_rows": board.places[matrix].writes_row_labels,
                "writes_columns": board.places[matrix].writes_column_labels,
                "corner": _corner(matrix, board.places[matrix]),
            }
            for matrix in matrices
        ],
    }


def _z(matrix: Matrix, precision: type[np.floating[Any]]) -> FloatArray:
    """The values to colour; NaN where a cell is masked, which Plotly leaves empty."""
    z = matrix.values.astype(precision)
    if matrix.masked is not None:
        z[matrix.masked] = np.nan
    return z


def _lost(matrix: Matrix) -> dict[str, list[int]]:
    """Which cells are not numbers, counted row by row: in the values, hidden ones are NaN too."""
    lost = np.isnan(matrix.values)
    if matrix.masked is not None:
        lost &= ~matrix.masked
    return {"lost": np.flatnonzero(lost).tolist()} if lost.any() else {}


@lru_cache(maxsize=64)
def _names(labels: tuple[str, ...]) -> list[str] | None:
    """Names that tell things apart, where their labels do not."""
    names = distinct_names(labels)
    return None if names == labels else list(names)


def _corner(matrix: Matrix, place: Place) -> dict[str, Any]:
    """What stands left above a matrix: the title of its row of the board, and what its axes are."""
    if not place.writes_row_labels:
        return {"title": "", "axes": []}
    axes = matrix.axes if place.writes_column_labels else []
    return {"title": matrix.row_title, "axes": axes}


def _ticks(labels: Sequence[str]) -> list[str]:
    return [short_label(label) for label in labels]


def _axes(matrix: Matrix, number: int) -> dict[str, Figure]:
    rows, columns = matrix.values.shape
    x = {"anchor": _axis("y", number), "range": [-0.5, columns - 0.5], "fixedrange": True}
    # The first row is on top, as on paper.
    y = {"anchor": _axis("x", number), "range": [rows - 0.5, -0.5], "fixedrange": True}
    return {_axis("xaxis", number): x, _axis("yaxis", number): y}


def _zoom_together(matrices: Sequence[Matrix], layout: Figure) -> None:
    """Axes that show the same things zoom as one."""
    first: dict[tuple[str, str, int], str] = {}
    for number, matrix in enumerate(matrices, start=1):
        sizes = {"y": (matrix.rows, len(matrix.row_labels))}
        sizes["x"] = (matrix.columns, len(matrix.column_labels))
        for letter, (kind, size) in sizes.items():
            axis = layout[_axis(f"{letter}axis", number)]
            axis["fixedrange"] = False
            leader = first.setdefault((letter, kind, size), _axis(letter, number))
            if leader != _axis(letter, number):
                axis["matches"] = leader


def _color_bars(
    matrices: Sequence[Matrix], board: Board, ranges: Mapping[Matrix, Range], decimals: int
) -> list[Figure]:
    """A bar for each colour group that has a place."""
    bars = []
    for group, place in board.bars.items():
        first = next(matrix for matrix in matrices if matrix.group == group)
        low, high = ranges[first]
        bars.append(
            {
                "scale": first.scale,
                "group": group,
                "title": group if place.has_title else "",
                "range": [low, high],
                "ticks": ticks_of_bar((low, high), decimals),
                "left": [*place.left],
                "top": [*place.top],
            }
        )
    return bars


def ticks_of_bar(color_range: Range, decimals: int) -> list[list[Any]]:
    low, high = color_range
    middle = (low + high) / 2
    return [
        [value, format_number(value, decimals, keep_tiny=True)] for value in (low, middle, high)
    ]


def _layout(
    matrices: Sequence[Matrix], board: Board, scales: Mapping[theme.Scale, theme.Themed]
) -> Figure:
    return {
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "autoexpand": False},
        "showlegend": False,
        # A zoom is kept for as long as the matrices keep their sizes.
        "uirevision": " ".join(f"{m.name}{m.values.shape}" for m in matrices),
        "meta": {
            "width": [*board.width],
            "height": [*board.height],
            "scales": {matrix.scale: scales[matrix.scale] for matrix in matrices},
        },
    }


def _axis(letter: str, number: int) -> str:
    """Plotly counts axes from 1 and leaves the 1 out: x, x2, x3."""
    return letter if number == 1 else f"{letter}{number}"
