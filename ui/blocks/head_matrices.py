"""Below one head: what it looks for, and what it moves."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from mha_core import Scenario, Trace
from mha_core.language import say
from mha_core.layer.matrices import axis_in
from mha_core.stack.heads import looks_for, moves
from ui.blocks.picture import picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.head_matrices import head_matrices_figure, is_narrow
from ui.number_format import format_number
from ui.state import Session

MOSTLY: Final = 0.5  # of all that is moved


def what_a_head_looks_for(session: Session, head: int) -> None:
    """A fold, which makes nothing while it is closed."""
    if not is_narrow(session.scenario):
        return
    place = st.expander(
        say("What it looks for, and what it moves"),
        key=session.key("looks-for"),
        on_change="rerun",
        type="compact",
    )
    if place.open:
        with place:
            _shown(session, head)


@follows_numbers(PICTURES)
def _shown(session: Session, head: int) -> None:
    leave_to_whole_page(session)
    st.caption(plain(sentence_on(session.trace, head, session.view.decimals)))
    alt = say("Head {head}: what it looks for, and what it moves").format(head=head + 1)
    name = f"Head {head + 1} looks for"
    shown = picture(session, name, alt, head_matrices_figure, head, shows_moved=False)
    show(session, "looks-for-picture", shown, board="one-head", can_be_picked=False)


def sentence_on(trace: Trace, head: int, decimals: int) -> str:
    """The largest number of what it looks for; whether it copies, only where it does."""
    s = trace.scenario
    wants = looks_for(s, head)
    row, column = divmod(int(wants.argmax()), wants.shape[1])
    largest = float(wants[row, column])
    names = [axis_in(trace, axis).labels for axis in ("d_model", "d_model_kv")]
    says = say(
        "A score without its scale is a row of X times the first matrix times another row of X."
    )
    if largest > 0:
        most = say("Column {query} of a query looks most for column {key} of a key: {number}.")
        number = format_number(largest, decimals)
        says = f"{says} {most.format(query=names[0][row], key=names[1][column], number=number)}"
    return f"{says} {_copying(s, head)}".rstrip()


def _copying(s: Scenario, head: int) -> str:
    moved = moves(s, head)
    everything = float(np.abs(moved).sum())
    if moved.shape[0] != moved.shape[1] or not everything:
        return ""
    kept = float(np.diagonal(moved).clip(min=0).sum()) / everything
    if kept < MOSTLY:
        return ""
    return say("It copies: {share:.0%} of what it moves goes back to where it came from.").format(
        share=kept
    )
