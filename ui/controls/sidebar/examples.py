"""The worked examples, in groups: each group answers a question."""

from __future__ import annotations

import html
from collections.abc import Callable

import streamlit as st

from mha_core.examples import EXAMPLES_BY_QUESTION, Example, load_stack
from ui.controls.markdown import plain
from ui.state import Session


def example_list(session: Session, then: Callable[[], None]) -> None:
    """A button for each example; `then` is called when one has been opened."""
    example = session.example_shown
    with st.container(key=session.key("example-list")):
        for question, examples in EXAMPLES_BY_QUESTION.items():
            st.html(f'<h3 class="question">{html.escape(question)}</h3>')
            for each in examples:
                is_open = each == example and not session.is_changed
                _open_button(session, each, then, is_open=is_open)


def _open_button(
    session: Session, example: Example, then: Callable[[], None], *, is_open: bool
) -> None:
    """One example: its title, and on a second line what it shows."""

    def open_it() -> None:
        session.open(load_stack(example.name))
        then()

    st.button(
        f"**{plain(example.title)}** :small[{plain(example.sentence)}]",
        key=session.key(f"example-{example.name}"),
        type="tertiary",
        width="stretch",
        icon=":material/check:" if is_open else None,
        on_click=open_it,
    )
