"""What a file does not say of the layer that it holds: a person is asked, and then it opens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from mha_core.checks.limits import PAGE_LIMITS
from mha_core.io.scenario.layer_file import WEIGHTS, LayerInFile
from mha_core.language import say
from mha_core.scenario.given_arrays import GIVEN
from ui.controls.markdown import plain
from ui.state import Session

WAYS: Final = {
    True: say("As PyTorch stores them: outputs × inputs. They are transposed."),
    False: say("As they are used here: inputs × outputs."),
}
MADE_X: Final = say("made from the tokens")


def ask_about_layer(
    session: Session, layer: LayerInFile, take: Callable[[LayerInFile, int], None]
) -> None:
    """Questions, each after those that it needs, and a button that opens the layer."""
    if "layer" in layer.asks:
        layer = layer.of_layer(
            st.selectbox(say("Layer"), layer.layers, key=session.key("layer-of-file"))
        )
    if layer.missing:
        layer = _with_roles(session, layer)
    if layer.missing:
        return
    if "turned" in layer.asks:
        turned = st.radio(
            say("The weights are square. How are they stored?"),
            list(WAYS),
            format_func=WAYS.__getitem__,
            key=session.key("layer-turned"),
        )
        layer = layer.stored(turned=bool(turned))
    heads = layer.known_heads
    counts = [count for count in layer.head_counts if count <= PAGE_LIMITS.heads]
    if not heads and counts:
        heads = (
            st.segmented_control(
                say("Number of heads"), counts, key=session.key("heads-of-file"), required=False
            )
            or 0
        )
    if words := _what_it_is(layer):
        st.caption(plain(words))
    st.button(
        say("Open the layer"),
        type="primary",
        key=session.key("open-layer"),
        disabled=bool(counts) and not heads,
        on_click=take,
        args=(layer, heads),
    )


def _with_roles(session: Session, layer: LayerInFile) -> LayerInFile:
    """Which array is which. Names or the order in the file suggest what is chosen first."""
    st.markdown(say("Which array is which?"))
    chosen: dict[str, str] = {}
    suggested = layer.suggested
    names = ["", *layer.headers]
    with st.container(horizontal=True, gap="small"):
        for role in ("x", *WEIGHTS):
            first = layer.roles.get(role) or suggested.get(role, "")
            name = st.selectbox(
                GIVEN[role].symbol,
                names,
                index=names.index(first),
                format_func=partial(_as_choice, layer, role),
                key=session.key(f"{role}-of-file"),
                width=220,
            )
            chosen[role] = name or ""
    return layer.with_roles(chosen)


def _as_choice(layer: LayerInFile, role: str, name: str) -> str:
    if not name:
        return MADE_X if role == "x" else say("choose an array")
    return f"{name}: {' × '.join(map(str, layer.headers[name].shape))}"


def _what_it_is(layer: LayerInFile) -> str:
    """What the file holds, what is made, and what is left out."""
    said = []
    if layer.makes_x:
        said.append(
            say("The file has no X: your tokens get word vectors as wide as the weights need.")
        )
    if layer.left_out:
        names = ", ".join(layer.left_out[:5]) + ", …" * (len(layer.left_out) > 5)
        said.append(say("Not used: {names}.").format(names=names))
    return " ".join(said)
