"""What the sidebar's sections share: headings, fields, and refusals beside what was entered."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.checks.errors import NumberError
from mha_core.scenario.scenario import Scenario
from ui.controls.text import plain
from ui.state import Session, bound


def section(session: Session, number: int, title: str, name: str) -> bool:
    """Head a part of the sidebar; False, and no heading, where a teacher has put it away."""
    is_shown = name not in session.view.hide
    if is_shown:
        st.html(f'<h2 class="section"><span aria-hidden="true">{number}</span>{title}</h2>')
    return is_shown


def refusal(session: Session, *keys: str) -> None:
    """Why the last entry under a key was not taken, where it stands."""
    for key in keys:
        if refused := session.refusals.get(key):
            st.error(plain(refused.reason))


def whole_number(
    session: Session,
    label: str,
    key: str,
    shown: int,
    change: Callable[[Scenario, int], Scenario],
    *,
    place: DeltaGenerator | None = None,
    help: str | None = None,
) -> None:
    """A field for a whole number, with buttons for one less and one more; no refusal yet.

    Streamlit's own limits would keep a wrong number to the browser without a word, and its whole
    numbers cut 2.5 to 2. So the field takes any number, and the change says what is wrong with it.
    """
    (place or st).number_input(
        label,
        value=None,  # else a field that is emptied means the least number
        step=1.0,
        format="%g",
        help=help,
        **bound(session, key, float(shown), lambda s, number: change(s, _whole(label, number))),
    )


def _whole(label: str, number: float) -> int:
    if not number.is_integer():
        raise NumberError(label, "must be a whole number", f"{number:g}", "Leave out the fraction.")
    return int(number)
