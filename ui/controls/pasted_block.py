"""A pasted block that is larger than the room for it: a person decides what is done with it."""

from __future__ import annotations

import streamlit as st

from mha_core.language import say
from ui.controls.in_sight import bring_into_sight
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.edits.editable_array import Editable
from ui.edits.typed_cells import PastedBlock, with_cells
from ui.state import Session


def ask_about_block(session: Session, key: str, array: Editable) -> None:
    """What to do with a block that does not fit; it is kept until one of the buttons is pressed."""
    show_refusal(session, key)
    block = session.blocks.get(key)
    if block is None:
        return
    with st.container(key=session.key(f"{key} asked")):
        _ask(session, key, array, block)
        bring_into_sight(session, key)


def _ask(session: Session, key: str, array: Editable, block: PastedBlock) -> None:
    rows, columns = array.numbers(session.scenario).shape
    st.warning(plain(_why_it_does_not_fit(block, array, rows, columns)))
    new_rows = block.row + block.height
    fits_across = block.column + block.width <= columns

    def take(rows_after: int) -> None:
        part = block.part_that_fits(rows_after, columns)
        session.attempt(key, block, lambda s: with_cells(s, array, part.cells, rows_after))
        if key not in session.refusals:
            leave()

    def leave() -> None:
        session.blocks.pop(key, None)
        session.refusals.pop(key, None)

    with st.container(horizontal=True):
        if array.may_have_more_rows and fits_across and new_rows > rows:
            says = say("Resize {matrix} to {count} rows and paste")
            label = says.format(matrix=array.title, count=new_rows)
            st.button(label, key=session.key(f"{key} resize"), on_click=take, args=(new_rows,))
        st.button(
            say("Paste only what fits"), key=session.key(f"{key} cut"), on_click=take, args=(rows,)
        )
        st.button(say("Do not paste"), key=session.key(f"{key} leave"), on_click=leave)


def _why_it_does_not_fit(block: PastedBlock, array: Editable, rows: int, columns: int) -> str:
    says = say(
        "The pasted block has {size} numbers. From the cell that you chose, {matrix} has room for "
        "{room}. Nothing has been pasted yet."
    )
    size = f"{block.height} × {block.width}"
    room = f"{max(0, rows - block.row)} × {max(0, columns - block.column)}"
    return says.format(size=size, matrix=array.title, room=room)
