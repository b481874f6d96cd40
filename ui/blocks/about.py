"""Notes on the example, and the mistakes of its document."""

from __future__ import annotations

import streamlit as st

from mha_core import Stack
from mha_core.examples import load_stack
from mha_core.examples.example import Erratum, Example
from mha_core.language import say
from ui.controls.fragment import NOTES, follows_numbers
from ui.controls.markdown import plain
from ui.state import Session


@follows_numbers(NOTES)
def about(session: Session) -> None:
    """What else there is to know of the example, at the end of the page."""
    example = session.example_shown
    if not example:
        return
    notes = notes_that_hold(session)
    if not (notes or example.errata):
        return
    st.header(say("About this example"), anchor=False)
    st.markdown("\n\n".join([*map(plain, notes), *map(_erratum, example.errata)]))


def notes_that_hold(session: Session) -> tuple[str, ...]:
    """The notes on the example that are true of what is on the page."""
    example = session.example_shown
    if not example or not _has_its_layers(session.stack, example):
        return ()
    return session.make_once(
        "notes of the example", lambda: tuple(example.notes_that_hold(session.traces.layers[0]))
    )


def _has_its_layers(stack: Stack, example: Example) -> bool:
    """Notes are checked in layer 1. What they say of the layers above is true of its own alone."""
    if not example.build_stack:
        return True
    own = load_stack(example.name)
    return (stack.above, stack.residual) == (own.above, own.residual)


def _erratum(erratum: Erratum) -> str:
    return f"**{plain(erratum.title)}** {plain(erratum.sentences)}"
