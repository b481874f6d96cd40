"""A layer of a file that no family knows: the person says which tensor is which."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from mha_core.io.tensors.json_object import json_object
from mha_core.io.tensors.opening import TENSOR_FILE_TYPES
from mha_core.language import say, say_number
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from mha_core.models.hidden_states import as_said
from ui.blocks.real.fields import MAPPING, select
from ui.blocks.real.mapping_scores import heads_and_scores
from ui.blocks.real.mapping_tensors import which_tensors
from ui.blocks.real.taking import take_tensors
from ui.controls.file_field import file_field
from ui.controls.file_names import as_file_name
from ui.controls.markdown import plain
from ui.controls.save_button import save_button
from ui.machine.budget import TURNS
from ui.machine.memory import takes
from ui.reports import reported
from ui.state.hidden_states import StatesFile
from ui.state.layer_to_map import EMBEDDING, STATES, WORDS, X_FROM, X_SAYS, LayerToMap
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES

CONFIG: Final = "hand-config"  # keys of refusals
X: Final = "hand-x"
OPEN: Final = "hand-open"
KEYS: Final = (MAPPING, CONFIG, X, OPEN)
MOST_LISTED: Final = 1_000  # tensors
EXAMPLE: Final = '{"num_attention_heads": 12}'


def by_hand(shown: RealLayers, layer: LayerToMap) -> None:
    """Which tensor is which, what that gives, where X comes from, and the button that opens it."""
    st.header(say("Map a layer by hand"), anchor=False)
    st.markdown(plain(_what_it_is(layer)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(say("Back to the heads"), on_click=_close, args=(shown,))
        if not layer.is_of_known_family:
            with st.popover(say("Why it is not known")):
                st.markdown(plain(str(layer.why)))
        with st.popover(say("Its config")):
            _config(shown, layer)
        with st.popover(say("Its tensors")):
            _tensors(layer)
        with st.popover(say("A mapping that was kept")):
            _kept(shown, layer)
    which_tensors(layer)
    heads_and_scores(shown, layer)
    fits = _checks(layer)
    _refused(shown, MAPPING)
    _where_x_comes_from(shown, layer, fits=fits)
    _refused(shown, X)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if fits:
            select(
                "hand-head",
                say("Heads to open"),
                range(layer.n_heads + 1),
                layer.head,
                layer.choose_head,
                lambda head: say("head {head}").format(head=head) if head else say("all"),
                width=150,
            )
        st.button(
            say("Open the layer"),
            type="primary",
            key="hand-opens",
            disabled=not fits,
            on_click=_open,
            args=(shown, layer),
        )
        _keep(layer, fits=fits)
    if fits and layer.needs:
        st.caption(takes(layer.needs))
    _refused(shown, OPEN)


def _what_it_is(layer: LayerToMap) -> str:
    """Why nothing more was opened, and what to do."""
    if layer.is_of_known_family:
        says = say(
            "The names in {file} are those of a family that is known here. To open it with all its "
            "heads, {thing} {need}, got {got}: give it under “Its config”. Or map one attention "
            "layer here. What the names suggest is filled in."
        )
        why = layer.why
        return says.format(file=layer.name, thing=why.thing, need=why.need, got=why.got)
    says = say(
        "{file} is of no family that is known here. Say which of its tensors are the "
        "matrices of one attention layer. What its names suggest is filled in."
    )
    return says.format(file=layer.name)


def _config(shown: RealLayers, layer: LayerToMap) -> None:
    """The config of the model, as a file or as some of its fields. Then it is opened again."""
    st.markdown(
        say(
            "A file that is dropped comes without its folder, so its config.json is missing. Give "
            "it here. A family that is known then opens with all its heads; of another file, what "
            "the config says is filled in."
        )
    )

    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(CONFIG, name), TURNS.turn(shown.use):
            config = json_object("config.json", data)
            file = layer.bare or layer.file
            take_tensors(shown, layer.name, file, layer.size, config)

    def type_in() -> None:
        if text := str(reported("hand-config-text") or "").strip():
            take(text.encode(), "config.json")

    file_field(shown, "hand-config-file", "config.json", [".json"], take, lambda: None)
    st.text_input(
        say("Or the fields that you know, as JSON"),
        key="hand-config-text",
        placeholder=EXAMPLE,
        on_change=type_in,
    )
    _refused(shown, CONFIG)


def _close(shown: RealLayers) -> None:
    shown.to_map = None
    for key in KEYS:
        shown.refusals.pop(key, None)


def _refused(shown: RealLayers, key: str) -> None:
    if refused := shown.refusals.get(key):
        st.error(plain(refused.reason))


def _tensors(layer: LayerToMap) -> None:
    """All that the file has, so that a person can look for names."""
    shapes = layer.file.shapes
    names = list(shapes)[:MOST_LISTED]
    says = say_number("{count} tensor", "{count:,} tensors", len(shapes))
    st.markdown(says.format(count=len(shapes)))
    st.code("\n".join(as_said(shapes, name) for name in names), None, height=360, width=480)
    if len(shapes) > MOST_LISTED:
        st.caption(say("The first {most:,} of them.").format(most=MOST_LISTED))


def _checks(layer: LayerToMap) -> bool:
    """What was checked and what was not. Whether the layer can be opened as it is."""
    if layer.exact:
        st.caption(
            say(
                "The mapping that was given may say more than stands above. It holds until "
                "something is changed there."
            )
        )
    try:
        checked, not_checked = layer.checks()
    except REFUSES as error:
        st.warning(plain(str(error)))
        return False
    st.success(plain(" ".join(checked)))
    st.info(plain(" ".join(not_checked)))
    return True


# Where X comes from.


def _where_x_comes_from(shown: RealLayers, layer: LayerToMap, *, fits: bool) -> None:
    st.session_state["hand-from"] = layer.x_from

    def choose() -> None:
        layer.x_from, layer.text = reported("hand-from") or WORDS, ""
        shown.refusals.pop(X, None)

    st.radio(
        say("Where X comes from"),
        list(X_FROM),
        format_func=X_FROM.__getitem__,
        key="hand-from",
        on_change=choose,
        horizontal=True,
    )
    st.caption(X_SAYS[layer.x_from])
    if layer.x_from == STATES:
        _states(shown, layer, fits=fits)
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if layer.x_from == EMBEDDING:
            _table(layer)
        st.session_state["hand-text"] = layer.reads

        def read() -> None:
            layer.text = str(reported("hand-text") or "").strip()

        st.text_input(say("What it reads"), key="hand-text", on_change=read)


def _table(layer: LayerToMap) -> None:
    tables = [name for name, shape in layer.file.shapes.items() if len(shape) == 2]
    select(
        "hand-embedding",
        say("The embedding"),
        ["", *tables],
        layer.choice.embedding,
        lambda name: layer.choose(replace(layer.choice, embedding=name or "")),
        lambda name: as_said(layer.file.shapes, name) if name else say("choose a tensor"),
        width=300,
    )


def _states(shown: RealLayers, layer: LayerToMap, *, fits: bool) -> None:
    """Rows that somebody has recorded; if the file has the layer's output too, it is compared."""
    if not fits:
        st.caption(say("First say which tensor is which: then it is known how wide X is."))
        return

    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(X, name):
            layer.states = StatesFile.read(name, data, layer.width)

    def take_away() -> None:
        layer.states = None
        shown.refusals.pop(X, None)

    file_field(shown, "hand-states", say("Hidden states"), TENSOR_FILE_TYPES, take, take_away)
    if layer.states is None:
        st.caption(
            say(
                "An array with a row for each token. With an array “output” beside it, what the "
                "layer gave, the mapping is checked."
            )
        )
        return
    states = layer.states

    def choose(array: str) -> None:
        layer.states = states.of_array(array)

    try:
        fitting = states.fitting(layer.width)
        select(
            "hand-array",
            say("X of {file}").format(file=states.name),
            fitting,
            states.array,
            choose,
            lambda name: as_said(states.file.shapes, name),
            width=300,
        )
        with TURNS.turn(shown.use):
            compared = layer.compared()
    except REFUSES as error:
        st.error(plain(str(error)))
        return
    if compared is not None:
        agrees, says = compared
        (st.success if agrees else st.error)(plain(says))


# The layer opens; the mapping is kept.


def _open(shown: RealLayers, layer: LayerToMap) -> None:
    """In a callback: the run that follows goes to the explorer."""
    with shown.refusals.noting(OPEN, layer.name), TURNS.turn(shown.use):
        shown.ready = layer.ready()


def _keep(layer: LayerToMap, *, fits: bool) -> None:
    save_button(
        say("Keep the mapping"),
        layer.mapped.to_json if fits else str,
        f"{as_file_name(layer.name, 'layer')}-mapping.json",
        mime="application/json",
        disabled=not fits,
        key="hand-keep",
        help=say(
            "A small file. Give it again here, or in Python: read_layer(path, 0, names=mapping)."
        ),
    )


def _kept(shown: RealLayers, layer: LayerToMap) -> None:
    def take(data: bytes, name: str) -> None:
        with shown.refusals.noting(MAPPING, name):
            layer.take_mapping(LayerByHand.from_json(data))

    file_field(shown, "hand-kept", say("A mapping"), [".json"], take, lambda: None)
