"""A grid of numbers that are edited as text: whatever is typed stays until it is mended."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import streamlit as st

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import FloatArray
from mha_core.scenario.scenario import Scenario
from ui.controls.parts import refusal
from ui.edits.editable_array import Editable
from ui.state import Session
from ui.state.open_grids import Typed, column_id, open_grid

SIDE: Final = 64  # rows and columns that a grid shows at once
ROWS_IN_VIEW: Final = 16
HEIGHT: Final = 560  # pixels, of a grid that has more
COLUMN_WIDTH: Final = 84
LONGEST_LABEL: Final = 40  # characters of a token in an error

_SEVERAL: Final = re.compile(r"\d[,;\s]+[-+.\d]")


def grid(session: Session, key: str, part: Editable) -> None:
    """The numbers of `part` in cells; of a large array, a window that a person can move."""
    window = _window(session, key, part)
    rows, columns = window
    s = session.scenario
    labels = (
        [part.label(s, 0, i) for i in range(rows.start, rows.stop)],
        [part.label(s, 1, i) for i in range(columns.start, columns.stop)],
    )
    opened = open_grid(
        session, f"{key} {rows.start} {columns.start}", part.numbers(s)[window], labels
    )

    def enter() -> None:
        typed = opened.typed

        def change(s: Scenario) -> Scenario:
            numbers = part.numbers(s).astype(np.float64)
            _read_into(numbers, part, typed, window, labels)
            return part.put(s, numbers)

        session.attempt(opened.key, typed, change)
        opened.hear(part.numbers(session.scenario)[window])

    with st.container(key=f"{opened.widget} grid", gap=None):
        st.data_editor(
            opened.table,
            key=opened.widget,
            width="content",
            height="content" if len(labels[0]) <= ROWS_IN_VIEW else HEIGHT,
            column_config={
                column_id(i): st.column_config.TextColumn(label or " ", width=COLUMN_WIDTH)
                for i, label in enumerate(labels[1])
            },
            disabled=["_index"],
            placeholder="",
            alt=f"{part.title}, to be edited",
            on_change=enter,
        )
        _guard(
            key=f"{opened.widget} guard",
            data={"rows": len(labels[0]), "columns": len(labels[1]), "editor": EDITOR_FILE},
        )
    refusal(session, opened.key)


def _window(session: Session, key: str, part: Editable) -> tuple[slice, slice]:
    """The rows and columns to show: all of them, or those that were chosen."""
    shape = part.numbers(session.scenario).shape
    places = st.columns(2) if max(shape) > SIDE else (st, st)
    rows, columns = (
        _stretch(place, session.key(f"{key} {axis}"), axis, count)
        for place, axis, count in zip(places, ("Rows", "Columns"), shape, strict=True)
    )
    return rows, columns


def _stretch(place: Any, key: str, axis: str, count: int) -> slice:
    if count <= SIDE:
        return slice(0, count)
    start: int = place.selectbox(
        axis,
        range(0, count, SIDE),
        format_func=lambda start: f"{start + 1} to {min(start + SIDE, count)} of {count}",
        key=f"{key} of {count}",  # else it goes on showing the count that it was made with
    )
    return slice(start, min(start + SIDE, count))


def _read_into(
    numbers: FloatArray,
    part: Editable,
    typed: Typed,
    window: tuple[slice, slice],
    labels: tuple[list[str], list[str]],
) -> None:
    """Put what was typed where it belongs; the first cell without a number is refused by place."""
    wrong: list[tuple[str, NumberError]] = []
    for (row, column), text in sorted(typed.items()):
        i, j = window[0].start + row, window[1].start + column
        places = _place("row", i, labels[0][row]), _place("column", j, labels[1][column])
        where = ", ".join([part.title, *places])
        try:
            numbers[i, j] = part.read_cell(text, where)
        except NumberError as error:
            wrong.append((text, error))
    if wrong:
        raise _first_of(wrong)


def _place(line: str, index: int, label: str) -> str:
    """A row or a column as an error names it.

    >>> _place("row", 1, "LOVE"), _place("column", 4, "5")
    ('row 2 (LOVE)', 'column 5')
    """
    number = str(index + 1)
    name = "" if label in ("", number) else f" ({label[:LONGEST_LABEL]})"
    return f"{line} {number}{name}"


def _first_of(wrong: list[tuple[str, NumberError]]) -> NumberError:
    """The first error with what to do about it, and how many more there are."""
    (text, first), *others = wrong
    way_out = first.way_out
    if _SEVERAL.search(text):
        way_out += " Several numbers at once go under Text."
    if others:
        way_out += f" {len(others)} more {'cell is' if len(others) == 1 else 'cells are'} wrong."
    return NumberError(first.thing, first.need, first.got, way_out)


def _editor_file() -> str:
    """The file of Streamlit's that takes typing in a grid; "" if it has another name one day."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return next((file.name for file in folder.glob("data-grid-overlay-editor.*.js")), "")


EDITOR_FILE: Final = _editor_file()

_guard: Callable[..., Any] = st.components.v2.component(
    "grid_guard",
    html='<p class="grid-note" role="status"></p>',
    js=(Path(__file__).parent / "grid_guard.js").read_text("utf-8"),
    css=(Path(__file__).parent / "grid_guard.css").read_text("utf-8"),
    isolate_styles=False,  # it looks after its neighbour, from a shadow root it would see nobody
)
