"""What a held key draws, for a browser that asks beside Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.scenario.given_arrays import GIVEN
from ui.controls.form import may_be_held
from ui.controls.sidebar import fields
from ui.edits.forward_inputs import forward_inputs
from ui.state import session_with
from ui.state.refusals import REFUSES


def drawn(session_id: str, key: str, entered: str) -> Mapping[str, Any] | None:
    """What a forward pass begins with, if the field with this key held what is entered.

    `moved` names the arrays that are not as in the scenario of this `version`. None where the field
    refuses it, and where keys are not followed. Nothing is changed, and several threads may ask at
    once.
    """
    session = session_with(session_id)
    if not session:
        return None
    with session.changing:
        field = fields(session).get(key)
        version, now = session.version, session.scenario
    if not field or not field.change or not may_be_held(session, field):
        return None
    try:
        then = field.change(now, entered)
    except REFUSES:
        return None
    moved = [name for name in GIVEN if not _is_same(getattr(now, name), getattr(then, name))]
    return {"version": version, "inputs": forward_inputs(then), "moved": moved}


def _is_same(one: FloatArray | None, other: FloatArray | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
