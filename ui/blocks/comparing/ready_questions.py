"""Ready questions: a click fills both sides, or uses the present A."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core.comparing.questions import READY_QUESTIONS, ReadyQuestion
from mha_core.language import say
from ui.blocks.claims import show_claims
from ui.controls.refusal import show_refusal
from ui.reports import reports
from ui.state import Session, open_as_one_change

OF_A: Final = "ask-of-a"
KEY: Final = "ready-question"


def ready_questions(a: Session, b: Session) -> None:
    """A row of questions, and what is true of the one that both sides show."""
    shown = question_shown(a, b)
    if not a.view.tour:  # there the next stop is the next question
        _row_of_questions(a, b, shown)
    show_refusal(b, KEY)
    if shown:
        traces = [
            each.traces.layers[layer] for each, layer in zip((a, b), shown.layers, strict=True)
        ]
        show_claims([(claim.sentence, claim.holds(*traces)) for claim in shown.claims])


def _row_of_questions(a: Session, b: Session, shown: ReadyQuestion | None) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=a.key("ready-questions")
    ):
        for name, ready in READY_QUESTIONS.items():
            st.button(
                ready.question,
                key=a.key(f"ask-{name}"),
                icon=":material/check:" if ready is shown else None,
                on_click=partial(_ask, a, b, ready),
            )
        st.checkbox(
            say("Use my current A"),
            key=a.key(OF_A),
            help=say("Otherwise a question opens the example that shows it best."),
        )


def question_shown(a: Session, b: Session) -> ReadyQuestion | None:
    """The question whose own A and B are on the page."""
    asked = (a.stack, b.stack)
    return next((ready for ready in READY_QUESTIONS.values() if ready.sides == asked), None)


def _ask(a: Session, b: Session, ready: ReadyQuestion) -> None:
    if reports().get(a.key(OF_A)):
        shared = object()
        b.attempt_to_open(KEY, ready.name, lambda: ready.b_of(a.stack, a.layer, a.scenario), shared)
        if KEY in b.refusals:
            return
        if b.now.shared is shared:
            a.take_part_in(shared)
        layers = ready.layers if ready.change_layers else (a.layer, a.layer)
    else:
        layers = ready.layers
        open_as_one_change(*zip((a, b), ready.sides, strict=True))
    a.look_at(step=ready.step, head=None, cell=None, layer=layers[0])
    b.look_at(cell=None, layer=layers[1])
