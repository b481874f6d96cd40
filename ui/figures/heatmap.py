"""A grid of heatmaps in one plain Plotly figure: square cells, one cell size, shared colours.

A matrix with more rows or columns than MOST gets the room of MOST cells: its own are then no
squares, and may be narrower than a pixel. Where only columns are many, rows may be higher.

Any Plotly renderer shows the figure. The parts marked `static` (labels, titles, hatching, colour
bars) are there for those: the plot component draws them itself, many times faster, from `meta`.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray
from ui import theme
from ui.figures.grid_layout import (
    CAPTION,
    SLANT,
    Grid,
    Length,
    Place,
    place_in_grid,
    short_label,
)
from ui.number_format import format_number

Figure = dict[str, Any]
Range = tuple[float, float]

MOST: Final = 128  # lengths of a cell along a side of a matrix
HIGH: Final = 3  # of them, for each row of a matrix with more columns than MANY
MANY: Final = 64
LARGE: Final = 20  # pixels of a cell that is read, not part of a texture
GROWN: Final = 64  # pixels of the largest cell
TEXT_CELLS: Final = 4096  # more numbers than this no renderer is told to write
DOUBLE_CELLS: Final = 2**17  # more travel in single precision: seven digits, half the bytes


class Band(NamedTuple):
    """A coloured line above some columns, that says where they came from."""

    start: float  # in columns
    stop: float
    color: str


@dataclass(frozen=True, eq=False)
class Matrix:
    """One heatmap. `masked` is True where a cell is hidden: hidden is not the same as zero.

    `name` is what a click reports; `title` says in words which matrix this is; `rows` and
    `columns` name the kind of thing on each axis. A thing pointed at in one matrix is lit in every
    matrix that has its kind on an axis.
    """

    name: str
    title: str
    values: FloatArray
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    rows: str = "query"
    columns: str = "key"
    scale: theme.Scale = "diverging"
    masked: BoolArray | None = None
    heading: str = ""  # above the matrix
    row_title: str = ""  # of its row of the grid, said once, in the corner of the first
    caption: str = ""  # below it
    color: str = ""  # of the mark beside the heading
    bands: Sequence[Band] = ()  # above the columns
    high_rows: bool = False  # where there are many columns: its cells may be no squares

    def __post_init__(self) -> None:
        need = (len(self.row_labels), len(self.column_labels))
        if self.values.shape != need or 0 in need:
            raise ShapeError(
                f"The values of {self.title}",
                f"must have a row and a column for each label, {need}",
                str(self.values.shape),
                "Give one label for each row and each column, and at least one of each.",
            )
        if self.masked is not None and self.masked.shape != need:
            raise ShapeError(
                f"The mask of {self.title}",
                f"must have the shape of its values, {need}",
                str(self.masked.shape),
                "Give True or False for every cell.",
            )

    @property
    def axes(self) -> list[str]:
        """What stands on its axes, no wider than its row labels where two lines can help that."""
        one_line = f"{self.rows} ↓ {self.columns} →"
        fits = len(one_line) <= max(map(len, self.row_labels))
        return [one_line] if fits else [f"{self.rows} ↓", f"{self.columns} →"]

    @property
    def across(self) -> int:
        """The width, in lengths of a cell."""
        return min(MOST, len(self.column_labels))

    @property
    def down(self) -> int:
        """The height, in lengths of a cell."""
        is_high = self.high_rows and len(self.column_labels) > MANY
        return min(MOST, len(self.row_labels) * (HIGH if is_high else 1))

    @property
    def shown(self) -> BoolArray:
        """True where a cell has a number to show."""
        finite: BoolArray = np.isfinite(self.values)
        return finite if self.masked is None else finite & ~self.masked


def heatmap_grid(
    rows: Sequence[Sequence[Matrix]],
    *,
    cell: int = 36,
    least_cell: float = 12,
    decimals: int = 2,
    values: bool = True,
    shared_scale: bool = True,
    color_bars: bool = True,
    zoom: bool = False,
    palette: str = theme.DEFAULT_PALETTE,
) -> Figure:
    """Rows of matrices, aligned in columns, as a plain Plotly figure.

    Cells are squares of `cell` pixels; the component shrinks them to `least_cell` where the screen
    is narrow, and lets them grow to GROWN where it has room. Diverging colours are centred on 0,
    sequential ones run from 0 to 1, on one scale for all matrices. With `shared_scale` off each
    matrix has its own, which then runs as far as its values do, and its caption says how far.
    Labels and titles may hold any text: what looks like HTML is shown as it was written.
    """
    if not rows or not all(rows):
        raise OptionError(
            "A grid of heatmaps",
            "needs at least one matrix in every row",
            f"rows of {[len(row) for row in rows]} matrices",
            "Give what there is to show.",
        )
    matrices = [matrix for row in rows for matrix in row]
    ranges = _color_ranges(matrices, shared_scale)
    if not shared_scale:
        rows = [[_with_its_range(m, ranges[m.name], decimals) for m in row] for row in rows]
        matrices = [matrix for row in rows for matrix in row]
    slots = _bar_slots(rows) if shared_scale and color_bars else {}
    grid = place_in_grid(rows, n_bars=1 + max(slots.values(), default=-1))
    bars = _color_bars(matrices, grid, ranges, decimals, slots)
    cells = sum(matrix.values.size for matrix in matrices)
    scales = theme.PALETTES[palette]
    layout = _layout(matrices, grid, bars, scales)
    layout["meta"]["cell"] = {"preferred": cell, "least": min(least_cell, cell)}
    layout["meta"]["cell"]["most"] = max(cell, GROWN) if cell >= LARGE else cell
    layout["meta"]["decimals"] = decimals if values else None
    layout["dragmode"] = "zoom" if zoom else False
    layout |= {"width": grid.width.at(cell), "height": grid.height.at(cell)}
    data = []
    for number, (matrix, place) in enumerate(zip(matrices, grid.places, strict=True), start=1):
        trace = _trace(matrix, number, place, ranges[matrix.name], scales[matrix.scale])
        trace["z"] = _z(matrix, np.float64 if cells <= DOUBLE_CELLS else np.float32)
        if values and cells <= TEXT_CELLS:
            trace["texttemplate"] = f"%{{z:.{decimals}f}}"
        data += [trace, *_hatch(matrix, number)]
        layout |= _axes(matrix, number, place, grid, cell)
        layout["annotations"] += _annotations(matrix, place, grid, cell)
    if zoom:
        _zoom_together(matrices, layout)
    for bar in bars:
        first = next(trace for trace in data if trace.get("meta", {}).get("scale") == bar["scale"])
        first |= {"showscale": True, "colorbar": _plotly_color_bar(bar, grid, cell)}
    return {"data": data, "layout": layout}


def text_for_plotly(text: str) -> str:
    """Text that Plotly shows as it was written, where it would else read tags, links and breaks.

    >>> text_for_plotly("<b>I</b> & you")
    '&lt;b&gt;I&lt;/b&gt; &amp; you'
    """
    return html.escape(text, quote=False)


def _color_ranges(matrices: Sequence[Matrix], shared: bool) -> Mapping[str, Range]:
    """The lowest and highest value on the colour scale of each matrix, by its name."""
    reach = {m.name: float(np.abs(m.values[m.shown]).max(initial=0)) for m in matrices}
    top = max((reach[m.name] for m in matrices if m.scale == "diverging"), default=0.0)
    ranges: dict[str, Range] = {}
    for matrix in matrices:
        high = 1.0
        if matrix.scale == "diverging" or not shared:
            high = (top if shared else reach[matrix.name]) or 1.0  # all zero: any range will do
        ranges[matrix.name] = (-high if matrix.scale == "diverging" else 0.0, high)
    return ranges


def _with_its_range(matrix: Matrix, color_range: Range, decimals: int) -> Matrix:
    """The matrix, its caption saying which values its colours stand for."""
    low, high = (format_number(value, decimals, keep_tiny=True) for value in color_range)
    reach = f"colours {low} to {high}" if color_range[0] == 0 else f"colours ±{high}"
    return replace(matrix, caption=f"{matrix.caption}; {reach}" if matrix.caption else reach)


def _z(matrix: Matrix, dtype: type[np.floating[Any]]) -> FloatArray:
    """The values to colour; NaN where a cell is masked, which Plotly leaves empty."""
    z = matrix.values.astype(dtype)
    if matrix.masked is not None:
        z[matrix.masked] = np.nan
    return z


def _trace(
    matrix: Matrix, number: int, place: Place, color_range: Range, colors: theme.Themed
) -> Figure:
    return {
        "type": "heatmap",
        "name": text_for_plotly(matrix.title),
        "xaxis": _axis("x", number),
        "yaxis": _axis("y", number),
        "zmin": color_range[0],
        "zmax": color_range[1],
        "colorscale": [list(stop) for stop in colors["light"]],
        "showscale": False,
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
        "meta": {
            "name": matrix.name,
            "title": matrix.title,
            "rows": matrix.rows,
            "columns": matrix.columns,
            "row_labels": list(matrix.row_labels),
            "column_labels": list(matrix.column_labels),
            "masked": matrix.masked is not None,
            "across": matrix.across,
            "down": matrix.down,
            "left": [*place.left],
            "top": [*place.top],
            "heading_top": [*place.heading_top],
            "row_ticks": _ticks(matrix.row_labels) if place.writes_row_labels else [],
            "column_ticks": _ticks(matrix.column_labels) if place.writes_column_labels else [],
            "scale": matrix.scale,
            "heading": matrix.heading,
            "caption": matrix.caption,
            "corner": _corner(matrix, place),
            "color": matrix.color,
            "bands": [[*band] for band in matrix.bands],
        },
    }


def _corner(matrix: Matrix, place: Place) -> dict[str, Any]:
    """What stands left above a matrix: the title of its row of the grid, and what its axes are."""
    if not place.writes_row_labels:
        return {"title": "", "axes": []}
    axes = matrix.axes if place.writes_column_labels else []
    return {"title": matrix.row_title, "axes": axes}


def _ticks(labels: Sequence[str]) -> list[str]:
    return [short_label(label) for label in labels]


def _hatch(matrix: Matrix, number: int) -> list[Figure]:
    """Strips over the runs of masked cells, filled with Plotly's own hatching."""
    if matrix.masked is None or not matrix.masked.any():
        return []
    edges = np.diff(np.pad(matrix.masked.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(edges == 1)
    _, stop = np.nonzero(edges == -1)
    pen_up = np.full(len(row), np.nan)  # between two strips
    strip = {
        "x": np.stack([start, stop, stop, start, start, pen_up], axis=1).ravel() - 0.5,
        "y": np.stack([row, row, row + 1, row + 1, row, pen_up], axis=1).ravel() - 0.5,
    }
    pattern = {"shape": "/", "size": 6, "solidity": 0.15}
    colors = {"fgcolor": theme.HATCH, "bgcolor": theme.MASKED_PAPER}
    look = {
        "type": "scatter",
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillpattern": pattern | colors,
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": {"static": True},
    }
    return [look | strip | {"xaxis": _axis("x", number), "yaxis": _axis("y", number)}]


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


def _axes(matrix: Matrix, number: int, place: Place, grid: Grid, cell: int) -> dict[str, Figure]:
    rows, columns = matrix.values.shape
    left, top = place.left.at(cell), place.top.at(cell)
    width, height = grid.width.at(cell), grid.height.at(cell)
    x = {
        "anchor": _axis("y", number),
        "side": "top",
        "domain": [left / width, (left + matrix.across * cell) / width],
        "range": [-0.5, columns - 0.5],
        "tickvals": list(range(columns)),
        "ticktext": [text_for_plotly(tick) for tick in _ticks(matrix.column_labels)],
        "tickangle": -SLANT,
        "showticklabels": place.writes_column_labels,
    }
    y = {
        "anchor": _axis("x", number),
        "domain": [1 - (top + matrix.down * cell) / height, 1 - top / height],
        "range": [rows - 0.5, -0.5],  # the first row is on top, as on paper
        "tickvals": list(range(rows)),
        "ticktext": [text_for_plotly(tick) for tick in _ticks(matrix.row_labels)],
        "showticklabels": place.writes_row_labels,
    }
    shared = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    return {_axis("xaxis", number): shared | x, _axis("yaxis", number): shared | y}


def _annotations(matrix: Matrix, place: Place, grid: Grid, cell: int) -> list[Figure]:
    """The heading above a matrix, the caption below it, and the corner left above it."""
    left, top = place.left.at(cell), place.top.at(cell)
    width, height = grid.width.at(cell), grid.height.at(cell)
    shared = {"xref": "paper", "yref": "paper", "showarrow": False, "name": "static"}
    heading = {
        "text": f"<b>{text_for_plotly(matrix.heading)}</b>",
        "x": left / width,
        "y": 1 - place.heading_top.at(cell) / height,
        "xanchor": "left",
        "yanchor": "top",
    }
    caption = {
        "text": text_for_plotly(matrix.caption),
        "x": (left + matrix.across * cell / 2) / width,
        "y": 1 - (top + matrix.down * cell + CAPTION) / height,
        "xanchor": "center",
        "yanchor": "bottom",
    }
    left_above = _corner(matrix, place)
    lines = [line for line in (left_above["title"], *left_above["axes"]) if line]
    corner = {
        "text": "<br>".join(text_for_plotly(line) for line in lines),
        "x": (left - 6) / width,
        "y": 1 - (top - 4) / height,
        "xanchor": "right",
        "yanchor": "bottom",
        "align": "right",
    }
    parts = [(matrix.heading, heading), (matrix.caption, caption), (lines, corner)]
    return [shared | annotation for shown, annotation in parts if shown]


def _bar_slots(rows: Sequence[Sequence[Matrix]]) -> dict[theme.Scale, int]:
    """For each scale the place of its bar beside the first row that uses it, counted from 0."""
    slots: dict[theme.Scale, int] = {}
    for row in rows:
        new = dict.fromkeys(matrix.scale for matrix in row if matrix.scale not in slots)
        slots |= {scale: slot for slot, scale in enumerate(new)}
    return slots


def _color_bars(
    matrices: Sequence[Matrix],
    grid: Grid,
    ranges: Mapping[str, Range],
    decimals: int,
    slots: Mapping[theme.Scale, int],
) -> list[Figure]:
    """A bar for each scale that has a place."""
    bars = []
    for scale, slot in slots.items():
        pairs = zip(matrices, grid.places, strict=True)
        first, place = next((matrix, place) for matrix, place in pairs if matrix.scale == scale)
        low, high = ranges[first.name]
        bars.append(
            {
                "scale": scale,
                "range": [low, high],
                "ticks": [
                    [v, format_number(v, decimals, keep_tiny=True)]
                    for v in (low, (low + high) / 2, high)
                ],
                "left": [*grid.bar_lefts[slot]],
                "top": [*place.top],
                "rows": first.down,
            }
        )
    return bars


def _plotly_color_bar(bar: Figure, grid: Grid, cell: int) -> Figure:
    return {
        "x": Length(*bar["left"]).at(cell) / grid.width.at(cell),
        "y": 1 - Length(*bar["top"]).at(cell) / grid.height.at(cell),
        "xanchor": "left",
        "yanchor": "top",
        "xpad": 0,
        "ypad": 0,
        "thickness": 10,
        "lenmode": "pixels",
        "len": bar["rows"] * cell,
        "outlinewidth": 0,
        "tickvals": [value for value, _ in bar["ticks"]],
        "ticktext": [text for _, text in bar["ticks"]],
    }


def _layout(
    matrices: Sequence[Matrix],
    grid: Grid,
    bars: list[Figure],
    scales: Mapping[theme.Scale, theme.Themed],
) -> Figure:
    return {
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "autoexpand": False},
        "font": {"family": theme.FONT_FAMILY, "size": theme.FONT_SIZE, "color": theme.INK},
        "paper_bgcolor": theme.PAPER,
        "plot_bgcolor": theme.PAPER,
        "showlegend": False,
        "annotations": [],
        # A zoom is kept for as long as the matrices keep their sizes.
        "uirevision": " ".join(f"{m.name}{m.values.shape}" for m in matrices),
        "meta": {
            "width": [*grid.width],
            "height": [*grid.height],
            "bars": bars,
            "scales": {matrix.scale: scales[matrix.scale] for matrix in matrices},
        },
    }


def _axis(letter: str, number: int) -> str:
    """Plotly counts axes from 1 and leaves the 1 out: x, x2, x3."""
    return letter if number == 1 else f"{letter}{number}"
