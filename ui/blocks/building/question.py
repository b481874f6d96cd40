"""A question about weights that are given: what may be said of them, and whether it was right."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.puzzles.ladder import QUESTIONS
from mha_core.puzzles.questions import Question
from ui.blocks.building.verdict import line
from ui.blocks.together import include_heads
from ui.controls.markdown import plain
from ui.state import Session, let_come_back

RIGHT: Final = say("That is it.")
WRONG: Final = say("It is not that: look at the weights again.")


def question_of(session: Session) -> Question | None:
    """The question that is asked; None where a head is to be built."""
    return QUESTIONS.get(session.view.puzzle)


def ask(session: Session, question: Question) -> None:
    """The choices; once one is chosen, whether it is true, and why."""
    with st.container(horizontal=True, gap="large", key=session.key("ask")):
        chosen = _choice(session, question)
        include_heads(session)
    if chosen is None:
        return
    if chosen == session.make_once("right choice", lambda: question.right):
        line(RIGHT, question.why, mark="✓", kind="yes")
    else:
        line(WRONG, "", mark="✗", kind="no")


def _choice(session: Session, question: Question) -> int | None:
    key = session.key(f"answer {question.name}")
    let_come_back(session, key)
    return st.radio(
        question.asked,
        range(len(question.choices)),
        index=None,
        format_func=lambda place: plain(question.choices[place].says),
        key=key,
        label_visibility="collapsed",
        width="content",
    )
