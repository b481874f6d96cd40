"""Numbers that are edited where they stand: in the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ui import plot
from ui.controls.fields import show_refusal
from ui.controls.pasted_block import ask_about_block
from ui.edits.cell_entries import CellEntry
from ui.edits.editable_array import Editable
from ui.state import Session, asks_to_step

GONE: Final = "cell that has gone"  # the key of its refusal


def cell_entries(session: Session) -> None:
    """Take what is typed into cells of a session's pictures. It stands once, below all of them."""
    if "editors" in session.view.hide:
        return
    plot.entries(
        session.key("cell-entries"),
        group=session.name,
        run=session.run,
        taken=session.taken,
        refused=refused_entries(session),
        on_enter=partial(take_entries, session),
    )


def how_to_edit(session: Session) -> str:
    """What a caption says of the numbers in frames, where they can be edited."""
    if "editors" in session.view.hide:
        return ""
    return " To change a number in a frame, click it and type."


def ask_about_blocks(session: Session, *arrays: str) -> None:
    """Below a picture of these arrays: what to do with a pasted block that one has no room for."""
    for name in arrays:
        key = _key_of_block(name)
        block = session.blocks.get(key)
        if block and CellEntry(name, block.row, block.column, "").is_there(session.scenario):
            ask_about_block(session, key, Editable(name))
        else:  # the cell where it was pasted has gone
            session.blocks.pop(key, None)


def show_gone(session: Session) -> None:
    """Say that a cell has gone, where its whole matrix has: else its picture says so."""
    refusal = session.refusals.get(GONE)
    if refusal and not _has_matrix(session, refusal.entered):
        show_refusal(session, GONE)


def take_entries(session: Session, entries: Sequence[plot.Entry]) -> None:
    """Take each entry that was not heard of before, the oldest first.

    One that comes along with an undo is undone with it.
    """
    for each in entries:
        if session.is_new_entry(each.number) and not asks_to_step(session):
            _take(session, CellEntry(each.matrix, each.row, each.column, each.text))


def _take(session: Session, entry: CellEntry) -> None:
    """Put an entry into its cell, or say why not. An empty one takes back what was refused."""
    s = session.scenario
    session.refusals.pop(GONE, None)
    if not entry.is_there(s):
        session.attempt(GONE, entry, entry.put)
    elif entry.is_empty:
        session.refusals.pop(_key(entry), None)
    elif entry.fits(s):
        session.attempt(_key(entry), entry, entry.put, instead_of=entry.present(s))
    else:
        session.blocks[_key_of_block(entry.array)] = entry.block


def _key(entry: CellEntry) -> str:
    return f"cell {entry.array} {entry.row} {entry.column}"


def _key_of_block(array: str) -> str:
    return f"block {array}"


def _has_matrix(session: Session, entry: CellEntry) -> bool:
    return CellEntry(entry.array, 0, 0, "").is_there(session.scenario)


def refused_entries(session: Session) -> list[plot.Refused]:
    """What was refused and stays in its cell. It goes when the cell goes or its number changes."""
    s = session.scenario
    for key, (entry, _) in _with_reasons(session).items():
        stays = entry.is_there(s) and entry.present(s) == session.refusals[key].instead_of
        if key != GONE and not stays:
            del session.refusals[key]
    return [
        plot.Refused(entry.array, entry.row, entry.column, entry.text, reason)
        for entry, reason in _with_reasons(session).values()
    ]


def _with_reasons(session: Session) -> dict[str, tuple[CellEntry, str]]:
    """The entries into cells that were refused, each with the reason, by their keys."""
    return {
        key: (refusal.entered, refusal.reason)
        for key, refusal in session.refusals.items()
        if isinstance(refusal.entered, CellEntry)
    }
