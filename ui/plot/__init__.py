"""Show a Plotly figure, keep it across reruns, and report the cell a person picked.

The drawing is done in the browser by `plot.js`. The server sends the figure; the two files that
draw it are fetched once, from this app, and stay in the browser's cache: `app.py` serves them by
`st.App(..., routes=plot.routes())`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import math
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


def show(
    figure: Any,
    key: str,
    *,
    alt: str,
    picked: Cell | None = None,
    on_pick: Callable[[], None] | None = None,
) -> Cell | None:
    """Show a Plotly figure; the cell that was just picked by click, Enter or Space, else None.

    A pick is an event: it is returned in the one rerun that it causes, and again if the same cell
    is picked again. Who wants to remember it keeps it in the session and passes it back as
    `picked`, which outlines the cell. `on_pick` runs before the rerun, where `just_picked` has the
    cell. `alt` says what the figure shows to people who do not see it.
    """
    plain = _plain(figure)
    mark = [picked.matrix, picked.row, picked.column] if picked else None
    result = _component(
        key=key,
        data={"figure": plain, "alt": alt, "picked": mark, "name": key},
        on_pick_change=on_pick or _nothing,
    )
    cell = _as_cell(result.get("pick"))
    return cell if cell and _has(plain, cell) else None


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


def _loader() -> str:
    """The module that Streamlit sends with every figure: it only fetches the real one.

    Its address changes with its content, so that a cache can keep it for ever.
    """
    version = hashlib.sha256(FILES["plot.js"].read_bytes()).hexdigest()[:12]
    address = f"plot/plot.js?v={version}&plotly={plotly.__version__}"
    return (HERE / "loader.js").read_text("utf-8").replace("PLOT_JS", address)


def _plain(part: Any) -> Any:
    """The figure as JSON can carry it: arrays as Plotly's typed arrays, static parts left out."""
    if isinstance(part, str | int | None):
        return part
    if hasattr(part, "to_plotly_json"):
        return _plain(part.to_plotly_json())
    if hasattr(part, "dtype") and hasattr(part, "tobytes"):
        return _typed_array(part)
    if isinstance(part, Mapping):
        return {name: _plain(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        if set(map(type, part)) <= {str, int}:  # labels, by the thousand
            return list(part)
        return [_plain(value) for value in part if not _is_static(value)]
    if isinstance(part, float) and not math.isfinite(part):
        return None  # as Plotly means it: nothing there
    return part


def _is_static(part: Any) -> bool:
    """True for what `ui.figures` adds for renderers that do not draw labels and hatching."""
    return (
        not isinstance(part, str)  # most parts of a figure: asking whether they are maps takes long
        and isinstance(part, Mapping)
        and (part.get("name") == "static" or (part.get("meta") or {}).get("static", False))
    )


def _typed_array(array: Any) -> Any:
    if array.dtype.kind not in "iuf" or not array.shape:
        return _plain(array.tolist())
    kind = array.dtype.str[1:]
    # JavaScript has typed arrays for these; it has none for half floats, and for 64-bit whole
    # numbers one that Plotly does not take.
    kind = kind if kind in {"i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"} else "f8"
    little = array.astype(f"<{kind}", copy=False)
    return {
        "dtype": kind,
        "bdata": base64.b64encode(little.tobytes()).decode("ascii"),
        "shape": ", ".join(str(size) for size in array.shape),
    }


def _as_cell(value: object) -> Cell | None:
    """What the browser sent, if it is a cell at all: anyone can send anything."""
    match value:
        case {"matrix": str(matrix), "row": int(row), "column": int(column)}:
            return Cell(matrix, row, column)
        case _:
            return None


def _has(figure: Any, cell: Cell) -> bool:
    """False for a cell of a matrix that has gone or shrunk since it was picked."""
    for trace in figure["data"]:
        meta = trace.get("meta") or {}
        if meta.get("name") == cell.matrix:
            rows, columns = len(meta["row_labels"]), len(meta["column_labels"])
            return 0 <= cell.row < rows and 0 <= cell.column < columns
    return False


def _nothing() -> None:
    """Streamlit reports an event only where something listens."""


_component = st.components.v2.component(
    "attention_plot",
    js=_loader(),
    css=(HERE / "plot.css").read_text("utf-8"),
    isolate_styles=False,  # Plotly puts its styles into the document, out of a shadow root's reach
)
