"""The mask as a picture, in which a person draws by clicking cells."""

from __future__ import annotations

from functools import partial

import streamlit as st

from mha_core.changing.changes import with_mask_cell_toggled
from mha_core.layer.cells import Cell
from ui import plot
from ui.blocks.anchor import anchor
from ui.blocks.picture import picture
from ui.controls.fields import show_refusal
from ui.figures import pictures
from ui.state import Session


def mask_picture(session: Session) -> None:
    """The mask as it is, an editor like the others: a click on a cell hides it or shows it."""
    with st.container(gap=None):
        anchor(session, "mask")
        if "editors" in session.view.hide:
            return
        place = st.expander("Draw the mask", key=session.key("mask-picture"), on_change="rerun")
    if not place.open:
        return
    with place:
        st.caption("Click a cell to hide that key from that query. Click it again to show it.")
        alt = "The mask, query rows and key columns"
        shown = picture(session, "mask", alt, pictures.mask_figure)
        if shown:
            plot.show(shown, session.key("mask"), on_pick=partial(_toggle, session))
        show_refusal(session, "mask-cell")


def _toggle(session: Session, cell: Cell) -> None:
    session.attempt("mask-cell", cell, lambda s: with_mask_cell_toggled(s, cell.row, cell.column))
