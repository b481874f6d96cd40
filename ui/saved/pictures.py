"""A picture of a page in one file: a figure without its numbers, which the page has once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from ui.figures.figure import Figure, Heatmap
from ui.plot.sent import as_sent


class Named(Protocol):
    """What has a name for files and a title."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...


def without_numbers(figure: Figure, of: Named, core: dict[str, Any]) -> dict[str, Any]:
    """A figure as it is sent. Its numbers are put into `core`."""
    for heatmap in figure.heatmaps:
        is_transposed, values = heatmap.matrix.is_transposed, heatmap.values
        core[heatmap.name] = values.T.copy() if is_transposed else values
    still = replace(figure, heatmaps=tuple(map(_without_tools, figure.heatmaps)))
    sent = as_sent(still)
    for matrix in sent["matrices"]:
        del matrix["values"]
    if walk := sent.get("walk"):
        walk["arithmetic"] = list(walk["arithmetic"])
    return {"name": of.name, "alt": of.title, "figure": sent}


def still(figure: Figure) -> Figure:
    """The figure with nothing to edit."""
    heatmaps = (heatmap.saying(is_given=False) for heatmap in figure.heatmaps)
    return replace(figure, heatmaps=tuple(heatmaps))


def _without_tools(heatmap: Heatmap) -> Heatmap:
    """Without what a person may do at its labels."""
    return heatmap.saying(row_source="", column_source="", headed=None)
