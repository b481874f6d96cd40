"""Several layers: which of them the page shows, and a picture of all."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.language import say
from ui.blocks.picture import look_of, outline, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.layers import layers_figure
from ui.plot import Picture
from ui.state import Session, bound_fold, bound_to_view

HERE: Final = "layers"
FOLLOWS: Final = {
    True: say("X of layer {layer} is X of layer {below} and what that layer added."),
    False: say("X of layer {layer} is the output of layer {below}."),
}


def which_layer(session: Session) -> None:
    """Which layer the page shows. Where there is one, nobody asks."""
    count = len(session.stack.layers)
    if count == 1:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("which-layer")):
        st.segmented_control(
            say("Layer"),
            range(count),
            required=True,
            format_func=lambda layer: say("Layer {number}").format(number=layer + 1),
            label_visibility="collapsed",
            **bound_to_view(session, "layer", show_as=lambda _: session.layer),
        )
        if session.layer:
            says = FOLLOWS[session.stack.residual]
            st.caption(plain(says.format(layer=session.layer + 1, below=session.layer)))


def all_layers(session: Session) -> None:
    """All layers in one picture, where there is more than the one that the page shows."""
    if session.stack.is_one_layer:
        return
    place = st.expander(say("**All layers**"), type="compact", **bound_fold(session, HERE))
    if place.open:
        with place:
            _all_layers(session)


@follows_numbers(PICTURES)
def _all_layers(session: Session) -> None:
    leave_to_whole_page(session)
    show(session, HERE, layers_picture(session))
    outline(session, HERE, is_only_place=False)
    session.conversation.write_address()


def layers_picture(session: Session) -> Picture:
    """What moved is not shown here: each layer's own pictures do."""
    look = look_of(session)

    def draw() -> Picture:
        figure = layers_figure(session.traces, session.layer, look)
        file_name = f"{session.scenario.origin.example} layers".strip()
        alt = say("Weights of all layers, and the stream between them")
        return Picture.of(figure, file_name, alt, session.name, has_switch=True)

    return session.keep_last("picture of layers", look, draw)
