"""A click on a head opens it in the explorer."""

from __future__ import annotations

import streamlit as st

from mha_core.changing.layers import as_stack
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from ui.edits.page_limits import fits_page
from ui.machine.budget import TURNS
from ui.machine.one_thread import ONE_THREAD
from ui.state import View, open_elsewhere
from ui.state.models_here import LONGEST_NAME, OpenedOnText
from ui.state.opened_first import made_by_model
from ui.state.real_layers import HeadOnText, RealLayers
from ui.state.refusals import REFUSES


def click(shown: RealLayers, layer: int, head: int, text: str = "") -> None:
    """In a callback: the run that follows goes to the explorer."""
    of_decoder = "" if text else shown.of_decoder
    shown.to_open = HeadOnText(layer, head, text or shown.text, of_decoder)


def open_what_was_clicked(shown: RealLayers) -> None:
    """Go to the explorer. It shows all heads of the layer, and the clicked one large.

    A layer that is too large for it is opened with the clicked head alone.
    """
    if ready := shown.ready:
        shown.ready = None
        open_elsewhere("", as_stack(ready.scenario), View(head=ready.head, title=ready.title))
        st.switch_page("explore.py")
    asked, shown.to_open = shown.to_open, None
    if asked is None:
        return
    try:
        with TURNS.turn(shown.use), ONE_THREAD:
            document, head = _document(shown.opened.on(asked.text, asked.of_decoder), asked)
            document = _with_origin(shown, asked, document)
    except REFUSES as error:
        shown.refusals.note("open", error, asked)
        return
    says = say("{model}: {layer}") if head == asked.head else say("{model}: {layer}, head {head}")
    model = shown.opened
    title = says.format(
        model=model.title[:LONGEST_NAME], layer=model.layer_name(asked.layer), head=asked.head + 1
    )
    open_elsewhere("", as_stack(document), View(head=head, title=title))
    st.switch_page("explore.py")


def _document(text: OpenedOnText, asked: HeadOnText) -> tuple[Scenario, int]:
    """What the explorer shows, and which of its heads was clicked."""
    whole = text.layer(asked.layer)
    if fits_page(whole):
        return whole, asked.head
    return text.one_head(asked.layer, asked.head), 0


def _with_origin(shown: RealLayers, asked: HeadOnText, s: Scenario) -> Scenario:
    """With a note of what made its X."""
    model = shown.opened
    of_decoder = asked.of_decoder if model.has_decoder else ""
    return made_by_model(s, model.name, asked.layer, asked.text, of_decoder)
