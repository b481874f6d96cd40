"""Pictures in a page, the cell that a person picks in them, and what is lit there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mha_core.layer.cells import Cell
from ui.figures.figure import Figure
from ui.plot.sent import as_sent
from ui.plot.serving import as_cell, loader
from ui.plot.wire import pack, stamped
from ui.reports import reported


@dataclass(frozen=True)
class Picture:
    """A figure ready to be sent. Packing takes longer than sending: keep what is shown again."""

    data: bytes
    figure: Figure
    sizes: Mapping[str, tuple[int, int]]  # rows and columns of each array, by its name

    @classmethod
    def of(
        cls, figure: Figure, name: str, alt: str, group: str = "", *, has_switch: bool = False
    ) -> Picture:
        """`name` is for files that are saved; `alt` describes it for people who cannot see it.

        Outlines are for the plots of one `group`, such as those of one session. Where it
        `has_switch`, a person may have it drawn by Plotly instead.
        """
        said = {"alt": alt, "name": name, "group": group, "has_switch": has_switch}
        return cls(
            pack({"figure": as_sent(figure), **said}),
            figure,
            {heatmap.name: heatmap.shape_of_array for heatmap in figure.heatmaps},
        )

    def has(self, cell: Cell) -> bool:
        """False for a cell of a matrix that has gone or shrunk since it was picked."""
        rows, columns = self.sizes.get(cell.matrix, (0, 0))
        return 0 <= cell.row < rows and 0 <= cell.column < columns


def show(
    figure: Figure | Picture,
    key: str,
    *,
    alt: str = "",
    on_pick: Callable[[Cell], None] | None = None,
    on_back: Callable[[], None] | None = None,
    on_plotly: Callable[[float], None] | None = None,
    reordered: int = 0,
) -> None:
    """Show a figure of `ui/figures`, or a Picture of one.

    A click or Space picks a cell, and so does Enter where it cannot be edited; the same cell may be
    picked again. `on_pick` is called each time, before the rerun that the pick causes. It keeps the
    cell where the page wants to remember it, and `outline` outlines it. `on_back` is called when
    Escape leads back from a matrix that is shown large elsewhere. `on_plotly` is called when a
    person wants to see the board drawn by Plotly, with the pixels that it has across. `alt` says
    what the figure shows to people who do not see it. `reordered` is the number of the newest entry
    that the figure knows of and that put labels in other places. Until that has come, nothing is
    edited there.
    """
    picture = figure if isinstance(figure, Picture) else Picture.of(figure, key, alt)

    def pick() -> None:
        picked = reported(key, "pick")
        cell = as_cell(picked)
        if on_pick and cell and picture.has(cell):
            on_pick(cell)
        elif on_back and picked == {"back": True}:
            on_back()

    def draw_by_plotly() -> None:
        room = reported(key, "plotly")
        if on_plotly and isinstance(room, int | float):
            on_plotly(float(room))

    _plot(
        key=key,
        data=stamped(picture.data, reordered),
        on_pick_change=pick,
        on_plotly_change=draw_by_plotly,
    )


def outline(
    cell: Cell | None,
    key: str = "outlined",
    *,
    group: str = "",
    asks_as: str = "",
    picked_at: float = 0,
    panel: str = "",
    below: str = "",
    made_of: Sequence[Sequence[Any]] = (),
    goes_into: Sequence[Sequence[Any]] = (),
    lines: Sequence[tuple[str, int]] = (),
    on_ask: Callable[[Cell | None], None] | None = None,
    on_edit: Callable[[Cell], None] | None = None,
) -> None:
    """Outline a cell in every plot of a group that shows its matrix, and no other cell there.

    It travels by itself, so an unchanged figure need not be sent again. Each fragment with plots
    needs its own outline, under its own key. `picked_at` is the time of the pick: of several
    outlines for one group, the browser takes the latest.

    `made_of` and `goes_into` are boxes of cells that are lit with it: each a matrix, its first row
    and column, and its last ones. `lines` are rows and columns, which are lit in every plot of the
    group while nothing is pointed at: a kind of thing each, and its place. `panel` is HTML about
    the cell, which stands where this is called. Its buttons lead to other cells: `on_ask` is told
    which, or None once a person closes the panel. `on_edit` is told of one that a person wants to
    edit, and that no picture shows. A container with the key `below` comes and goes
    with it. `asks_as` names who asks, for the `answer` of `routes`.
    """
    place = (cell.matrix, cell.row, cell.column) if cell else ()

    def ask() -> None:
        asked = reported(key, "asked")
        match asked:
            case {"close": True}:
                asks: Cell | None = None
            case _ if (asks := as_cell(asked)) is None:
                return
            case {"edits": True} if on_edit:
                return on_edit(asks)
        if on_ask:
            on_ask(asks)

    said = {"group": group, "picked_at": picked_at, "cell": place, "panel": panel, "below": below}
    # No lists: Streamlit searches each for a table, and imports pandas for that.
    said |= {"asks_as": asks_as, "made_of": (*made_of,), "goes_into": (*goes_into,)}
    said |= {"lines": (*lines,)}
    _outline(key=key, data=said, on_asked_change=ask)


_plot = st.components.v2.component(
    "attention_plot",
    js=loader("plot"),
    isolate_styles=False,  # the modules put their styles into the document
)
_outline = st.components.v2.component(
    "attention_outline", js=loader("outline"), isolate_styles=False
)
