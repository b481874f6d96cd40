"""Which tensor of a file is which part of its layer, and which way round it is stored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.models.by_hand.choice import BIASES, GATE, MATRICES, SYMBOLS, Shapes
from mha_core.models.hidden_states import as_said
from ui.blocks.real.fields import count, select, switch
from ui.state.layer_to_map import LayerToMap

TENSOR_WIDTH: Final = 288  # four stand side by side on a small laptop
MOST_LETTERS: Final = 34  # of a name and its shape in such a field, which cuts the end

NUMBER_AND_WORD: Final = re.compile(r"[^._/]*[._/]?(?<![^._/])\d+[._/]")
CUT_WORD: Final = re.compile(r"^[^._/]{0,4}[._/]")  # little is left of it


def which_tensors(layer: LayerToMap) -> None:
    """A tensor for each matrix, and one for each bias where the file has lists of numbers."""
    with st.container(horizontal=True):
        for role in MATRICES:
            with st.container(width=TENSOR_WIDTH):
                tensor(layer, role, of_axes(layer, 2))
                _way_round(layer, role)
    lists = of_axes(layer, 1)
    if lists:
        has_some = any(role in layer.choice.names for role in BIASES)
        with st.expander(say("Biases"), expanded=has_some, key="hand-biases"):
            tensors(layer, BIASES, lists)


def gate(layer: LayerToMap) -> None:
    """The matrix of a gate between the heads and W_O, which may stand in the tensor of W_Q."""
    with st.container(width=TENSOR_WIDTH):
        tensor(layer, GATE, of_axes(layer, 2))
        if layer.choice.names.get(GATE, "") not in ("", layer.choice.names.get("w_q")):
            _way_round(layer, GATE)


def additions(layer: LayerToMap) -> None:
    """The table of what each head adds by distance, and a gate of that, as WavLM has it."""
    choice, matrices = layer.choice, of_axes(layer, 2)
    said = short_names(layer.file.shapes, matrices)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        select(
            "hand-table",
            say("Table of distances, for b_S"),
            ["", *matrices],
            choice.table,
            lambda name: layer.choose(layer.choice.with_table(name or "")),
            lambda name: said.get(name, say("none")),
            width=TENSOR_WIDTH,
            help=say(
                "A row for each kind of distance, as T5 counts them, and a column for each head."
            ),
        )
        if not choice.table:
            return
        count(
            "hand-furthest",
            say("Farthest distance"),
            choice.furthest,
            LIMITS.tokens,
            "128",
            lambda number: layer.choose(replace(layer.choice, furthest=number or 128)),
        )
    with st.container(horizontal=True):
        for role, n_axes in (("w_f", 2), ("b_f", 1), ("c_f", 4)):
            names = of_axes(layer, n_axes)
            if names:
                with st.container(width=TENSOR_WIDTH):
                    tensor(layer, role, names)
                    if role == "w_f" and role in choice.names:
                        _way_round(layer, role)


def tensors(layer: LayerToMap, roles: Sequence[str], names: Sequence[str]) -> None:
    with st.container(horizontal=True):
        for role in roles:
            with st.container(width=TENSOR_WIDTH):
                tensor(layer, role, names)


def tensor(layer: LayerToMap, role: str, names: Sequence[str]) -> None:
    none = say("choose a tensor") if role in MATRICES else say("none")
    said = short_names(layer.file.shapes, names)
    select(
        f"hand-{role}",
        SYMBOLS[role],
        ["", *names],
        layer.choice.names.get(role, ""),
        lambda name: layer.choose_tensor(role, name or ""),
        lambda name: said.get(name, none),
    )


def short_names(shapes: Shapes, names: Sequence[str]) -> dict[str, str]:
    """The tensors with their shapes, without the middle of a long name: the ends tell them apart.

    >>> shapes = {"model.layers.3.self_attn.q_proj.weight": (64, 64), "wte": (9, 64)}
    >>> list(short_names(shapes, list(shapes)).values())
    ['layers.3…q_proj.weight: 64 × 64', 'wte: 9 × 64']
    """
    short = {name: _shortened(name, as_said(shapes, name)) for name in names}
    count = Counter(short.values())
    return {
        name: says if count[says] == 1 else as_said(shapes, name) for name, says in short.items()
    }


def _shortened(name: str, says: str) -> str:
    """Its last number stays, with the word before it: it is that of the layer."""
    if len(says) <= MOST_LETTERS:
        return says
    numbers = [*NUMBER_AND_WORD.finditer(name)]
    begin = numbers[-1][0].rstrip("._/") if numbers else name[: MOST_LETTERS // 3]
    end = says[len(begin) + 1 - MOST_LETTERS :]
    return f"{begin}…{CUT_WORD.sub('', end)}"


def of_axes(layer: LayerToMap, count: int) -> list[str]:
    """The tensors of the file that have so many axes."""
    return [name for name, shape in layer.file.shapes.items() if len(shape) == count]


def _way_round(layer: LayerToMap, role: str) -> None:
    switch(
        f"hand-{role}-turned",
        say("Transposed"),
        is_on=role in layer.choice.transposed,
        take=lambda turned: layer.choose(layer.choice.stored(role, is_transposed=turned)),
        help=say(
            "Stored as outputs × inputs, as in PyTorch's Linear. Else inputs × outputs, as here."
        ),
    )
