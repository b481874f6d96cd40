"""What the server answers beside its pages.

The script that draws, what is known of a cell, and what a held key draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from mha_core.language import LANGUAGE, LANGUAGES
from mha_core.layer.cells import Cell
from ui.plot.spoken import in_language
from ui.plot.wire import pack

HERE: Final = Path(__file__).parent
BUILT: Final = (HERE / "built" / "plot.js").read_bytes()
SCRIPT: Final = in_language(BUILT, LANGUAGE, LANGUAGES)
VERSION: Final = hashlib.sha256(SCRIPT).hexdigest()[:12]  # another word for another script
PLACE: Final = f"plot/{VERSION}/plot.js"  # below the app
JAVASCRIPT: Final = "text/javascript; charset=utf-8"
NEVER_KEPT: Final = {"Cache-Control": "no-store"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


class Answer(Protocol):
    """Says what is known of a cell, to the side that `asks_as` names; None if nothing is.

    With `goes_on`, a link from another cell has led there. With `all_of`, the fold of this name was
    opened.
    """

    def __call__(
        self, asks_as: str, cell: Cell, /, *, goes_on: bool, all_of: str
    ) -> Mapping[str, Any] | None: ...


class Drawn(Protocol):
    """Says what a forward pass begins with, if a field held a value; None if it cannot be said."""

    def __call__(self, asks_as: str, field: str, value: str, /) -> Mapping[str, Any] | None: ...


def routes(answer: Answer | None = None, drawn: Drawn | None = None) -> list[BaseRoute]:
    """What the server must send for plots to appear: their modules.

    It works below any base path: the browser asks beside the place of Streamlit's own files. With
    `answer` it also answers questions about a cell, with the panel of an outline and its boxes;
    with `drawn`, those of a held key.
    """
    files = [Route(f"/{VERSION}/plot.js", _script, middleware=[Middleware(GZipMiddleware)])]
    if answer:
        files.append(Route("/asked", partial(_answered, answer)))
    if drawn:
        files.append(Route("/drawn", partial(_drawn, drawn)))
    return [Mount("/plot", routes=files), Mount("/{base:path}/plot", routes=files)]


def _answered(answer: Answer, request: Request) -> Response:
    """What is said of a cell, sooner than by a run of the page; null if there is no such cell."""
    asked = request.query_params
    row, column = (_as_number(asked.get(name, "")) for name in ("row", "column"))
    cell = as_cell({"matrix": asked.get("matrix"), "row": row, "column": column})
    if not cell:
        return JSONResponse(None, headers=NEVER_KEPT)
    who, all_of = asked.get("as", ""), asked.get("all_of", "")
    said = answer(who, cell, goes_on="goes_on" in asked, all_of=all_of)
    return JSONResponse(said, headers=NEVER_KEPT)


def _drawn(drawn: Drawn, request: Request) -> Response:
    """Packed as pictures are; nothing where it cannot be said."""
    who, field, value = (request.query_params.get(name, "") for name in ("as", "field", "value"))
    said = drawn(who, field, value)
    if said is None:
        return Response(status_code=204, headers=NEVER_KEPT)
    return Response(pack(said), headers=NEVER_KEPT, media_type="application/octet-stream")


def _as_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


async def _script(_: Request) -> Response:
    """The modules. An answer from a thread would wait for the page script, which runs meanwhile."""
    return Response(SCRIPT, headers=FOR_EVER, media_type=JAVASCRIPT)


def loader(part: str) -> str:
    """The text that Streamlit sends with every figure: it fetches the modules, and takes a part."""
    text = (HERE / "loader.js").read_text("utf-8")
    return text.replace("VERSION", VERSION).replace("PART", part)


def as_cell(value: object) -> Cell | None:
    """What the browser sent, if it is a cell at all: anyone can send anything."""
    match value:
        case {"matrix": str(matrix), "row": int(row), "column": int(column)}:
            try:
                return Cell.of_matrix(matrix, row, column)
            except ValueError:  # the name of no matrix
                return None
        case _:
            return None
