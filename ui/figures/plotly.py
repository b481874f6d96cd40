"""A figure as Plotly draws it: complete, with nothing that only this project's page knows.

Matrices are heatmaps with axes of their own. What is written around them stands where the page and
paper have it (`ink.py`); labels are ticks, so that they follow a zoom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.layer.written import DIGITS_OF_A_TIP, in_six_digits
from ui.figures.colors import Colors, hex_of, mixed
from ui.figures.figure import ColorBar, Figure
from ui.figures.fitted import MOST_WRITTEN, FittedBoard, FittedMatrix, Room, on_screen
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.ink import (
    LABEL,
    SHADE,
    SLANT,
    SMALL,
    around,
    beside_bar,
    colors_of,
    columns_labelled,
    has_narrow_labels,
    rows_labelled,
)
from ui.figures.marks import MARGIN, Lines, Mark, Rect, Text

if TYPE_CHECKING:
    import plotly.graph_objects as go

Part = dict[str, Any]

ON_A_SCREEN: Final = (1200.0, 900.0)  # pixels, where nothing else is said
FONT: Final = '"Source Sans", "Source Sans 3", sans-serif'
TOOL_BAR: Final = 32  # pixels above a picture, for Plotly's own buttons
BAR: Final = 10  # pixels across a colour bar
BESIDE: Final = 3  # pixels between a label and its matrix
ABOVE_BANDS: Final = 8  # and one above the colours of heads
ASCENT: Final = 1.05  # font sizes from the top of a text's box to its baseline
WIDER_FONT: Final = 0.92  # of a size: where the page's font is missing, another one may be wider
CLEAR: Final = "rgba(0,0,0,0)"
LARGE: Final = 16  # pixels of a cell whose hatching has lines between the diagonals
HIDDEN: Final = say("masked")


def plotly_figure(
    figure: Figure, room: Room = ON_A_SCREEN, ground: Ground = GROUNDS["light"]
) -> go.Figure:
    """The figure as the page shows it in a window of this room, in pixels."""
    import plotly.graph_objects as go  # here, so that nobody else waits for it

    return go.Figure(as_plotly(on_screen(figure, room), ground))


def as_plotly(board: FittedBoard, ground: Ground) -> Part:
    paper = _Paper(board)
    data: list[Part] = []
    layout = _layout(paper, ground)
    axes = _Axes(paper)
    for number, matrix in enumerate(board.matrices, start=1):
        x, y = axes.add(matrix, number, ground)
        data += _heatmaps(matrix, board, ground, {"xaxis": x, "yaxis": y})
        layout["shapes"] += _hatching(matrix, ground, x, y)
        for mark in around(matrix, board, ground):
            _write(mark, paper, layout)
    layout |= axes.layout
    for bar in board.bars:
        beside = beside_bar(bar, board)
        trace = next(each for each in data if each["name"] == as_text(beside.matrix.title))
        trace |= {"showscale": True, "colorbar": _bar(bar, beside, board, paper)}
    return {"data": data, "layout": layout}


class _Paper:
    """Where something stands, in shares of the width and height, as Plotly counts: from below."""

    def __init__(self, board: FittedBoard) -> None:
        self.width, self.height = board.width, board.height

    def x(self, pixels: float) -> float:
        return pixels / self.width

    def y(self, pixels: float) -> float:
        return 1 - pixels / self.height


def _layout(paper: _Paper, ground: Ground) -> Part:
    return {
        "width": paper.width + 2 * MARGIN,
        "height": paper.height + TOOL_BAR + MARGIN,
        "margin": {"l": MARGIN, "r": MARGIN, "t": TOOL_BAR, "b": MARGIN, "autoexpand": False},
        "paper_bgcolor": ground.paper or CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"family": FONT, "size": LABEL, "color": ground.text},
        "hoverlabel": {"font": {"family": FONT}},
        "modebar": {"bgcolor": CLEAR, "color": ground.pale(0.5), "activecolor": ground.text},
        "showlegend": False,
        "template": "none",  # the machine's own may have other colours
        "shapes": [],
        "annotations": [],
    }


class _Axes:
    """An axis across and one down for each matrix. Axes of the same things zoom together."""

    def __init__(self, paper: _Paper) -> None:
        self.paper = paper
        self.layout: Part = {}
        self._first: dict[Any, str] = {}

    def add(self, matrix: FittedMatrix, number: int, ground: Ground) -> tuple[str, str]:
        x, y = (letter if number == 1 else f"{letter}{number}" for letter in "xy")
        heatmap, paper = matrix.heatmap, self.paper
        across = {
            "domain": [paper.x(matrix.x), paper.x(matrix.x + matrix.width)],
            "anchor": y,
            "side": "top",
            "range": [-0.5, matrix.columns - 0.5],
            "tickangle": 0 if has_narrow_labels(matrix) else SLANT,
            "ticklabelstandoff": ABOVE_BANDS if matrix.matrix.bands else BESIDE,
            **_ticks(heatmap.column_names, matrix.column_ticks, columns_labelled(matrix)),
        }
        down = {
            "domain": [paper.y(matrix.y + matrix.height), paper.y(matrix.y)],
            "anchor": x,
            "range": [matrix.rows - 0.5, -0.5],  # the first row is on top, as on paper
            "ticklabelstandoff": BESIDE,
            **_ticks(heatmap.row_names, matrix.row_ticks, rows_labelled(matrix)),
        }
        self._add(x, across, (matrix.matrix.columns, heatmap.column_names), ground)
        self._add(y, down, (matrix.matrix.rows, heatmap.row_names), ground)
        return x, y

    def _add(self, name: str, axis: Part, things: Any, ground: Ground) -> None:
        leader = self._first.setdefault((name[0], things), name)
        if leader != name:
            axis["matches"] = leader
        font = {"size": LABEL, "color": ground.text}
        nothing = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
        key = f"{name[0]}axis{name[1:]}"
        self.layout[key] = {"type": "category", "tickfont": font, **nothing, **axis}


def _ticks(names: Sequence[str], labels: Sequence[str], places: Sequence[int]) -> Part:
    return {
        "tickmode": "array",
        "tickvals": [as_text(names[place]) for place in places],
        "ticktext": [as_text(labels[place]) for place in places],
        "showticklabels": bool(places),
    }


def as_text(words: str) -> str:
    """Words for Plotly, which takes what looks like HTML for HTML.

    >>> as_text("<b> & co")
    '&lt;b> &amp; co'
    """
    return words.replace("&", "&amp;").replace("<", "&lt;")


# ---- cells ----


def _heatmaps(matrix: FittedMatrix, board: FittedBoard, ground: Ground, on: Part) -> Iterator[Part]:
    """The numbers. Cells without a number, and hidden ones, have their own colours."""
    heatmap, said = matrix.heatmap, matrix.matrix
    common = {
        "type": "heatmap",
        "name": as_text(said.title),
        "x": [*map(as_text, heatmap.column_names)],
        "y": [*map(as_text, heatmap.row_names)],
        "xgap": matrix.gap,
        "ygap": matrix.gap,
        "showscale": False,
        "hoverongaps": False,
        **on,
    }
    colors = colors_of(matrix, board, ground)
    yield {
        **common,
        "z": np.where(np.isfinite(matrix.drawn), matrix.drawn, np.nan),
        "zmin": colors.low,
        "zmax": colors.high,
        "colorscale": [[*stop] for stop in colors.scale],
        **_hover(matrix),
    }
    if matrix.is_lost.any():
        yield {**common, **_only(matrix.is_lost, ground.lost), **_hover(matrix)}
    if (hidden := matrix.is_hatched & matrix.is_empty).any():
        shade = mixed(ground.text, ground.under, SHADE)
        masked = {"hovertemplate": _said_of_a_cell(matrix, HIDDEN)}
        yield {**common, **_only(hidden, shade), **masked}
    if board.writes_numbers(matrix):
        for part in _numbers(matrix, colors, board.text_size * WIDER_FONT):
            yield {**common, **part}


def _numbers(matrix: FittedMatrix, colors: Colors, size: float) -> Iterator[Part]:
    """The numbers in black, and those in white, over cells without a colour."""
    texts = np.array(matrix.texts, object)
    looks = colors.of(matrix.drawn, matrix.is_lost)
    inks = np.array([[hex_of(*map(int, color))[1] for color in row] for row in looks])
    for ink in ("#000000", "#ffffff"):
        cells = (inks == ink) & (texts != "")
        if cells.any():
            yield {
                **_only(cells, CLEAR),
                "text": np.where(cells, texts, ""),
                "texttemplate": "%{text}",
                "textfont": {"size": size, "color": ink},
                "hoverinfo": "skip",
            }


def _only(cells: BoolArray, color: str) -> Part:
    """Some cells, in one colour."""
    values = np.where(cells, 0.0, np.nan)
    return {"z": values, "zmin": 0, "zmax": 1, "colorscale": [[0, color], [1, color]]}


def _hover(matrix: FittedMatrix) -> Part:
    """The names of row and column, and the number."""
    if matrix.values.size <= MOST_WRITTEN:
        digits = [
            [_digits(matrix, row, column) for column in range(matrix.columns)]
            for row in range(matrix.rows)
        ]
        return {"hovertext": digits, "hovertemplate": _said_of_a_cell(matrix, "%{hovertext}")}
    return {"hovertemplate": _said_of_a_cell(matrix, f"%{{z:.{DIGITS_OF_A_TIP}~g}}")}


def _said_of_a_cell(matrix: FittedMatrix, number: str) -> str:
    said = matrix.matrix
    row, column = (f"{word} %{{{at}}}".strip() for word, at in zip(said.words, "yx", strict=True))
    lines = [as_text(said.title), f"{as_text(row)}, {as_text(column)}", f"<b>{number}</b>"]
    return f"{'<br>'.join(lines)}<extra></extra>"


def _digits(matrix: FittedMatrix, row: int, column: int) -> str:
    """The number with six digits; if it is compared, also what it was."""
    now = in_six_digits(matrix.heatmap.values[row, column])
    before = matrix.heatmap.before
    if before is None:
        return now
    then = HIDDEN if before.was_hidden[row, column] else in_six_digits(before.values[row, column])
    return f"{now}</b>, {before.then} {then}<b>"


def _hatching(matrix: FittedMatrix, ground: Ground, x: str, y: str) -> Iterator[Part]:
    """Slanted lines over hidden cells, on through all that touch. They follow a zoom."""
    hidden = matrix.is_hatched
    if not hidden.any():
        return
    is_large = min(matrix.cell_width, matrix.cell_height) >= LARGE
    lines = [*_diagonals(hidden), *(_corners(hidden) if is_large else ())]
    yield {
        "type": "path",
        "path": "".join(f"M{a:g},{b:g}L{c:g},{d:g}" for a, b, c, d in lines),
        "xref": x,
        "yref": y,
        "line": {"color": ground.pale(0.3), "width": 1},
    }


Line = tuple[float, float, float, float]  # from a column and a row to others


def _diagonals(hidden: BoolArray) -> Iterator[Line]:
    """Lines from the bottom left of cells to their top right."""
    rows, columns = hidden.shape
    flipped = hidden[:, ::-1]
    for offset in range(1 - rows, columns):
        cells = flipped.diagonal(offset)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
        for start, stop in edges.reshape(-1, 2):
            top, right = start - min(offset, 0), columns - 1 - (start + max(offset, 0))
            length = stop - start
            yield right + 0.5, top - 0.5, right + 0.5 - length, top - 0.5 + length


def _corners(hidden: BoolArray) -> Iterator[Line]:
    """Lines between those: through the top left of a cell, and through its bottom right."""
    for row, column in np.argwhere(hidden):
        yield column - 0.5, row, column, row - 0.5
        yield column, row + 0.5, column + 0.5, row


# ---- around the cells ----


def _write(mark: Mark, paper: _Paper, layout: Part) -> None:
    match mark:
        case Text():
            layout["annotations"].append(_annotation(mark, paper))
        case Rect():
            layout["shapes"].append(_rectangle(mark, paper))
        case Lines():
            layout["shapes"].append(_lines(mark, paper))


def _annotation(text: Text, paper: _Paper) -> Part:
    words = as_text(text.text)
    return {
        "text": f"<b>{words}</b>" if text.bold else words,
        "x": paper.x(text.x),
        "y": paper.y(text.y - text.size * ASCENT),
        "xref": "paper",
        "yref": "paper",
        "xanchor": {"start": "left", "middle": "center", "end": "right"}[text.anchor],
        "yanchor": "top",
        "showarrow": False,
        "borderpad": 0,
        "font": {"size": text.size, "color": text.fill},
    }


def _rectangle(rect: Rect, paper: _Paper) -> Part:
    return {
        "type": "rect",
        "x0": paper.x(rect.x),
        "x1": paper.x(rect.x + rect.width),
        "y0": paper.y(rect.y),
        "y1": paper.y(rect.y + rect.height),
        "xref": "paper",
        "yref": "paper",
        "fillcolor": rect.fill,
        "line": {"width": 0},
    }


def _lines(lines: Lines, paper: _Paper) -> Part:
    ways = ("L".join(f"{paper.x(x):.6f},{paper.y(y):.6f}" for x, y in way) for way in lines.ways)
    return {
        "type": "path",
        "path": "".join(f"M{way}" for way in ways),
        "xref": "paper",
        "yref": "paper",
        "line": {"color": lines.stroke, "width": lines.width},
    }


def _bar(bar: ColorBar, beside: FittedMatrix, board: FittedBoard, paper: _Paper) -> Part:
    """The colour bar of a group, as high as the matrix that it stands beside."""
    return {
        "x": paper.x(bar.left.at(board.cell)),
        "y": paper.y(beside.y),
        "xanchor": "left",
        "yanchor": "top",
        "xpad": 0,
        "ypad": 0,
        "thicknessmode": "pixels",
        "thickness": BAR,
        "lenmode": "pixels",
        "len": beside.height,
        "outlinewidth": 0,
        "tickmode": "array",
        "tickvals": [tick.value for tick in bar.ticks],
        "ticktext": [tick.text for tick in bar.ticks],
        "tickfont": {"size": SMALL},
        "title": {"text": as_text(bar.title), "font": {"size": SMALL}},
    }
