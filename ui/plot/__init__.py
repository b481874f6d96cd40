"""Show a figure, keep it across reruns, and report the cell a person picked.

The browser draws, by the modules in `js/`; the server sends the figure alone. `app.py` serves what
`make bundle` built of the modules and styles, one file beside the pages, by
`st.App(..., routes=plot.routes())`. It is fetched once and then stays in the cache of the browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from mha_core.layer.cells import Cell
from ui.figures.figure import Figure
from ui.plot.sent import as_sent
from ui.plot.wire import pack, stamped
from ui.reports import reported

HERE: Final = Path(__file__).parent
SCRIPT: Final = (HERE / "built" / "plot.js").read_bytes()
VERSION: Final = hashlib.sha256(SCRIPT).hexdigest()[:12]  # another word for another script
JAVASCRIPT: Final = "text/javascript; charset=utf-8"
MOST_ENTRIES: Final = 2**32 - 1  # of one session: as many as a stamp can count
NEVER_KEPT: Final = {"Cache-Control": "no-store"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True)
class Picture:
    """A figure ready to be sent. Packing takes longer than sending: keep what is shown again."""

    data: bytes
    figure: Figure
    sizes: Mapping[str, tuple[int, int]]  # rows and columns of each array, by its name

    @classmethod
    def of(cls, figure: Figure, name: str, alt: str, group: str = "") -> Picture:
        """`name` is for files that are saved; `alt` describes it for people who cannot see it.

        Outlines are for the plots of one `group`, such as those of one session.
        """
        return cls(
            pack({"figure": as_sent(figure), "alt": alt, "name": name, "group": group}),
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
    on_plotly: Callable[[float], None] | None = None,
    reordered: int = 0,
) -> None:
    """Show a figure of `ui/figures`, or a Picture of one.

    A cell is picked by click or Space, and by Enter where it cannot be edited; the same cell may be
    picked again. `on_pick` is told each time, before the rerun that the pick causes. It keeps the
    cell where the page wants to remember it, and `outline` outlines it. `on_plotly` is told when a
    person wants to see the board drawn by Plotly, with the pixels that it has across. `alt` says
    what the figure shows to people who do not see it. `reordered` is the number of the newest entry
    that the figure knows of and that put labels in other places. Until that has come, nothing is
    edited there.
    """
    picture = figure if isinstance(figure, Picture) else Picture.of(figure, key, alt)

    def pick() -> None:
        cell = as_cell(reported(key, "pick"))
        if on_pick and cell and picture.has(cell):
            on_pick(cell)

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
) -> None:
    """Outline a cell in every plot of a group that shows its matrix, and no other cell there.

    It travels by itself: a figure that stays as it is need not be sent again for it. Each fragment
    with plots needs one of its own, under its own key. `picked_at` is the time of the pick: of
    several outlines for one group, the browser takes the latest.

    `made_of` and `goes_into` are boxes of cells that are lit with it: each a matrix, its first row
    and column, and its last ones. `lines` are rows and columns, which are lit in every plot of the
    group while nothing is pointed at: a kind of thing each, and its place. `panel` is HTML about
    the cell, which stands where this is called. Its buttons lead to other cells: `on_ask` is told
    which, or None once a person closes the panel. A container with the key `below` comes and goes
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
        if on_ask:
            on_ask(asks)

    said = {"group": group, "picked_at": picked_at, "cell": place, "panel": panel, "below": below}
    # No lists: Streamlit looks through each for a table, and imports pandas for it.
    said |= {"asks_as": asks_as, "made_of": (*made_of,), "goes_into": (*goes_into,)}
    said |= {"lines": (*lines,)}
    _outline(key=key, data=said, on_asked_change=ask)


@dataclass(frozen=True)
class Entry:
    """What a person typed or pasted into a cell of a picture. Entries are numbered from 1."""

    number: int
    matrix: str
    row: int
    column: int
    text: str


@dataclass(frozen=True)
class OnLabel:
    """What a person did to a label in a picture. These are numbered together with entries.

    `act` is rename, add, remove, move or switch. `source` says what the labels stand for, as in
    the meta of a figure; that of headings is "heads". `text` is the new name; `to` is where the
    label is moved.
    """

    number: int
    matrix: str
    source: str
    place: int
    act: str
    text: str
    to: int


@dataclass(frozen=True)
class IntoField:
    """What a person entered into a field of the form. Numbered together with the other entries."""

    number: int
    field: str
    value: Any


AnyEntry = Entry | OnLabel | IntoField


@dataclass(frozen=True)
class Refused:
    """An entry that stays in its cell, with the reason why it was not taken."""

    matrix: str
    row: int
    column: int
    text: str
    reason: str


@dataclass(frozen=True)
class RefusedLabel:
    """The same on a label. A name stays there; of another act, the reason alone is shown."""

    matrix: str
    source: str
    place: int
    act: str
    text: str
    reason: str


@dataclass(frozen=True, eq=False)
class Live:
    """What a browser is told of the forward pass, which it computes while a number is dragged.

    `version` counts the scenarios of a session. `inputs` are those of ui/edits/forward_inputs.py,
    where the browser has asked for them; `why_not` says in words why it cannot have them.
    """

    version: int
    inputs: Mapping[str, Any] | None = None
    why_not: str = ""


def entries(
    key: str,
    *,
    group: str,
    on_enter: Callable[[Sequence[AnyEntry]], None],
    on_want: Callable[[], None],
) -> None:
    """Let people edit given numbers and labels in the plots of a group. Such numbers are framed.

    It stands once for each group. `on_enter` is told all entries of which the browser has not heard
    that they were taken, the oldest first; so it may be told of one twice. While a number is
    dragged, the browser computes all that follows from it. `on_want` is told when it needs the
    inputs for that. `tell` answers both.
    """

    def enter() -> None:
        on_enter(_as_entries(reported(key, "entered")))

    _entries(key=key, data={"group": group}, on_entered_change=enter, on_wanted_change=on_want)


def tell(
    key: str,
    *,
    group: str,
    run: int,
    taken: int,
    refused: Sequence[Refused | RefusedLabel],
    are_cells_open: bool,
    live: Live,
    history: Mapping[str, Any],
) -> None:
    """Tell the browser what became of the entries into a group, below all of its plots.

    `taken` is the number of the newest entry that was heard of. Where cells are not open, only what
    is entered into the form is told. `run` counts the runs of the page: the browser hears of each.
    `history` goes on to the buttons of undo and redo, which do not come with each run.
    """
    said = {
        "group": group,
        "run": run,
        "taken": taken,
        "is_open": are_cells_open,
        "refused": [asdict(each) for each in refused],
        "version": live.version,
        "inputs": live.inputs,
        "why_not": live.why_not,
        "history": history,
    }
    _told(key=key, data=pack(said))


def form(key: str, *, group: str, sections: Sequence[Mapping[str, Any]], gone: str = "") -> None:
    """Fields of a scenario, in sections, as js/form.js describes them.

    `entries` of the group tell what is entered. `gone` says why an entry into a field that is not
    there any more was refused. The plots of the group follow a slider of the form while it moves.
    When it is let go, it is an entry into the matrix of its name, row 0 and column 0: the number,
    or "none".
    """
    # As bytes: through a dict of many, Streamlit would look for tables.
    _form(key=key, data=pack({"group": group, "sections": sections, "gone": gone}))


class Answer(Protocol):
    """Says what is known of a cell to who asks by this name; None where there is nothing.

    With `goes_on`, a link from another cell has led there. With `all_of`, the fold of this name was
    opened.
    """

    def __call__(
        self, asks_as: str, cell: Cell, /, *, goes_on: bool, all_of: str
    ) -> Mapping[str, Any] | None: ...


def routes(answer: Answer | None = None) -> list[BaseRoute]:
    """What the server must answer for plots to appear: with their modules.

    Below any base path: the browser asks beside wherever it got Streamlit's own files from. With
    `answer` it also answers who asks about a cell: with the panel of an outline, and its boxes.
    """
    files = [Route(f"/{VERSION}/plot.js", _script, middleware=[Middleware(GZipMiddleware)])]
    if answer:
        files.append(Route("/asked", partial(_answered, answer)))
    return [Mount("/plot", routes=files), Mount("/{base:path}/plot", routes=files)]


def _answered(answer: Answer, request: Request) -> Response:
    """What is said of a cell, sooner than by a run of the page; null where there is no cell."""
    asked = request.query_params
    row, column = (_as_number(asked.get(name, "")) for name in ("row", "column"))
    cell = as_cell({"matrix": asked.get("matrix"), "row": row, "column": column})
    if not cell:
        return JSONResponse(None, headers=NEVER_KEPT)
    who, all_of = asked.get("as", ""), asked.get("all_of", "")
    said = answer(who, cell, goes_on="goes_on" in asked, all_of=all_of)
    return JSONResponse(said, headers=NEVER_KEPT)


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


def _as_entries(value: object) -> list[AnyEntry]:
    """What the browser sent, so far as it is entries: anyone can send anything."""
    read: list[AnyEntry] = []
    for each in value if isinstance(value, list) else ():
        match each:
            case {
                "number": int(number),
                "matrix": str(matrix),
                "row": int(row),
                "column": int(column),
                "text": str(text),
            }:
                read.append(Entry(number, matrix, row, column, text))
            case {
                "number": int(number),
                "matrix": str(matrix),
                "source": str(source),
                "place": int(place),
                "act": str(act),
                "text": str(text),
                "to": int(to),
            }:
                read.append(OnLabel(number, matrix, source, place, act, text, to))
            case {"number": int(number), "field": str(field), "value": entered}:
                read.append(IntoField(number, field, entered))
    counted = (each for each in read if 0 < each.number <= MOST_ENTRIES)
    return sorted(counted, key=lambda entry: entry.number)


_plot = st.components.v2.component(
    "attention_plot",
    js=loader("plot"),
    isolate_styles=False,  # the modules put their styles into the document
)
_outline = st.components.v2.component(
    "attention_outline", js=loader("outline"), isolate_styles=False
)
_entries = st.components.v2.component(
    "attention_entries", js=loader("entries"), isolate_styles=False
)
_told = st.components.v2.component("attention_told", js=loader("told"), isolate_styles=False)
_form = st.components.v2.component("attention_form", js=loader("form"), isolate_styles=False)
