"""What each grid in the browser was opened with.

A grid (`st.data_editor`) keeps what a person types, and shows it over the table that it was opened
with. The grid is left alone, with its cursor and its place, as long as both together show the
scenario's numbers or an entry that was refused. When the numbers change elsewhere, by undo or by
another preset, a new grid is opened. A refused entry is carried into the new grid if the numbers
are still the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from mha_core.checks.shapes import FloatArray
from mha_core.io.matrix.matrix_text import format_matrix
from ui.reports import reported
from ui.state.session import Session

if TYPE_CHECKING:
    import pandas as pd

Typed = Mapping[tuple[int, int], str]


@dataclass
class OpenGrid:
    """One grid since it was opened, under a key of the session's refusals."""

    session: Session
    key: str
    version: int
    labels: tuple[Sequence[str], Sequence[str]]
    carried: Typed
    heard: Typed
    agreed: FloatArray
    refused: bool
    table: pd.DataFrame

    @property
    def widget(self) -> str:
        return self.session.key(f"{self.key} {self.version}")

    @property
    def typed(self) -> Typed:
        """Every cell that was typed in, and what stands there now."""
        edits = reported(self.widget, "edited_rows") or {}
        rows, columns = map(len, self.labels)
        places = {column_id(column): column for column in range(columns)}
        now = {
            (row, places[name]): "" if text is None else str(text)
            for row, cells in edits.items()
            for name, text in cells.items()
            if 0 <= row < rows and name in places  # a browser can send anything
        }
        return {**self.carried, **now}

    def hear(self, numbers: FloatArray) -> None:
        """Remember what was typed, and that the scenario's numbers after it are these."""
        self.heard = self.typed
        self.agreed = numbers
        self.refused = self.key in self.session.refusals


def open_grid(
    session: Session, key: str, numbers: FloatArray, labels: tuple[Sequence[str], Sequence[str]]
) -> OpenGrid:
    """The grid under this key, or a new one if what it says is no longer true."""
    grids: dict[str, OpenGrid] = st.session_state.setdefault(session.key("open grids"), {})
    refusals = session.refusals
    last = grids.get(key)
    carried: Typed = {}
    if last:
        numbers_stay = _has_same_bits(last.agreed, numbers)
        refusal_stays = last.refused == (key in refusals)
        if numbers_stay and refusal_stays and last.labels == labels and last.typed == last.heard:
            return last
        if not numbers_stay:
            refusals.pop(key, None)
        elif key in refusals:
            carried = last.heard
    grids[key] = OpenGrid(
        session=session,
        key=key,
        version=last.version + 1 if last else 0,
        labels=labels,
        carried=carried,
        heard=carried,
        agreed=numbers,
        refused=key in refusals,
        table=_table(numbers, labels[0], carried),
    )
    return grids[key]


def column_id(column: int) -> str:
    """The name of a column between server and browser; what is shown may occur twice."""
    return f"c{column}"


def _table(numbers: FloatArray, rows: Sequence[str], typed: Typed) -> pd.DataFrame:
    import pandas as pd  # only a grid needs it, and no first page has one: a server starts sooner

    texts = [line.split("\t") for line in format_matrix(numbers, "tsv").splitlines()]
    for (row, column), text in typed.items():
        texts[row][column] = text
    names: Any = [column_id(column) for column in range(numbers.shape[1])]
    return pd.DataFrame(texts, index=list(rows), columns=names, dtype="str")


def _has_same_bits(a: FloatArray, b: FloatArray) -> bool:
    """Bit for bit, so that -0 is not 0."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
