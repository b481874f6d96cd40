"""Show a Plotly figure, keep it across reruns, and report the cell a person picked.

The drawing is done in the browser by `plot.js`. The server sends the figure; the two files that
draw it are fetched once, from this app, and stay in the browser's cache: `app.py` serves them by
`st.App(..., routes=plot.routes())`.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ui.plot.wire import pack, without_static

HERE: Final = Path(__file__).parent
FILES: Final = {
    "plot.js": HERE / "plot.js",
    "plotly.min.js": Path(plotly.__file__).parent / "package_data" / "plotly.min.js",
}
A_YEAR: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Cell:
    """A cell of a heatmap, by the name of its matrix and its row and column from 0."""

    matrix: str
    row: int
    column: int


@dataclass(frozen=True)
class Picture:
    """A figure ready to be sent. Packing takes longer than sending: keep what is shown again."""

    data: bytes
    width: float  # that the figure would like to have; 0 where it takes all there is
    sizes: Mapping[str, tuple[int, int]]  # rows and columns of each matrix, by its name

    @classmethod
    def of(cls, figure: Any, name: str, alt: str) -> Picture:
        """`name` is for files that are saved; `alt` says what there is to people who do not see."""
        plain = figure.to_plotly_json() if hasattr(figure, "to_plotly_json") else figure
        metas = [trace.get("meta") or {} for trace in plain["data"]]
        return cls(
            pack({"figure": without_static(plain), "alt": alt, "name": name}),
            plain["layout"].get("width", 0),
            {
                meta["name"]: (len(meta["row_labels"]), len(meta["column_labels"]))
                for meta in metas
                if "name" in meta
            },
        )

    def has(self, cell: Cell) -> bool:
        """False for a cell of a matrix that has gone or shrunk since it was picked."""
        rows, columns = self.sizes.get(cell.matrix, (0, 0))
        return 0 <= cell.row < rows and 0 <= cell.column < columns


def show(
    figure: Any, key: str, *, alt: str = "", on_pick: Callable[[], None] | None = None
) -> Cell | None:
    """Show a Plotly figure, or a Picture of one; the cell that was just picked, else None.

    A cell is picked by click, Enter or Space. A pick is an event: it is returned in the one rerun
    that it causes, and again if the same cell is picked again. Who wants to remember it keeps it in
    the session and has it outlined by `outline`. `on_pick` runs before the rerun, where
    `just_picked` has the cell. `alt` says what the figure shows to people who do not see it.
    """
    picture = figure if isinstance(figure, Picture) else Picture.of(figure, key, alt)
    result = _plot(key=key, data=picture.data, on_pick_change=on_pick or _nothing)
    cell = _as_cell(result.get("pick"))
    return cell if cell and picture.has(cell) else None


def outline(cell: Cell | None, key: str = "outlined") -> None:
    """Outline a cell wherever on the page its matrix is shown, and no other cell.

    It travels by itself: a figure that stays as it is need not be sent again for it. Each fragment
    with plots needs one of its own, under its own key.
    """
    _outline(key=key, data=[cell.matrix, cell.row, cell.column] if cell else [])


def just_picked(key: str) -> Cell | None:
    """The cell that was picked in the plot with this key, for use in its `on_pick`."""
    return _as_cell(st.session_state.get(key, {}).get("pick"))


def routes() -> list[BaseRoute]:
    """What the server must answer for plots to appear: plotly.js and the file that uses it.

    Below any base path: the browser asks beside wherever it got Streamlit's own files from.
    """
    return [
        Route("/plot/{name}", _file, name="plot"),
        Route("/{base:path}/plot/{name}", _file, name="plot-below-base-path"),
    ]


def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse("There is no such file.", status_code=404)
    headers = {"Cache-Control": A_YEAR, "Vary": "Accept-Encoding"}
    content = FILES[name].read_bytes()
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        content = _zipped(name)
        headers["Content-Encoding"] = "gzip"
    return Response(content, media_type="text/javascript", headers=headers)


@lru_cache
def _zipped(name: str) -> bytes:
    return gzip.compress(FILES[name].read_bytes(), compresslevel=6)


def _loader(part: str) -> str:
    """The module that Streamlit sends with every figure: it only fetches the real one's `part`.

    Its address changes with its content, so that a cache can keep it for ever.
    """
    version = hashlib.sha256(FILES["plot.js"].read_bytes()).hexdigest()[:12]
    address = f"plot/plot.js?v={version}&plotly={plotly.__version__}"
    return (HERE / "loader.js").read_text("utf-8").replace("PLOT_JS", address).replace("PART", part)


def _as_cell(value: object) -> Cell | None:
    """What the browser sent, if it is a cell at all: anyone can send anything."""
    match value:
        case {"matrix": str(matrix), "row": int(row), "column": int(column)}:
            return Cell(matrix, row, column)
        case _:
            return None


def _nothing() -> None:
    """Streamlit reports an event only where something listens."""


_plot = st.components.v2.component(
    "attention_plot",
    js=_loader("plot"),
    css=(HERE / "plot.css").read_text("utf-8"),
    isolate_styles=False,  # Plotly puts its styles into the document, out of a shadow root's reach
)
_outline = st.components.v2.component(
    "attention_outline", js=_loader("outline"), isolate_styles=False
)
