"""One layer of a recognised model with X out of a file of hidden states."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.io.tensors.opening import TENSOR_FILE_TYPES
from mha_core.language import say
from mha_core.models.hidden_states import as_said
from ui.controls.file_field import file_field
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.reports import reported
from ui.state.hidden_states import StatesFile
from ui.state.real_layers import RealLayers

STATES: Final = "real-states"  # the key of its refusals, too
LAYER: Final = "real-states-layer"
ARRAY: Final = "real-states-array"
NORMED: Final = "real-states-normed"


def x_of_a_file(shown: RealLayers) -> None:
    """Which layer, the file, which of its arrays, and whether the layer's norm is behind it."""
    st.markdown(
        say(
            "Hidden states that were recorded elsewhere become X of one layer, which opens with "
            "them. The layers before it are not run."
        )
    )
    st.selectbox(
        say("Layer"),
        range(shown.opened.n_layers),
        format_func=shown.opened.layer_name,
        key=LAYER,
        width=220,
    )

    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(STATES, name):
            shown.states = StatesFile.read(name, data, shown.opened.width)

    def take_away() -> None:
        shown.states = None
        shown.refusals.pop(STATES, None)

    file_field(shown, STATES, say("Hidden states"), TENSOR_FILE_TYPES, take, take_away)
    if shown.states:
        _open(shown, shown.states)
    if refused := shown.refusals.get(STATES):
        st.error(plain(refused.reason))


def _open(shown: RealLayers, states: StatesFile) -> None:
    arrays = states.fitting(shown.opened.width)
    st.selectbox(
        say("X of {file}").format(file=plain(states.name)),
        arrays,
        format_func=lambda name: as_said(states.file.shapes, name),
        key=ARRAY,
    )
    st.toggle(
        say("They are normed already"),
        key=NORMED,
        help=say(
            "Libraries give the stream before a layer. Then the norm before attention, if the "
            "model has one there, is done here. Switch this on if the rows were taken behind it."
        ),
    )

    def open_layer() -> None:
        """In a callback: the run that follows goes to the explorer."""
        array, layer = reported(ARRAY) or arrays[0], int(reported(LAYER) or 0)
        with shown.refusals.noting(STATES, array), TURNS.turn(shown.use):
            rows = states.of_array(array).rows(shown.opened.width, layer)
            is_normed = bool(reported(NORMED))
            shown.ready = shown.opened.ready(layer, rows, is_normed=is_normed)

    st.button(say("Open the layer"), type="primary", key="real-states-open", on_click=open_layer)
