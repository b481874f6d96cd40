"""The place in the page where Streamlit writes next, copied as what it is: some numbers.

A fragment copies the places of all containers around it, each with all that is around that one,
and with Python's way for any object. That was a fortieth of the processor time of a change.
"""

from __future__ import annotations

from copy import copy

from streamlit.cursor import RunningCursor, SparseList


def copy_them_as_numbers() -> None:
    """From now on."""
    RunningCursor.__deepcopy__ = _copied  # type: ignore[attr-defined] # Python asks for it


def _copied(cursor: RunningCursor, _: object) -> RunningCursor:
    """Another cursor at the same place. Elements that stand there for a while are no copies."""
    other = copy(cursor)
    other._transient_elements = SparseList()
    for index, element in cursor.transient_elements.items():
        other._transient_elements[index] = element
    return other
