"""Check my numbers: somebody's own matrix beside the computed one that has the picked cell."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.language import say, say_number
from mha_core.layer.matrices import LabelledMatrix, labelled_matrix
from mha_core.layer.trace import STEPS
from mha_core.reading.homework import Checked, check_numbers
from ui.controls.markdown import plain
from ui.number_format import format_number
from ui.state import Session, let_come_back

COMPUTED: Final = {step.name for step in STEPS}
MOST_IN_TABLE: Final = 1024  # numbers; a larger matrix gets only a count
ROWS_OF_TEXT: Final = 130  # pixels
MOST_AS_TYPED: Final = 6  # decimals; 1/3 has many more
MOST_DECIMALS: Final = 17  # so many tell any two numbers apart


class Question(NamedTuple):
    """Which matrix is compared with which text, at how many decimals."""

    step: str
    head: int | None
    text: str
    decimals: int


def check_numbers_of_picked(session: Session, place: str) -> None:
    """A fold with a box for numbers, and what is right and wrong in them."""
    cell = session.view.cell
    if cell is None or cell.step not in COMPUTED:
        return
    fold = st.expander(
        say("Check my numbers"),
        key=session.key(f"check-{place}"),
        on_change="rerun",
        type="compact",
    )
    if not fold.open:
        return
    matrix = labelled_matrix(session.trace, cell.step, cell.head)
    with fold:
        text = _text_box(session, place, matrix)
        if text.strip():
            asked = Question(cell.step, cell.head, text, session.view.decimals)
            _say(session, asked, matrix)


def _text_box(session: Session, place: str, matrix: LabelledMatrix) -> str:
    """A box for the numbers of one matrix; each matrix has its own."""
    widget = session.key(f"numbers-{place}-{matrix.name}")
    let_come_back(session, widget)
    text = st.text_area(
        say("Your numbers for {matrix}").format(matrix=matrix.title),
        key=widget,
        height=ROWS_OF_TEXT,
        placeholder=say("{size}, typed or pasted").format(size=_size(matrix.values.shape)),
        persist_state="session",
    )
    # A click on it leaves the box, and that is enough.
    st.button(say("Check"), key=f"{widget}-check")
    return text


def _say(session: Session, asked: Question, matrix: LabelledMatrix) -> None:
    try:
        checked = _checked(session, asked)
    except MhaError as error:
        st.error(plain(str(error)))
        return
    words = plain(said_of(checked, matrix, asked.decimals))
    if checked.is_right:
        st.success(words)
        return
    st.warning(words)
    if checked.wrong is not None and checked.right.size <= MOST_IN_TABLE:
        st.html(table(checked, matrix, asked.decimals))


def _checked(session: Session, asked: Question) -> Checked:
    """Keep the last comparison: this part of the page runs again for every pick."""

    def check() -> Checked:
        given = parse_matrix(asked.text, say("Your matrix"), minus_infinity=True)
        return check_numbers(session.trace, asked.step, asked.head, given, asked.decimals)

    return session.keep_last("checked", asked, check)


def said_of(checked: Checked, matrix: LabelledMatrix, decimals: int) -> str:
    """How many numbers are right, and what was likely done."""
    if checked.wrong is None:
        yours, its = (_size(array.shape) for array in (checked.given, checked.right))
        says = say("You have {size}; {matrix} has {right_size}.")
        said = says.format(size=yours, matrix=matrix.title, right_size=its)
    else:
        right = int((~checked.wrong).sum())
        at = say_number("{count} decimal", "{count} decimals", decimals).format(count=decimals)
        says = say("{count} of {numbers} right at {decimals}.")
        said = says.format(count=right, numbers=_numbers(checked.right.size), decimals=at)
    return f"{said} {checked.mistake}".strip()


def _size(shape: Sequence[int]) -> str:
    rows, columns = shape
    says = say_number("{count} row of {numbers}", "{count} rows of {numbers}", rows)
    return says.format(count=rows, numbers=_numbers(columns))


def _numbers(count: int) -> str:
    return say_number("{count} number", "{count} numbers", count).format(count=count)


def table(checked: Checked, matrix: LabelledMatrix, decimals: int) -> str:
    """Somebody's numbers, as they were typed, as a table; below each wrong one the right one."""
    head = "".join(f"<th scope='col'>{html.escape(label)}</th>" for label in matrix.columns.labels)
    as_typed = max(decimals, _decimals_of(checked.given))
    rows = (
        f"<tr><th scope='row'>{html.escape(label)}</th>{_cells(checked, row, as_typed)}</tr>"
        for row, label in enumerate(matrix.rows.labels)
    )
    label = html.escape(say("Your numbers"))
    return (
        f"<div class='checked' tabindex='0' role='region' aria-label='{label}'><table>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cells(checked: Checked, row: int, decimals: int) -> str:
    assert checked.wrong is not None
    numbers = zip(checked.given[row], checked.right[row], checked.wrong[row], strict=True)
    return "".join(_cell(*each, decimals) for each in numbers)


def _cell(given: float, right: float, is_wrong: bool, decimals: int) -> str:
    if not is_wrong:
        return f"<td>{format_number(given, decimals)}</td>"
    yours, other = _told_apart(given, right, decimals)
    right_one = say("right: {number}").format(number=other)
    return f"<td class='wrong'>{yours}<small>{right_one}</small></td>"


def _decimals_of(given: FloatArray) -> int:
    """How many decimals the numbers were typed with, at most those that fit into a table."""
    return next(
        (digits for digits in range(MOST_AS_TYPED) if np.array_equal(given.round(digits), given)),
        MOST_AS_TYPED,
    )


def _told_apart(given: float, right: float, decimals: int) -> tuple[str, str]:
    """Both numbers with so many decimals, or as many more as it takes to see a difference."""
    written = (
        (format_number(given, digits), format_number(right, digits))
        for digits in range(decimals, MOST_DECIMALS + 1)
    )
    return next((yours, other) for yours, other in written if yours != other)
