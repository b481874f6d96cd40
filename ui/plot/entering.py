"""What people enter into cells, labels and the form, and what they are told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import streamlit as st

from ui.plot.serving import loader
from ui.plot.wire import pack
from ui.reports import reported

MOST_ENTRIES: Final = 2**32 - 1  # of one session: as many as a stamp can count


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
    goes_on: bool = False  # from the entry before it, which a held key has begun with


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
    """The same on a label. A name stays there; any other act only shows the reason."""

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
    if the browser has asked for them; `why_not` says in words why it cannot have them.
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

    Call it once for each group. `on_enter` gets all entries that the browser does not know to be
    taken, the oldest first; so it may get one twice. While a number is dragged, the browser
    computes all that follows from it. `on_want` is called when it needs the inputs for that.
    `tell` answers both.
    """

    def enter() -> None:
        on_enter(as_entries(reported(key, "entered")))

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
    """Fields of a scenario, in sections, as js/entering/form.js describes them.

    `entries` of the group tell what is entered. `gone` says why an entry into a field that has gone
    was refused. The plots of the group follow a slider of the form while it moves. When it is let
    go, it is an entry into the matrix of its name, row 0 and column 0: the number, or "none".
    """
    # As bytes: Streamlit would search a dict of many things for tables.
    _form(key=key, data=pack({"group": group, "sections": sections, "gone": gone}))


def as_entries(value: object) -> list[AnyEntry]:
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
            case {"number": int(number), "field": str(field), "value": entered, **more}:
                read.append(IntoField(number, field, entered, more.get("goes_on") is True))
    counted = (each for each in read if 0 < each.number <= MOST_ENTRIES)
    return sorted(counted, key=lambda entry: entry.number)


_entries = st.components.v2.component(
    "attention_entries", js=loader("entries"), isolate_styles=False
)
_told = st.components.v2.component("attention_told", js=loader("told"), isolate_styles=False)
_form = st.components.v2.component("attention_form", js=loader("form"), isolate_styles=False)
