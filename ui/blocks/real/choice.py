"""Which model, and what it reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from mha_core.io.tensors.opening import TENSOR_FILE_TYPES, open_tensors, tensors_of
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.survey.head_map import IN_LAYERS, ORDERS
from mha_core.survey.measures import TITLES
from ui.blocks.real.fields import select
from ui.blocks.real.installing import INSTALL, what_can_be_installed
from ui.blocks.real.many_texts import SENTENCES
from ui.blocks.real.mapping import KEYS as SAID_BELOW
from ui.blocks.real.taking import take_tensors
from ui.blocks.real.x_of_a_file import STATES, x_of_a_file
from ui.controls.drop_file import take_dropped_file
from ui.controls.file_field import file_field
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.machine.own_machine import VARIABLE, is_at_own_machine
from ui.reports import reported
from ui.state.models_here import MODELS, note_path
from ui.state.opened_first import name_of_path
from ui.state.real_layers import OWN, RealLayers

SAID_THERE: Final = (*SAID_BELOW, SENTENCES, STATES, INSTALL)  # refusals, where they were made
TITLE: Final = say("Real layers")
MODEL: Final = "real-model"
TEXT: Final = "real-text"
OF_DECODER: Final = "real-text-of-decoder"
ORDER: Final = "real-order"
OPEN: Final = "real-open"
FILE: Final = "real-file"
TOKENIZER: Final = "real-tokenizer"
PATH: Final = "real-path"


def heading(shown: RealLayers) -> None:
    """The title, the model, its words, and the order of the heads."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(TITLE, anchor=False)
    if not shown.to_map:
        st.markdown(
            say(
                "Each small picture is a head of a trained model, and shows how much each word "
                "looks at itself and all others. Click one to open it in the explorer."
            )
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _model(shown)
        _open(shown)
        if not shown.to_map:
            with st.popover(say("X from a file"), key="real-x"):
                x_of_a_file(shown)
            if shown.model == OWN and shown.opened.reads_ids:
                with st.popover(say("Its tokenizer"), key="real-tokenizer-popover"):
                    _tokenizer(shown)
            _text(shown)
            if shown.opened.has_decoder:
                _text_of_decoder(shown)
            _order(shown)
    for key, refused in shown.refusals.items():
        if key not in SAID_THERE:
            st.error(plain(refused.reason))
    if not shown.to_map:
        st.caption(plain(shown.opened.says))


def _model(shown: RealLayers) -> None:
    titles = {name: known.title for name, known in MODELS.items()}
    if shown.own:
        titles[OWN] = shown.own.title
    select(
        MODEL,
        say("Model"),
        list(titles),
        shown.model,
        lambda name: shown.choose(name or shown.model),
        titles.__getitem__,
        width=300,
    )


def _open(shown: RealLayers) -> None:
    """A file of one's own; where the person sits at the server, also by its path."""
    is_here = is_at_own_machine()
    menu = f"{OPEN}-{shown.taken}"
    take_dropped_file(shown, FILE, menu)
    with st.popover(say("Open a file"), key=menu):
        file_field(
            shown,
            FILE,
            say("A model"),
            TENSOR_FILE_TYPES,
            partial(_take, shown),
            _let_alone,
            if_large=say("give its path below.") if is_here else say("open it as said below."),
        )
        if is_here:
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
        what_can_be_installed(shown)


def _take(shown: RealLayers, data: bytes, name: str) -> None:
    _open_model(shown, name, partial(tensors_of, name, data), len(data))


def _open_path(shown: RealLayers, path: str) -> None:
    if path and is_at_own_machine():  # anyone can send anything
        read = partial(open_tensors, Path(path).expanduser(), own_machine=True)
        _open_model(shown, name_of_path(Path(path)), read)
        note_path(Path(path).expanduser())


def _let_alone() -> None:
    """A file that is taken out of its field was read long ago."""


def _open_model(
    shown: RealLayers, name: str, read: Callable[[], TensorFile], size: int = 0
) -> None:
    """What is no file of tensors is refused."""
    shown.refusals.clear()
    with shown.refusals.noting(FILE, name):
        with TURNS.turn(shown.use):
            take_tensors(shown, name, read(), size)
        shown.taken += 1


def _tokenizer(shown: RealLayers) -> None:
    """A file that is dropped comes without its folder, and so without its tokenizer."""

    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(TOKENIZER, name):
            shown.take_tokenizer(name, data)

    file_field(shown, TOKENIZER, say("The model's tokenizer.json"), (".json",), take, _let_alone)


def _text(shown: RealLayers) -> None:
    st.session_state[TEXT] = shown.text
    st.text_input(
        say("What it reads"), key=TEXT, on_change=lambda: shown.read(str(reported(TEXT) or ""))
    )


def _text_of_decoder(shown: RealLayers) -> None:
    """A decoder reads what was written so far, which may be another text: a translation."""
    st.session_state[OF_DECODER] = shown.of_decoder
    st.text_input(
        say("What its decoder reads"),
        key=OF_DECODER,
        placeholder=say("the same text"),
        help=say(
            "The first text goes to the encoder, this one to the decoder: what it has written so "
            "far, as a translation or a summary. It stands behind the token that the decoder "
            "begins with. With nothing here, it reads the same text."
        ),
        on_change=lambda: shown.read_in_decoder(str(reported(OF_DECODER) or "")),
    )


def _order(shown: RealLayers) -> None:
    def sort(order: str | None) -> None:
        shown.order = order or IN_LAYERS

    select(ORDER, say("Sort by"), ORDERS, shown.order, sort, order_in_words, width=160)


def order_in_words(order: str) -> str:
    return say("Layer") if order == IN_LAYERS else TITLES[order]
