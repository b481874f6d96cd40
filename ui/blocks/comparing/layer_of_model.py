"""Another layer of the model whose layer A is, as B."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from mha_core import Scenario
from mha_core.language import say
from mha_core.scenario.origin import Origin
from ui.controls.refusal import show_refusal
from ui.machine.one_thread import ONE_THREAD
from ui.state import Session, bound_choice
from ui.state.opened_first import made_by_model
from ui.state.x_of_model import is_made_by_model, model_of

if TYPE_CHECKING:
    from ui.state.models_here import OpenedModel

KEY: Final = "layer-of-model"


def layer_of_model(a: Session, b: Session) -> None:
    """Which layer of the model B is, where A is one on a text, and the model is open here."""
    origin = a.scenario.origin
    model = model_of(origin) if is_made_by_model(a.scenario) else None
    if model is None or model.n_layers < 2:
        return
    st.selectbox(
        say("B is this layer of the model"),
        range(model.n_layers),
        format_func=model.layer_name,
        placeholder=say("Another one"),
        width=260,
        **bound_choice(b, KEY, _layer_shown(b, origin), partial(_other_layer, model, origin)),
    )
    show_refusal(b, KEY)


def _layer_shown(b: Session, origin: Origin) -> int | None:
    """Which one B is, if it is of the same model on the same text."""
    of_b = b.scenario.origin
    is_same = of_b.model == origin.model and _texts(of_b) == _texts(origin)
    return of_b.model_layer if is_same else None


def _texts(origin: Origin) -> tuple[str, str]:
    """What the model has read, and its decoder, if it has one."""
    return origin.model_text, origin.model_text_of_decoder


def _other_layer(model: OpenedModel, origin: Origin, _: Scenario, layer: int) -> Scenario:
    texts = _texts(origin)
    with ONE_THREAD:
        scenario = model.on(*texts).layer(layer)
    return made_by_model(scenario, origin.model, layer, *texts)
