"""The ways to a trace: from a scenario alone, or with arrays that somebody else has made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.room_for_scores import check_room_for_scores
from mha_core.scenario.scenario import Scenario, check_scenario


def attend(scenario: Scenario, columns_of_x: tuple[str, ...] = ()) -> Trace:
    """Run multi-head attention on a scenario. The trace has every array by name.

    Arrays are computed when they are first used. The weights and the output alone need one array
    of n_heads x n_q x n_k. If a sequence is too long even for that, use `mha_core.attend_rows`.
    """
    check_scenario(scenario)
    way_out = say("Use attend_rows for the output and chosen rows of the weights.")
    check_room_for_scores(scenario, LIMITS.score_cells, way_out)
    return Trace(scenario, columns_of_x)


def attend_from(scenario: Scenario, **arrays: FloatArray) -> Trace:
    """A trace that goes on from these arrays, each named for its step, whoever made them.

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> scenario = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> attend_from(scenario, weights=np.array([[[0.0, 1], [1, 0]]])).output
    array([[0., 1.],
           [1., 0.]])
    """
    trace = attend(scenario)
    trace.__dict__.update(arrays)
    if "weights" not in arrays:  # they go on from the scores, once these exist
        trace.__dict__["raw_scores"] = trace.raw_scores
    return trace


def attend_changed(scenario: Scenario, change: Callable[[Step[Any], Any], Any]) -> Trace:
    """A trace in which each array is changed as soon as it is made, before others are made of it.

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> scenario = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> attend_changed(scenario, lambda step, array: np.round(array)).weights[0]
    array([[1., 0.],
           [0., 1.]])
    """
    trace = attend(scenario)
    for each in STEPS:
        trace.__dict__[each.name] = change(each, getattr(trace, each.name))
    return trace
