"""Several layers: which of them the page shows, and a picture of all."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core import Scenario
from mha_core.language import say
from mha_core.stack.composition import WAYS, composition
from ui.blocks.picture import look_of, outline, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.composition import TITLES, composition_figure
from ui.figures.layers import FOLLOWS, layers_figure
from ui.plot import Picture
from ui.state import Session, bound_fold, bound_to_view

HERE: Final = "layers"
WHO_READS: Final = say(
    "How much of what each head of layer {earlier} writes each head of layer {later} may read: of "
    "the weights alone, 0 is nothing and 1 is the most."
)
LEADS: Final = {
    True: say("A layer reads X and adds its output to it: the sum is X of the next layer."),
    False: say("A layer reads X and makes its output: that is X of the next layer."),
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
        says = (FOLLOWS if session.layer else LEADS)[session.stack.residual]
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
    _who_reads_whom(session)
    session.conversation.write_address()


def _who_reads_whom(session: Session) -> None:
    """A fold, which makes nothing while it is closed. It is about the shown layer and the last."""
    layers, later = session.stack.on_zeros, max(session.layer, 1)
    if len(layers) == 1:
        return
    fold = st.expander(
        say("Who reads whom?"), key=session.key("reads"), on_change="rerun", type="compact"
    )
    if not fold.open:
        return
    with fold:
        for earlier in range(later):
            says = WHO_READS.format(earlier=earlier + 1, later=later + 1)
            st.caption(plain(f"{says} {_largest(layers[earlier], layers[later])}".strip()))
            figure = composition_figure(layers[earlier], layers[later], look_of(session))
            name = f"composition {earlier + 1} {later + 1}"
            alt = say("How much heads of layer {later} may read of heads of layer {earlier}")
            said = alt.format(earlier=earlier + 1, later=later + 1)
            picture = Picture.of(figure, name, said, session.name, has_switch=True)
            show(session, f"composition-{earlier}", picture, board=HERE, can_be_picked=False)


def _largest(earlier: Scenario, later: Scenario) -> str:
    """Which head reads most of which."""
    found = {way: composition(earlier, later, way) for way in WAYS}
    way = max(WAYS, key=lambda each: float(found[each].max()))
    if not found[way].any():
        return say("None reads anything.")
    writer, reader = divmod(int(found[way].argmax()), later.n_heads)
    says = say("Most of all: head {reader} reads head {writer} {way}, {number:.2f}.")
    number = float(found[way].max())
    return says.format(reader=reader + 1, writer=writer + 1, way=TITLES[way], number=number)


def layers_picture(session: Session) -> Picture:
    """What moved is not shown here: each layer's own pictures do."""
    look = look_of(session)

    def draw() -> Picture:
        figure = layers_figure(session.traces, session.layer, look)
        file_name = f"{session.scenario.origin.example} layers".strip()
        alt = say("Weights of all layers, and the stream between them")
        return Picture.of(figure, file_name, alt, session.name, has_switch=True)

    return session.keep_last("picture of layers", look, draw)
