"""A number of the scenario that stands in no cell: a field to type it, and a slider below."""

from __future__ import annotations

import streamlit as st

from ui import plot
from ui.controls.fields import show_refusal
from ui.edits.entries import OPTIONS, option_as_typed
from ui.state import Session, bound


def option(
    session: Session,
    name: str,
    label: str,
    value: float | None,
    over: plot.Range,
    *,
    help: str,
    placeholder: str = "",
) -> None:
    """The option of this name; `value` is its number, None where it is switched off."""
    st.text_input(
        label,
        placeholder=placeholder,
        help=help,
        **bound(session, name, option_as_typed(session.scenario, name), OPTIONS[name]),
    )
    plot.slider(
        session.key(f"slide-{name}"),
        group=session.name,
        name=name,
        label=label,
        value=value,
        over=over,
    )
    show_refusal(session, name)


def enter_option(session: Session, name: str, text: str) -> None:
    """Take what a slider has entered. If it is refused, it stands in the field, with the reason."""
    shown = option_as_typed(session.scenario, name)
    session.attempt(name, text, lambda s: OPTIONS[name](s, text), shown)
