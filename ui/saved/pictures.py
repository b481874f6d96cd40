"""A picture of a page in one file: a figure without its numbers, which the page has once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from mha_core.checks.shapes import FloatArray
from ui.figures.figure import Figure, Heatmap
from ui.figures.matrix import Matrix
from ui.plot.sent import as_sent

Numbers = dict[str, Any]  # of matrices, by their names; NaN where a cell is hidden or no number


class Named(Protocol):
    """What has a name for files and a title."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...


def without_numbers(
    figure: Figure, of: Named, core: Numbers, *, exactly: bool = True
) -> dict[str, Any]:
    """A figure as it is sent. Its numbers go into `core`: with all digits, or as it has them."""
    for heatmap in figure.heatmaps:
        values = _exact(heatmap.matrix) if exactly else heatmap.values
        core[heatmap.name] = values.T.copy() if heatmap.matrix.is_transposed else values
    still = replace(figure, heatmaps=tuple(map(_without_tools, figure.heatmaps)))
    sent = as_sent(still)
    for matrix in sent["matrices"]:
        del matrix["values"]
    if walk := sent.get("walk"):
        walk["arithmetic"] = list(walk["arithmetic"])
    return {"name": of.name, "alt": of.title, "figure": sent}


def _exact(matrix: Matrix) -> FloatArray:
    """The numbers of a matrix: a figure has large ones with fewer digits."""
    return (
        matrix.values if matrix.masked is None else np.where(matrix.masked, np.nan, matrix.values)
    )


def sums_of(numbers: Numbers) -> dict[str, tuple[float, int]]:
    """Of each matrix the sum of its numbers, and how many it has, without those that are none.

    Each number has a part in the sum that looks like chance. So errors do not cancel each other,
    and a page can see whether it computes the same.
    """
    return {
        name: _sum_of(np.asarray(values, np.float64).ravel()) for name, values in numbers.items()
    }


def _sum_of(values: FloatArray) -> tuple[float, int]:
    is_number = np.isfinite(values)
    places = np.arange(len(values), dtype=np.float64)
    parts = np.sin(places * places + 1)
    return float((parts * np.where(is_number, values, 0)).sum()), int(is_number.sum())


def still(figure: Figure) -> Figure:
    """The figure with nothing to edit."""
    heatmaps = (heatmap.saying(is_given=False) for heatmap in figure.heatmaps)
    return replace(figure, heatmaps=tuple(heatmaps))


def _without_tools(heatmap: Heatmap) -> Heatmap:
    """Without what a person may do at its labels."""
    return heatmap.saying(row_source="", column_source="", headed=None)
