"""Editors for the arrays of a scenario: in a grid, as text, or from a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import streamlit as st

from mha_core.checks.errors import FileError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.io.matrix.files import FILE_TYPES, read_matrix, write_matrix
from mha_core.io.matrix.text import format_matrix, parse_matrix
from mha_core.scenario.scenario import Scenario
from ui.controls.grid import grid
from ui.controls.parts import refusal
from ui.controls.text import plain
from ui.edits.editable_array import EDITABLE, Editable
from ui.state import Session

STYLE: Final = Path(__file__).parent / "editors.css"
MEGABYTE: Final = 1024 * 1024
ROWS_SHOWN: Final = 6  # of the present numbers, in an empty text box
WIDTH_SHOWN: Final = 100  # characters of a row of them
ACCEPTED: Final = (
    "Paste CSV, TSV or numbers with spaces, lists of Python, NumPy, JSON, MATLAB or Mathematica, "
    "LaTeX, or a Markdown table. 1e-3, -2,5 and 1/3 are numbers."
)
MEANINGS: Final = {
    "mask.custom": " 1 may attend, 0 is hidden.",
    "mask.additive": " They are added to the scaled scores; -inf hides.",
}
Change = Callable[[Scenario], Scenario]


def matrix_editor(session: Session, name: str, *, head: int | None = None) -> None:
    """Edit one array of EDITABLE; with `head`, counted from 0, only what that head has of it.

    A head is passed over where an array has no heads, as X has none.
    """
    part = Editable(name, head if "heads*" in EDITABLE[name].dims.names else None)
    s = session.scenario
    if name == "context" and s.context is None:
        st.caption("There is no second sequence. Give its tokens first.")
        return
    key = f"edit {name}" if part.head is None else f"edit {name} {part.head}"
    st.html(STYLE)
    st.caption(_what(part, s))
    in_grid, as_text, from_file = st.tabs(["Grid", "Text", "File"])
    with in_grid:
        grid(session, key, part)
    with as_text:
        _text(session, f"{key} text", part)
    with from_file:
        _file(session, f"{key} file", part)
    _actions(session, key, part)


def _what(part: Editable, s: Scenario) -> str:
    """What is edited, of which size, and who shares it."""
    rows, columns = part.numbers(s).shape
    what = f"{part.title}: {' × '.join(part.dims.axes)} = {rows} × {columns} numbers."
    if len(shared := part.shared_by(s)) > 1:
        what += f" Heads {shared.start + 1} to {shared.stop} share it."
    return plain(what + MEANINGS.get(part.name, ""))


def _text(session: Session, key: str, part: Editable) -> None:
    """A box for a whole matrix in any notation; it is emptied when its text was taken."""
    widget = session.key(key)

    def replace() -> None:
        text = st.session_state[widget]
        session.attempt(key, text, lambda s: part.put(s, _from_text(part, text)))
        if key not in session.refusals:
            st.session_state[widget] = ""

    if (refused := session.refusals.get(key)) and widget not in st.session_state:
        st.session_state[widget] = refused.entered
    with st.form(f"{widget} form", border=False):
        st.text_area(
            f"{part.title} as text",
            key=widget,
            height=160,
            placeholder=shown(part.numbers(session.scenario)),
        )
        st.caption(plain(ACCEPTED))
        st.form_submit_button("Replace", on_click=replace)
    refusal(session, key)


def _from_text(part: Editable, text: str) -> FloatArray:
    return parse_matrix(text, part.title, minus_infinity=part.minus_infinity)


def shown(numbers: FloatArray) -> str:
    """The numbers as they can be typed back; of many, those that begin the first rows.

    >>> print(shown(np.array([[1, 0.5, -np.inf], [0, 1e-9, 1]])))
    1,0.5,-inf
    0,1e-9,1
    """
    rows = format_matrix(numbers[:ROWS_SHOWN, :WIDTH_SHOWN]).splitlines()
    lines = [_cut(row) for row in rows]
    if len(numbers) > ROWS_SHOWN:
        lines[-1] = "…"
    return "\n".join(lines)


def _cut(row: str) -> str:
    """The row if it is short, else the numbers that it begins with."""
    return row if len(row) <= WIDTH_SHOWN else f"{row[: row.rindex(',', 0, WIDTH_SHOWN)]},…"


def _file(session: Session, key: str, part: Editable) -> None:
    widget = session.key(key)

    def enter() -> None:
        if (file := st.session_state[widget]) is None:
            session.refusals.pop(key, None)
            return
        session.attempt(
            key, file.name, lambda s: part.put(s, _from_file(part, file.getvalue(), file.name))
        )

    st.file_uploader(
        f"{part.title} from a file",
        [kind.removeprefix(".") for kind in FILE_TYPES],
        key=widget,
        max_upload_size=LIMITS.file_bytes // MEGABYTE,
        on_change=enter,
    )
    refusal(session, key)


def _from_file(part: Editable, data: bytes, file_name: str) -> FloatArray:
    """The matrix of a file; of an .npz with several, the one with the array's own name."""
    try:
        return read_matrix(data, file_name, minus_infinity=part.minus_infinity)
    except FileError:
        if not file_name.lower().endswith(".npz"):
            raise
        try:
            return read_matrix(data, file_name, entry=part.name, minus_infinity=part.minus_infinity)
        except OptionError:
            pass
        raise


def _actions(session: Session, key: str, part: Editable) -> None:
    """One click for what takes long by hand, and the numbers to take away."""
    s = session.scenario
    numbers = part.numbers(s)
    changes: dict[str, tuple[str, Change]] = {}
    if part.may_be_left_out:
        changes["Leave out"] = (f"Without {part.title}", part.left_out)
    else:
        changes["All zeros"] = ("", lambda s: part.put(s, np.zeros_like(numbers)))
    if source := part.source(s):
        changes[f"As {source}"] = (f"Takes back what was edited in {part.title}", part.made_again)
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
                file_name = f"{part.file_name}.{kind}"
                st.download_button(
                    label,
                    partial(write_matrix, numbers, file_name),  # written when it is asked for
                    file_name,
                    key=session.key(f"{key} {kind}"),
                    icon=":material/download:",
                    on_click="ignore",
                )
    refusal(session, key)
