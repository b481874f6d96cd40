"""A figure as the browser gets it: in the words that the modules of `js/` read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.puzzles.wants import LEAST, TIMES, WITHIN, Looks, Predicts
from mha_core.stack.cells import without_layer
from ui.figures.board import Place
from ui.figures.figure import (
    Arrangement,
    ColorBar,
    Figure,
    Heatmap,
    column_ticks,
    corner_of,
    row_ticks,
)
from ui.figures.matrix import Matrix

Sent = dict[str, Any]


def as_sent(figure: Figure) -> Sent:
    widest, *others = figure.arrangements
    placed = zip(figure.heatmaps, widest.places, strict=True)
    return {
        "matrices": [_heatmap(heatmap, place) for heatmap, place in placed],
        "zooms": figure.can_zoom,
        # A zoom is kept for as long as the matrices keep their sizes.
        "zoomed_as": " ".join(f"{each.name}{each.values.shape}" for each in figure.heatmaps),
        **_sized(widest),
        "others": [_other(figure, each) for each in others],
        "scales": figure.scales,
        "cell": asdict(figure.cells),
        "decimals": figure.decimals,
        **_said_of_some(figure),
    }


def _said_of_some(figure: Figure) -> Sent:
    """What few figures say; the others are sent without it."""
    said = {
        "words": figure.words,
        "follows_drags": figure.follows_drags,
        "keeps_colors": figure.keeps_colors,
        "walk": figure.walk and {**vars(figure.walk)},
    }
    return {name: value for name, value in said.items() if value}


def _heatmap(heatmap: Heatmap, place: Place) -> Sent:
    matrix = heatmap.matrix
    n_rows, n_columns = heatmap.values.shape
    return {
        "values": heatmap.values,
        "low": heatmap.low,
        "high": heatmap.high,
        # Matrices that show the same things zoom as one.
        "axes": {"rows": f"{matrix.rows} {n_rows}", "columns": f"{matrix.columns} {n_columns}"},
        "name": matrix.name,
        "title": matrix.title,
        "rows": matrix.rows,
        "columns": matrix.columns,
        "row_word": matrix.words[0],
        "column_word": matrix.words[1],
        "row_labels": list(matrix.row_labels),
        "column_labels": list(matrix.column_labels),
        "row_names": _if_other(heatmap.row_names, matrix.row_labels),
        "column_names": _if_other(heatmap.column_names, matrix.column_labels),
        "masked": heatmap.may_hide,
        "zero_where_masked": matrix.is_zero_where_masked,
        "given": matrix.is_given,
        "row_source": matrix.row_source,
        "column_source": matrix.column_source,
        "transposed": matrix.is_transposed,
        "group": matrix.group,
        "across": matrix.across,
        "down": matrix.down,
        "row_height": matrix.row_height,
        "scale": heatmap.scale,
        "heading": matrix.heading,
        "notes": list(matrix.notes),
        "head": matrix.headed and matrix.headed._asdict(),
        "caption": matrix.caption,
        "own_range": matrix.has_own_range,
        "feeds": list(matrix.feeds),
        "color": matrix.color,
        "bands": [[*band] for band in matrix.bands],
        "row_ticks": row_ticks(matrix, place),
        "column_ticks": column_ticks(matrix, place),
        **_placed(heatmap, place),
        **_whole(matrix),
        **({"no_zeros": True} if matrix.leaves_zeros_out else {}),
        **_wanted(matrix),
        **_lost(heatmap),
    }


def _wanted(matrix: Matrix) -> Sent:
    """What its numbers are wanted of, and how near those must come."""
    if not matrix.wanted_of:
        return {}
    return {"wanted_of": {"matrix": matrix.wanted_of, **_passes(matrix.wanted_of)}}


def _passes(name: str) -> Sent:
    """How near to what is wanted a number must be."""
    step = without_layer(Cell.of_matrix(name, 0, 0)).step
    if step == Looks.step:
        return {"least": LEAST}
    return {"times": TIMES} if step == Predicts.step else {"within": WITHIN}


def _whole(matrix: Matrix) -> Sent:
    return {"whole": {"is_chosen": matrix.is_chosen}} if matrix.is_whole else {}


def _lost(heatmap: Heatmap) -> Sent:
    """Which cells are not numbers, counted row by row: in the values, hidden ones are NaN too."""
    said: Sent = {}
    if (lost := heatmap.is_lost).any():
        said["lost"] = np.flatnonzero(lost).tolist()
    if before := heatmap.before:
        said |= {
            "before": before.values,
            "before_lost": np.flatnonzero(before.is_lost).tolist(),
            "then": before.then,
        }
    return said


def _placed(heatmap: Heatmap, place: Place) -> Sent:
    return {
        "left": [*place.left],
        "top": [*place.top],
        "heading_top": [*place.heading_top],
        "corner": corner_of(heatmap.matrix, place)._asdict(),
    }


def _sized(arrangement: Arrangement) -> Sent:
    return {
        "width": [*arrangement.width],
        "height": [*arrangement.height],
        "bars": [_bar(bar) for bar in arrangement.bars],
        **({"free": arrangement.free._asdict()} if arrangement.free else {}),
    }


def _other(figure: Figure, arrangement: Arrangement) -> Sent:
    """Another place for each matrix. The browser has the labels, and writes them where it says."""
    placed = zip(figure.heatmaps, arrangement.places, strict=True)
    return {
        **_sized(arrangement),
        "places": [
            {
                **_placed(heatmap, place),
                "writes_rows": place.writes_row_labels,
                "writes_columns": place.writes_column_labels,
            }
            for heatmap, place in placed
        ],
    }


def _bar(bar: ColorBar) -> Sent:
    said = {"scale": bar.scale, "group": bar.group, "title": bar.title, "range": [*bar.range]}
    ticks = [[*tick] for tick in bar.ticks]
    return said | {"ticks": ticks, "left": [*bar.left], "top": [*bar.top]}


def _if_other(names: tuple[str, ...], labels: Sequence[str]) -> list[str] | None:
    return None if names == tuple(labels) else list(names)
