"""A click on a head opens it in the explorer."""

from __future__ import annotations

import streamlit as st

from mha_core.changing.layers import as_stack
from mha_core.language import say
from ui.state import View, open_elsewhere
from ui.state.models_here import MODELS, model_named
from ui.state.real_layers import HeadOnText, RealLayers

LONGEST_NAME = 50  # characters, in a title of 80


def click(shown: RealLayers, layer: int, head: int, text: str = "") -> None:
    """In a callback: the run that follows goes to the explorer."""
    shown.to_open = HeadOnText(layer, head, text or shown.text)


def open_what_was_clicked(shown: RealLayers) -> None:
    """Go to the explorer, which shows all heads of the layer and the clicked one large."""
    asked, shown.to_open = shown.to_open, None
    if asked is None:
        return
    layer = model_named(shown.model).on(asked.text).layer(asked.layer)
    name = MODELS[shown.model].title[:LONGEST_NAME]
    title = say("{model}, layer {layer}").format(model=name, layer=asked.layer + 1)
    open_elsewhere("", as_stack(layer), View(head=asked.head, title=title))
    st.switch_page("explore.py")
