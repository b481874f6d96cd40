"""A whole matrix at once: as text, or from a file.

Text that somebody has typed is kept until it is taken, whatever else they look at meanwhile. If the
new matrix has another number of rows, the scenario must follow: the page asks first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.changing.recipes import WEIGHTS
from mha_core.checks.errors import MhaError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.io.matrix.files import FILE_TYPES, matrices_in, read_matrix
from mha_core.io.matrix.matrix_text import format_matrix, parse_matrix
from mha_core.io.scenario.array_names import meaning_of
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from ui.controls.file_field import file_field
from ui.controls.markdown import plain
from ui.controls.own_component import own_component
from ui.controls.refusal import show_refusal
from ui.edits.editable_array import Editable
from ui.machine.budget import TURNS
from ui.reports import note, reported
from ui.state import Session, let_come_back

MOST_AS_TEXT: Final = (
    4096  # numbers; the browser sends the text again with every change of the page
)
MOST_TRIED_AGAIN: Final = 2**16  # bytes of a refused file that are kept, to be tried again
HEIGHT: Final = 200  # pixels of the text box
ACCEPTED: Final = say(
    "Type or paste a matrix: CSV, TSV or numbers with spaces; a list of Python, NumPy, JSON, "
    "MATLAB or Mathematica; LaTeX; or a Markdown table. A number may look like 1e-3, like -2,5 "
    "or like 1/3."
)


def text_editor(session: Session, key: str, array: Editable) -> None:
    """A box that starts with the matrix, and takes one in any notation."""
    widget = session.key(key)

    def replace() -> None:
        text = reported(widget)
        _replace(session, key, array, text, lambda: _of_text(array, text))
        if key not in session.refusals and key not in session.offers:
            start_again()

    def start_again() -> None:
        session.refusals.pop(key, None)
        note({f"{widget} as given": reported(widget)})

    let_come_back(session, widget)
    _show_matrix(session, widget, array)
    with st.container(key=f"{widget} box"):
        st.text_area(
            say("{matrix} as text").format(matrix=array.title),
            key=widget,
            height=HEIGHT,
            on_change="ignore",  # what is typed comes with whatever happens next
            persist_state="session",
        )
        st.caption(plain(_what_the_box_takes(session, array)))
        with st.container(horizontal=True):
            st.button(say("Replace"), key=f"{widget} replace", on_click=replace)
            st.button(
                say("Start again from the present numbers"),
                key=f"{widget} start again",
                on_click=start_again,
                type="tertiary",
            )
        _take_text(key=f"{widget} take")
    show_refusal(session, key)
    _ask_to_resize(session, key, array, st.session_state[widget], start_again)


def file_editor(session: Session, key: str, array: Editable) -> None:
    """A field for a file that holds the matrix."""

    def read(data: bytes, name: str, entry: str | None = None) -> FloatArray:
        with TURNS.turn(session.use):  # a small file may hold a large matrix
            return read_matrix(data, name, entry=entry, minus_infinity=array.minus_infinity)

    def take(data: bytes, name: str) -> None:
        take_away()
        entry, asks = _entry_of(array, data, name)
        if asks:
            session.asked_files[key] = asks
            return
        _replace(session, key, array, name, lambda: read(data, name, entry))
        if len(data) > MOST_TRIED_AGAIN:
            with session.changing:
                session.refusals.try_no_more(key)

    def take_away() -> None:
        session.refusals.pop(key, None)
        session.offers.pop(key, None)
        session.asked_files.pop(key, None)

    def take_one(asked: SeveralArrays, entry: str, *, turned: bool) -> None:
        def one() -> FloatArray:
            numbers = read(asked.data, asked.name, entry)
            return numbers.T if turned else numbers

        _replace(session, key, array, asked.name, one)

    label = say("{matrix} from a file").format(matrix=array.title)
    shown = file_field(session, key, label, FILE_TYPES, take, take_away)
    asked = session.asked_files.get(key)
    if isinstance(asked, SeveralArrays) and shown:
        _ask_which(session, key, array, asked, take_one)
    if shown:  # the field forgets its file where it has left the page
        show_refusal(session, key)
    _ask_to_resize(session, key, array, shown, lambda: None)


def _show_matrix(session: Session, widget: str, array: Editable) -> None:
    """Let the box show the present numbers, unless somebody has changed the text."""
    numbers = array.numbers(session.scenario)
    text = ""
    if numbers.size <= MOST_AS_TEXT:
        text = session.make_once(("as text", array), lambda: format_matrix(numbers))
    given = st.session_state.get(f"{widget} as given")
    if st.session_state.get(widget) in (None, given):
        st.session_state[widget] = st.session_state[f"{widget} as given"] = text


def _what_the_box_takes(session: Session, array: Editable) -> str:
    count = array.numbers(session.scenario).size
    if count <= MOST_AS_TEXT:
        return ACCEPTED
    too_many = say("{matrix} has {count:,} numbers, too many to show here.")
    return f"{too_many.format(matrix=array.title, count=count)} {ACCEPTED}"


def _of_text(array: Editable, text: str) -> FloatArray:
    return parse_matrix(text, array.title, minus_infinity=array.minus_infinity)


# One of several arrays.


@dataclass(frozen=True)
class SeveralArrays:
    """A file with several arrays, of which none has the name of the matrix."""

    data: bytes
    name: str
    shapes: Mapping[str, tuple[int, int]]


def _entry_of(array: Editable, data: bytes, name: str) -> tuple[str | None, SeveralArrays | None]:
    """Which array of an .npz is the matrix; if only a person can tell, those to choose from."""
    if not name.lower().endswith(".npz"):
        return None, None
    try:
        shapes = matrices_in(data)
    except MhaError:  # the code that reads it says so
        return None, None
    if array.name in shapes:
        return array.name, None
    if len(shapes) < 2 or sum(rows > 1 for rows, _ in shapes.values()) == 1:
        return None, None  # the only matrix among others is taken
    return None, SeveralArrays(data, name, shapes)


def _ask_which(
    session: Session, key: str, array: Editable, asked: SeveralArrays, take: Callable[..., None]
) -> None:
    """The arrays to choose from, with their shapes; one that fits is chosen first."""
    shape = array.numbers(session.scenario).shape
    suits = partial(_suits, array, shape)
    names = sorted(asked.shapes, key=lambda name: suits(name, asked.shapes[name]), reverse=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        entry = st.selectbox(
            say("Which array of the file?"),
            names,
            format_func=lambda name: f"{name}: {' × '.join(map(str, asked.shapes[name]))}",
            key=session.key(f"{key} entry"),
            width=320,
        )
        turned = st.checkbox(
            say("Transpose it"),
            value=asked.shapes[entry] == shape[::-1] != shape,
            key=session.key(f"{key} turned {entry}"),
        )
        st.button(
            say("Replace {matrix}").format(matrix=array.title),
            key=session.key(f"{key} replace"),
            on_click=take,
            args=(asked, entry),
            kwargs={"turned": turned},
        )
    if len(asked.shapes) >= len(WEIGHTS):
        st.caption(say("To take all arrays of a layer at once, drop the file on the page."))


def _suits(
    array: Editable, wanted: tuple[int, ...], name: str, shape: tuple[int, int]
) -> tuple[bool, bool, bool]:
    """How well an array of a file suits, by its name and by its shape."""
    meaning = meaning_of(name)
    is_meant = bool(meaning and meaning.role == array.name)
    return is_meant, shape == wanted, shape == wanted[::-1]


# A matrix with another number of rows.


@dataclass(frozen=True)
class Offer:
    """A matrix that fits once its array is resized, or it is transposed; and where it came from."""

    numbers: FloatArray
    entered: Any
    is_turned: bool = False


def _replace(
    session: Session, key: str, array: Editable, entered: Any, read: Callable[[], FloatArray]
) -> None:
    """Put the matrix into the scenario; if its height differs, keep it and ask first."""
    session.offers.pop(key, None)

    def change(s: Scenario) -> Scenario:
        numbers = read()
        rows, columns = array.numbers(s).shape
        fits = numbers.shape[1] == columns and len(numbers) <= PAGE_LIMITS.tokens
        if array.may_have_more_rows and len(numbers) != rows and fits:
            session.offers[key] = Offer(numbers, entered)
            return s
        if array.name in WEIGHTS and numbers.shape == (columns, rows) != (rows, columns):
            session.offers[key] = Offer(numbers.T, entered, is_turned=True)
            return s
        return array.put(s, numbers)

    session.attempt(key, entered, change)


def _ask_to_resize(
    session: Session, key: str, array: Editable, entered: Any, taken: Callable[[], None]
) -> None:
    """A button that resizes the array, for as long as the text or the file is still there."""
    offer: Offer | None = session.offers.get(key)
    rows = len(array.numbers(session.scenario))
    if offer is None or offer.entered != entered:
        return
    if len(offer.numbers) == rows and not offer.is_turned:
        return
    new_rows = len(offer.numbers)

    def resize() -> None:
        session.offers.pop(key, None)
        session.attempt(key, offer.entered, lambda s: array.put(s, offer.numbers))
        if key not in session.refusals:
            taken()

    if offer.is_turned:
        size = " × ".join(map(str, offer.numbers.shape[::-1]))
        says = say("The new matrix is {size}: {matrix} the other way round. Nothing is replaced.")
        st.warning(plain(says.format(size=size, matrix=array.title)))
        label = say("Transpose it and replace {matrix}").format(matrix=array.title)
        st.button(label, key=session.key(f"{key} turn"), on_click=resize)
        return
    says = say(
        "The new matrix has {new_count} rows, {matrix} has {count}. Each row belongs to a token. "
        "Nothing has been replaced yet."
    )
    matrix = plain(array.title)
    st.warning(says.format(new_count=new_rows, matrix=matrix, count=rows))
    label = say("Resize {matrix} to {count} rows and replace").format(matrix=matrix, count=new_rows)
    st.button(label, key=session.key(f"{key} resize"), on_click=resize)


_take_text = own_component(__file__, "take_text")
