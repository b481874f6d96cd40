"""Fields that several controls share, and the reason why an entry was refused."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from mha_core.checks.errors import NumberError
from mha_core.scenario.scenario import Scenario
from ui.controls.markdown import plain
from ui.state import Session, bound


def show_refusal(session: Session, *keys: str, meanwhile: str = "") -> None:
    """Why the last entry under each of these keys was not taken: each reason is a paragraph.

    `meanwhile` says what is shown instead, where that is not plain to see.
    """
    for key in keys:
        if refused := session.refusals.get(key):
            said = f"{refused.reason} {meanwhile}".rstrip()
            st.error("\n\n".join(map(plain, said.splitlines())))


def whole_number(
    session: Session,
    label: str,
    key: str,
    number: int,
    change: Callable[[Scenario, int], Scenario],
    *,
    called: str,
    help: str | None = None,
) -> None:
    """A field for a whole number, with buttons for one less and one more, and its refusal.

    `called` is its name in the refusals of the change, so that all refusals of a field use one.
    Streamlit's own limits would keep a wrong number in the browser without a word, and its whole
    numbers cut 2.5 to 2. So the field takes any number, and the change says what is wrong with it.
    """
    st.number_input(
        label,
        value=None,  # else a field that is emptied means the least number
        step=1.0,
        format="%g",
        help=help,
        **bound(session, key, float(number), lambda s, entry: change(s, _whole(called, entry))),
    )
    show_refusal(session, key)


def _whole(called: str, number: float) -> int:
    if not number.is_integer():
        raise NumberError(
            called, "must be a whole number", f"{number:g}", "Leave out the fraction."
        )
    return int(number)
