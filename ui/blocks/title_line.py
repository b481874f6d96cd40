"""The first line of a page: its title, and beside it what can be done with all of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from mha_core.language import say
from ui.controls.markdown import plain
from ui.controls.popover_focus import take_focus
from ui.state import Session

COMPARE: Final = say("Compare")  # titles of pages that have one of their own
PATTERNS: Final = say("Patterns of heads")
BUILD: Final = say("Build a head")
CHANGED: Final = say(", changed")  # ends the title once something has changed


@contextmanager
def title_line(session: Session, title: str | Callable[[], None]) -> Iterator[None]:
    """The title, or what shows it. The tools that are made inside of the `with` stand beside it."""
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("heading")):
        if callable(title):
            title()
        else:
            show_title(title)
        with st.container(
            horizontal=True, width="content", wrap=False, gap="xsmall", key=session.key("tools")
        ):
            yield


def show_title(title: str) -> None:
    st.title(_in_markdown(title), anchor=False)


def _in_markdown(title: str) -> str:
    """Mark the end that comes with a change: page.css keeps room for it from the first.

    Otherwise the tools beside the title would wrap to the next line, and all below would move.
    """
    if title.endswith(CHANGED):
        return f"{plain(title.removesuffix(CHANGED))}:gray[{CHANGED}]"
    return plain(title)


def opens(session: Session, name: str, label: str, show: Callable[[Session], None]) -> None:
    """A tool that opens over the page. What it shows is made only then."""
    place = st.popover(label, key=session.key(name), on_change="rerun")
    if place.open:
        with place:
            take_focus(session, name)
            show(session)
