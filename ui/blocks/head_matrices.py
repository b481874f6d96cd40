"""Below one head: what it looks for, and what it moves."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from mha_core import Scenario, StackTrace, Trace
from mha_core.language import say
from mha_core.layer.matrices import axis_in
from mha_core.stack.head_products import WORDS_LOOK_FOR, WORDS_MOVE, HeadProduct, head_product
from mha_core.stack.heads import looks_for, moves
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.head_matrices import head_matrices_figure, is_narrow
from ui.number_format import format_number
from ui.state import Session

HERE: Final = "looks-for-picture"
MOSTLY: Final = 0.5  # of all that is moved

SEVERAL: Final = 2  # words, at least
COPIES_WORDS: Final = say("It copies words: each one becomes itself most.")
MOST_OF_WORDS: Final = {
    WORDS_LOOK_FOR: say("Of words, “{one}” looks most for “{other}”: {number}."),
    WORDS_MOVE: say("“{one}” becomes “{other}” most: {number}."),
}


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
    words = sentence_on_words(session.traces, session.layer, head, session.view.decimals)
    of_columns = sentence_on(session.trace, head, session.view.decimals)
    st.caption(plain(f"{of_columns} {words}".strip()))
    alt = say("Head {head}: what it looks for, and what it moves").format(head=head + 1)
    name = f"Head {head + 1} looks for"
    of = (session.traces, session.layer, head)
    shown = picture(session, name, alt, head_matrices_figure, *of, shows_moved=False)
    show(session, HERE, shown, board="one-head")
    outline(session, HERE, is_only_place=False)
    session.conversation.write_address()


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


def sentence_on_words(traces: StackTrace, layer: int, head: int, decimals: int) -> str:
    """Which word looks most for which, and which becomes which, where one is the most."""
    moved = head_product(traces, WORDS_MOVE, layer, head)
    copies = moved is not None and _each_becomes_itself(moved)
    said = (
        COPIES_WORDS
        if copies and name == WORDS_MOVE
        else _most(traces, name, layer, head, decimals)
        for name in MOST_OF_WORDS
    )
    return " ".join(filter(None, said))


def _most(traces: StackTrace, name: str, layer: int, head: int, decimals: int) -> str:
    """The largest number, if it is the only one of its row."""
    found = head_product(traces, name, layer, head)
    if found is None or found.numbers.max() <= 0:
        return ""
    row, column = divmod(int(found.numbers.argmax()), found.numbers.shape[1])
    number = found.numbers[row, column]
    if np.count_nonzero(found.numbers[row] == number) > 1:
        return ""
    return MOST_OF_WORDS[name].format(
        one=found.rows[row],
        other=found.columns[column],
        number=format_number(float(number), decimals),
    )


def _each_becomes_itself(moved: HeadProduct) -> bool:
    """More than any other word: "copies CAT to CAT"."""
    if moved.rows != moved.columns or len(moved.rows) < SEVERAL:
        return False
    itself = moved.numbers.diagonal()
    others = moved.numbers - np.diag(np.full(len(itself), np.inf))
    return bool((itself > 0).all() and (itself > others.max(axis=1)).all())


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
