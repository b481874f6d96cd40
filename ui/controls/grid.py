"""A grid of numbers that are edited as text. Whatever is typed stays until it is a number."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import streamlit as st

from mha_core.language import say
from ui.controls.own_component import own_component
from ui.controls.pasted_block import ask_about_block
from ui.controls.refusal import show_refusal
from ui.edits.editable_array import Editable
from ui.edits.typed_cells import Cells, PastedBlock, with_cells
from ui.reports import reported
from ui.state import Session
from ui.state.open_grids import Typed, column_id, open_grid

SIDE: Final = 64  # rows and columns that a grid shows at once
ROWS_IN_VIEW: Final = 16
HEIGHT: Final = 560  # pixels, of a grid that has more
COLUMN_WIDTH: Final = 84


def grid(session: Session, key: str, array: Editable) -> None:
    """The numbers of an array in cells; of a large one, a window that a person can move."""
    window = _window(session, key, array)
    rows, columns = window
    s = session.scenario
    labels = (
        list(array.labels(s, 0)[rows.start : rows.stop]),
        list(array.labels(s, 1)[columns.start : columns.stop]),
    )
    opened = open_grid(
        session, f"{key} {rows.start} {columns.start}", array.numbers(s)[window], labels
    )

    def enter() -> None:
        typed = opened.typed
        cells = _in_the_array(typed, window)
        session.attempt(opened.key, typed, lambda s: with_cells(s, array, cells))
        opened.hear(array.numbers(session.scenario)[window])

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
            alt=say("{matrix}, to be edited").format(matrix=array.title),
            on_change=enter,
        )
        _guard_of_grid(session, f"{opened.widget} guard", f"{key} block", array, window)
    show_refusal(session, opened.key)
    ask_about_block(session, f"{key} block", array)


def _window(session: Session, key: str, array: Editable) -> tuple[slice, slice]:
    """The rows and columns to show: all of them, or those that were chosen."""
    shape = array.numbers(session.scenario).shape
    places: tuple[Any, ...] = (st, st)
    if max(shape) > SIDE:
        # The grid's own tools appear above its right corner: the fields leave it free.
        with st.container(key=session.key("window of the grid")):
            places = tuple(st.columns([2, 2, 1]))
    axes = (say("Rows"), say("Columns"))
    rows, columns = (
        _stretch(place, session.key(f"{key} {axis}"), axis, count)
        for place, axis, count in zip(places, axes, shape, strict=False)
    )
    return rows, columns


def _stretch(place: Any, key: str, axis: str, count: int) -> slice:
    if count <= SIDE:
        return slice(0, count)
    says = say("{first} to {last} of {count}")
    start: int = place.selectbox(
        axis,
        range(0, count, SIDE),
        format_func=lambda start: says.format(
            first=start + 1, last=min(start + SIDE, count), count=count
        ),
        key=f"{key} of {count}",  # else it goes on showing the count that it was made with
    )
    return slice(start, min(start + SIDE, count))


def _in_the_array(typed: Typed, window: tuple[slice, slice]) -> Cells:
    """What was typed in the window, by its place in the whole array."""
    rows, columns = window
    return {(rows.start + i, columns.start + j): text for (i, j), text in typed.items()}


# A pasted block that is larger than the room for it.


def _guard_of_grid(
    session: Session, widget: str, key: str, array: Editable, window: tuple[slice, slice]
) -> None:
    """Hear of a pasted block that the grid would cut, and keep it until a person has decided."""
    rows, columns = window

    def hear() -> None:
        match reported(widget, "block"):  # anyone can send anything
            case {"row": int(row), "column": int(column), "text": str(text)}:
                pass
            case _:
                return
        if not (0 <= row < rows.stop - rows.start and 0 <= column < columns.stop - columns.start):
            return
        block = PastedBlock.of_text(rows.start + row, columns.start + column, text)
        if block.fits(*array.numbers(session.scenario).shape):  # only the window is too small
            session.attempt(key, block, lambda s: with_cells(s, array, block.cells))
        else:
            session.blocks[key] = block

    _guard(
        key=widget,
        data={
            "rows": rows.stop - rows.start,
            "columns": columns.stop - columns.start,
            "editor": EDITOR_FILE,
        },
        on_block_change=hear,
    )


def _editor_file() -> str:
    """Streamlit's file that takes typing in a grid; "" if a later Streamlit renames it."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    return next((file.name for file in folder.glob("data-grid-overlay-editor.*.js")), "")


EDITOR_FILE: Final = _editor_file()

_guard = own_component(__file__, "grid_guard")
