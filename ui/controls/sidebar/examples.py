"""The worked examples, in groups: each group answers a question."""

from __future__ import annotations

import html
from functools import partial

import streamlit as st

from mha_core.examples import EXAMPLES_BY_QUESTION, Example, load_example
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.markdown import plain
from ui.controls.popover_focus import take_focus
from ui.state import Session


def example_list(session: Session) -> None:
    """A button that names the present example and opens the list of all of them."""
    if "example" not in session.view.hide:
        _example_list(session)


@fragment
def _example_list(session: Session) -> None:
    """To open the list or to close it runs only this fragment."""
    leave_to_whole_page(session)
    example = session.example_shown
    key = session.key("examples")
    title = f"Example: {example.title}" if example else "Examples"
    place = st.popover(title, key=key, on_change="rerun", width="stretch", wrap=False)
    if not place.open:
        return
    with place.container(key=session.key("example-list")):
        take_focus(session, "examples")
        for question, examples in EXAMPLES_BY_QUESTION.items():
            st.html(f'<h3 class="question">{html.escape(question)}</h3>')
            for each in examples:
                _open_button(session, each, is_open=each == example and not session.is_changed)


def _open_button(session: Session, example: Example, *, is_open: bool) -> None:
    """One example: its title, and on a second line what it shows."""
    st.button(
        f"**{plain(example.title)}** :small[{plain(example.sentence)}]",
        key=session.key(f"example-{example.name}"),
        type="tertiary",
        width="stretch",
        icon=":material/check:" if is_open else None,
        on_click=partial(_open, session, example.name),
    )


def _open(session: Session, name: str) -> None:
    """The whole page runs at once: the list would find out only when its run has begun."""
    session.open(load_example(name))
    st.session_state[session.key("examples")] = False
    st.rerun()
