"""Which model, and what it reads."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.survey.measures import TITLES
from ui.controls.markdown import plain
from ui.reports import reported
from ui.state.models_here import MODELS
from ui.state.real_layers import IN_LAYERS, ORDERS, RealLayers

TITLE: Final = say("Real layers")
MODEL: Final = "real-model"
TEXT: Final = "real-text"
ORDER: Final = "real-order"


def choice(shown: RealLayers) -> None:
    """The title, the model, its words, and the order of the heads."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(TITLE, anchor=False)
    st.markdown(
        say(
            "Each small picture is a head of a trained model, and shows how much each word looks "
            "at every other word. Click one to open it in the explorer."
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _model(shown)
        _text(shown)
        _order(shown)
    for refused in shown.refusals.values():
        st.error(plain(refused.reason))


def _model(shown: RealLayers) -> None:
    st.session_state[MODEL] = shown.model
    st.selectbox(
        say("Model"),
        list(MODELS),
        format_func=lambda name: MODELS[name].title,
        key=MODEL,
        on_change=lambda: shown.choose(reported(MODEL)),
        width=340,
    )


def _text(shown: RealLayers) -> None:
    st.session_state[TEXT] = shown.text
    st.text_input(
        say("What it reads"), key=TEXT, on_change=lambda: shown.read(str(reported(TEXT) or ""))
    )


def _order(shown: RealLayers) -> None:
    st.session_state[ORDER] = shown.order

    def set_order() -> None:
        shown.order = reported(ORDER) or IN_LAYERS

    st.selectbox(
        say("Sort by"),
        ORDERS,
        format_func=order_in_words,
        key=ORDER,
        on_change=set_order,
        width=180,
    )


def order_in_words(order: str) -> str:
    return say("Layer") if order == IN_LAYERS else TITLES[order]
