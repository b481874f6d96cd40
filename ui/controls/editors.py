"""The editor of one array of the scenario: in a grid, as text, or from a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import streamlit as st

from mha_core.changing.recipes import WEIGHTS
from mha_core.io.matrix.files import write_matrix
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from ui.controls.grid import grid
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.controls.save_button import save_button
from ui.controls.whole_matrix import file_editor, text_editor
from ui.edits.editable_array import EDITABLE, Editable
from ui.state import Session

STYLE: Final = Path(__file__).parent / "editors.css"
MEANINGS: Final = {
    "mask.custom": say("1 means that the query may attend to the key, 0 that it may not."),
    "b_s": say("What each head adds to its own scores, before the mask."),
    "w_f": say(
        "It makes two shares of X for each head: by their factor each query multiplies what the "
        "head adds, b_S."
    ),
    "b_f": say("It is added to X W_F: the shares of a query are 0.5 where the sum is 0."),
    "c_f": say("The second share of a head is multiplied by it; 1 where it is left out."),
    "context_v": say("Values are made from these rows, queries and keys are not."),
    "sinks": say(
        "One more score in each row of a head: it takes weight, and has no value. A sink of 0 "
        "takes weight too; leave them out to have none."
    ),
    "r_k": say(
        "A row for each distance from a query to a key: -1 is the token before it. A query meets "
        "the key plus this row. What is farther away has the row at the end. If places have "
        "several axes, -1 … is one step back on the first, and … -1 on the last."
    ),
    "r_q": say(
        "A row for each distance from a query to a key, as in R_K: a key meets the query plus it."
    ),
    "w_g": say("It makes the gate of X, by which what a head gives is multiplied before W_O."),
    "b_g": say("It opens the gate where it is above 0, and shuts it where it is below."),
    "mask.additive": say("They are added to the scaled scores; -inf hides the key."),
}
NOT_THERE: Final = {
    "context": say("There is no second sequence. Enter its tokens first."),
    "context_v": say(
        "Values are made from the rows of the keys. Give them rows of their own first."
    ),
}
Change = Callable[[Scenario], Scenario]


def matrix_editor(session: Session, name: str, *, head: int | None = None) -> None:
    """Edit one array of EDITABLE; with `head`, counted from 0, only what that head has of it.

    An array without heads, such as X, ignores `head`. The tab that was chosen stays
    the same for every array.
    """
    array = Editable(name, head if "heads*" in EDITABLE[name].dims.names else None)
    s = session.scenario
    if not array.is_there(s):
        st.caption(NOT_THERE[name])
        return
    key = f"edit {name}" if array.head is None else f"edit {name} {array.head}"
    st.html(STYLE)
    st.caption(_what(array, s))
    names = [say("Grid"), say("Text"), say("File")]
    tabs = st.tabs(names, key=session.key("edit-as"), on_change="rerun")
    in_grid, as_text, from_file = tabs
    if in_grid.open:
        with in_grid:
            grid(session, key, array)
    elif as_text.open:
        with as_text:
            text_editor(session, f"{key} text", array)
    else:
        with from_file:
            file_editor(session, f"{key} file", array)
    _actions(session, key, array)


def _what(array: Editable, s: Scenario) -> str:
    """What is edited, of which size, and which heads share it."""
    rows, columns = array.numbers(s).shape
    size = say("{matrix}: {axes} = {rows} × {columns} numbers.")
    axes = " × ".join(array.dims.axes)
    said = [size.format(matrix=array.title, axes=axes, rows=rows, columns=columns)]
    if len(shared := array.shared_by(s)) > 1:
        heads = say("Heads {first} to {last} share it.")
        said.append(heads.format(first=shared.start + 1, last=shared.stop))
    return plain(" ".join([*said, MEANINGS.get(array.name, "")]))


def _actions(session: Session, key: str, array: Editable) -> None:
    """One click for what takes long by hand, and the numbers to take away."""
    s = session.scenario
    numbers = array.numbers(s)
    changes: dict[str, tuple[str, Change]] = {}
    if array.may_be_left_out:
        meaning = say("Continue without {matrix}").format(matrix=array.title)
        changes[say("Leave out")] = (meaning, array.left_out)
    else:
        changes[say("All zeros")] = ("", lambda s: array.put(s, np.zeros_like(numbers)))
    if source := array.source(s):
        meaning = say("Undo all edits of {matrix}").format(matrix=array.title)
        changes[say("As {source}").format(source=source)] = (meaning, array.made_again)
    if array.name in WEIGHTS and numbers.shape[0] == numbers.shape[1]:
        meaning = say("Rows become columns: some frameworks store weights the other way round")
        changes[say("Transpose")] = (meaning, lambda s: array.put(s, array.numbers(s).T))
    with st.container(horizontal=True):
        for label, (meaning, change) in changes.items():
            st.button(
                label,
                key=session.key(f"{key} {label}"),
                help=plain(meaning) or None,
                on_click=session.attempt,
                args=(key, label, change),
            )
        with st.container(horizontal=True, width="content"):
            for label, kind in (("CSV", "csv"), ("NumPy", "npy")):
                file_name = f"{array.file_name}.{kind}"
                save_button(
                    label,
                    partial(write_matrix, numbers, file_name),
                    file_name,
                    key=session.key(f"{key} {kind}"),
                    icon=":material/download:",
                )
    show_refusal(session, key)
