"""Which head of a layer may read what which head of an earlier layer has written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core import Scenario
from mha_core.language import say
from mha_core.stack.composition import WAYS, composition
from ui.figures.drawing import Look, cell_of_wide, figure_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix

CELL: Final = 34
HEIGHT: Final = 0.4  # widths of a cell
TITLES: Final[Mapping[str, str]] = {
    "q": say("through queries"),
    "k": say("through keys"),
    "v": say("through values"),
}


def composition_figure(earlier: Scenario, later: Scenario, look: Look | None = None) -> Figure:
    """Three matrices: heads of the earlier layer by heads of the later one."""
    matrices = [
        Matrix(
            name=f"composition/{way}",
            title=say("Composition {way}").format(way=TITLES[way]),
            heading=TITLES[way][:1].upper() + TITLES[way][1:],
            values=composition(earlier, later, way),
            row_labels=_names(earlier),
            column_labels=_names(later),
            rows="earlier head",
            columns="later head",
            row_word=say("writes"),
            column_word=say("reads"),
            scale="sequential",
            color_group="weights",
            row_height=HEIGHT,
        )
        for way in WAYS
    ]
    cell = min(CELL, cell_of_wide(3 * (later.n_heads + 1)))
    return figure_of([matrices], [[each] for each in matrices], look=look, cell=cell)


def _names(s: Scenario) -> list[str]:
    return [say("head {head}").format(head=head + 1) for head in range(s.n_heads)]
