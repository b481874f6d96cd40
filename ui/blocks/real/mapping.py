"""A layer of a file that no family knows: the person says which tensor is which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.checks.limits import LIMITS
from mha_core.io.tensors.opening import TENSOR_FILE_TYPES
from mha_core.language import say, say_number
from mha_core.models.by_hand.choice import BIASES, MATRICES, SYMBOLS
from mha_core.models.by_hand.layer_by_hand import NONE, ROTARY, LayerByHand
from mha_core.models.hidden_states import as_said
from mha_core.options.rope_pairs import PAIRS
from ui.controls.file_field import file_field
from ui.controls.file_names import as_file_name
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.machine.memory import takes
from ui.reports import reported
from ui.state.hidden_states import StatesFile
from ui.state.layer_to_map import EMBEDDING, STATES, WORDS, X_FROM, X_SAYS, LayerToMap
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES

MAPPING: Final = "hand-mapping"  # keys of refusals
X: Final = "hand-x"
OPEN: Final = "hand-open"
KEYS: Final = (MAPPING, X, OPEN)
MOST_LISTED: Final = 1_000  # tensors
TENSOR_WIDTH: Final = 288  # four stand side by side on a small laptop
ROTARY_TITLES: Final = {
    NONE: say("No rotation"),
    **{
        name: say("Rotary: {pairs}").format(pairs=pairs.title.lower())
        for name, pairs in PAIRS.items()
    },
}


def by_hand(shown: RealLayers, layer: LayerToMap) -> None:
    """Which tensor is which, what that gives, where X comes from, and the button that opens it."""
    st.header(say("Map a layer by hand"), anchor=False)
    st.markdown(
        plain(
            say(
                "{file} is of no family that is known here. Say which of its tensors are the "
                "matrices of one attention layer. What its names suggest is filled in."
            ).format(file=layer.name)
        )
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(say("Back to the heads"), on_click=_close, args=(shown,))
        with st.popover(say("Why it is not known")):
            st.markdown(plain(layer.why))
        with st.popover(say("Its tensors")):
            _tensors(layer)
        with st.popover(say("A mapping that was kept")):
            _kept(shown, layer)
    _which(layer)
    _how(layer)
    fits = _checks(layer)
    _refused(shown, MAPPING)
    _where_x_comes_from(shown, layer, fits=fits)
    _refused(shown, X)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if fits:
            _select(
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


# Which tensor is which.


def _which(layer: LayerToMap) -> None:
    matrices = [name for name, shape in layer.file.shapes.items() if len(shape) == 2]
    with st.container(horizontal=True):
        for role in MATRICES:
            with st.container(width=TENSOR_WIDTH):
                _tensor(layer, role, matrices)
                _way_round(layer, role)
    lists = [name for name, shape in layer.file.shapes.items() if len(shape) == 1]
    if lists:
        has_some = any(role in layer.choice.names for role in BIASES)
        with (
            st.expander(say("Biases"), expanded=has_some, key="hand-biases"),
            st.container(horizontal=True),
        ):
            for role in BIASES:
                with st.container(width=TENSOR_WIDTH):
                    _tensor(layer, role, lists)


def _tensor(layer: LayerToMap, role: str, names: Sequence[str]) -> None:
    none = say("choose a tensor") if role in MATRICES else say("none")
    _select(
        f"hand-{role}",
        SYMBOLS[role],
        ["", *names],
        layer.choice.names.get(role, ""),
        lambda name: layer.choose(layer.choice.with_tensor(role, name or "")),
        lambda name: as_said(layer.file.shapes, name) if name else none,
    )


def _way_round(layer: LayerToMap, role: str) -> None:
    key = f"hand-{role}-turned"
    st.session_state[key] = role in layer.choice.transposed
    st.toggle(
        say("Transposed"),
        key=key,
        on_change=lambda: layer.choose(
            layer.choice.stored(role, is_transposed=bool(reported(key)))
        ),
        help=say(
            "Stored as outputs × inputs, as in PyTorch's Linear. Else inputs × outputs, as here."
        ),
    )


# How many heads, and what they do.


def _how(layer: LayerToMap) -> None:
    choice = layer.choice
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(layer.layers) > 1:
            _select(
                "hand-layer",
                say("Layer"),
                layer.layers,
                layer.layer,
                layer.choose_layer,
                lambda number: str(number + 1),
                width=90,
            )
        _count(
            "hand-heads",
            say("Number of heads"),
            choice.n_heads,
            say("say it"),
            lambda count: layer.choose(replace(layer.choice, n_heads=count)),
        )
        _count(
            "hand-key-heads",
            say("Heads of keys"),
            choice.n_kv_heads,
            say("by the shapes"),
            lambda count: layer.choose(replace(layer.choice, n_kv_heads=count)),
        )
        if choice.fused:
            _select(
                "hand-cut",
                say("{roles} are one tensor").format(
                    roles=", ".join(SYMBOLS[role] for role in choice.fused)
                ),
                [False, True],
                choice.is_cut_by_head,
                lambda by_head: layer.choose(replace(layer.choice, is_cut_by_head=bool(by_head))),
                lambda by_head: (
                    say("cut within each head of keys") if by_head else say("cut in blocks")
                ),
                width=300,
            )
        _select(
            "hand-rotary",
            say("Positions"),
            ROTARY,
            choice.rotary,
            lambda rotary: layer.choose(replace(layer.choice, rotary=rotary or NONE)),
            ROTARY_TITLES.__getitem__,
            width=200,
        )
        if choice.rotary != NONE:
            _base(layer)
        _sees_no_later(layer)


def _count(key: str, label: str, value: int, nothing: str, take: Callable[[int], None]) -> None:
    """A number of heads; nothing where it was not said."""
    st.session_state[key] = value or None
    st.number_input(
        label,
        1,
        LIMITS.heads,
        step=1,
        key=key,
        placeholder=nothing,
        on_change=lambda: take(int(reported(key) or 0)),
        width=170,
    )


def _base(layer: LayerToMap) -> None:
    key = "hand-base"
    st.session_state[key] = float(layer.choice.rope_base)
    st.number_input(
        say("Base of the angles"),
        1.0,
        1e12,
        key=key,
        format="%g",
        on_change=lambda: layer.choose(
            replace(layer.choice, rope_base=float(reported(key) or layer.choice.rope_base))
        ),
        width=170,
    )


def _sees_no_later(layer: LayerToMap) -> None:
    key = "hand-causal"
    st.session_state[key] = layer.choice.is_causal
    st.toggle(
        say("No token sees a later one"),
        key=key,
        on_change=lambda: layer.choose(replace(layer.choice, is_causal=bool(reported(key)))),
    )


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
    _select(
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
        shown.refusals.pop(X, None)
        try:
            layer.states = StatesFile.read(name, data, layer.width)
        except REFUSES as error:
            shown.refusals.note(X, error, name)

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
        _select(
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
    shown.refusals.pop(OPEN, None)
    try:
        with TURNS.turn(shown.use):
            shown.ready = layer.ready()
    except REFUSES as error:
        shown.refusals.note(OPEN, error, layer.name)


def _keep(layer: LayerToMap, *, fits: bool) -> None:
    st.download_button(
        say("Keep the mapping"),
        layer.mapped.to_json() if fits else "",
        f"{as_file_name(layer.name, 'layer')}-mapping.json",
        "application/json",
        disabled=not fits,
        on_click="ignore",
        key="hand-keep",
        help=say(
            "A small file. Give it again here, or in Python: read_layer(path, 0, names=mapping)."
        ),
    )


def _kept(shown: RealLayers, layer: LayerToMap) -> None:
    def take(data: bytes, name: str) -> None:
        shown.refusals.pop(MAPPING, None)
        try:
            layer.take_mapping(LayerByHand.from_json(data))
        except REFUSES as error:
            shown.refusals.note(MAPPING, error, name)

    file_field(shown, "hand-kept", say("A mapping"), [".json"], take, lambda: None)


def _select(
    key: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    take: Callable[[Any], None],
    in_words: Callable[[Any], str],
    width: Any = "stretch",
) -> None:
    """A choice whose value stands in what is kept of the page, not in the widget."""
    st.session_state[key] = value if value in options else None
    st.selectbox(
        label,
        options,
        format_func=in_words,
        key=key,
        on_change=partial(_taken, key, take),
        width=width,
    )


def _taken(key: str, take: Callable[[Any], None]) -> None:
    take(reported(key))
