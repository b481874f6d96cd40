"""A scenario of three tokens, for one thing in it to be wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from mha_core.scenario.scenario import Scenario

EYE = np.eye(4)
NAN, INF = float("nan"), float("inf")


def small(**changes: Any) -> Scenario:
    given = {"x": np.ones((3, 4)), "w_q": EYE, "w_k": EYE, "w_v": EYE, "w_o": EYE, "n_heads": 2}
    return Scenario(**{**given, **changes})


def of_size(*shape: int) -> Any:
    """An array of any size that takes no memory."""
    return np.broadcast_to(1.0, shape)
