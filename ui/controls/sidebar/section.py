"""A section of the sidebar: its heading, and "More" at the right of it for what is rare.

What is rare is made only while somebody looks at it. So a section says in a caption which of its
rare options are in use, and shows what was refused in "More" when that is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from ui.controls.fields import show_refusal
from ui.controls.markdown import plain
from ui.controls.popover_focus import take_focus
from ui.state import Session, is_edited

WIDTH: Final = 340  # pixels of what "More" opens


def section(session: Session, number: int, title: str, name: str) -> PopoverContainer | None:
    """Head a section, and give the place for what is rare; None where a link hides the section."""
    if name in session.view.hide:
        return None
    st.html(f'<h2 class="section"><span aria-hidden="true">{number}</span>{title}</h2>')
    return st.popover(
        f"More :small[of {plain(title)}]",  # page.css shows "More" alone
        type="tertiary",
        key=session.key(f"more-{name}"),
        on_change="rerun",
    )


def rare_options(
    session: Session, place: PopoverContainer, fill: Callable[[Session], None], *keys: str
) -> None:
    """Fill "More" while it is open. While it is closed, say what was refused under these keys."""
    if place.open:
        with place.container(width=WIDTH, gap="xsmall"):
            fill(session)
            take_focus(session, fill.__module__.rpartition(".")[2])
    else:
        show_refusal(session, *keys)


def caption(*sentences: str) -> None:
    """One caption with all sentences that are not empty; no caption if all are empty."""
    if said := " ".join(sentence for sentence in sentences if sentence):
        st.caption(plain(said))


def changed_by_hand(session: Session, *names: str) -> str:
    """Says so where some numbers of these arrays are other than their source makes."""
    return "Some of these numbers were changed by hand." if is_edited(session, *names) else ""
