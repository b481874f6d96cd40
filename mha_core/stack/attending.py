"""The way to a trace, of one layer or of several."""

from __future__ import annotations

from typing import overload

from mha_core.layer import attending
from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace


@overload
def attend(of: Scenario) -> Trace: ...
@overload
def attend(of: Stack) -> StackTrace: ...
def attend(of: Scenario | Stack) -> Trace | StackTrace:
    """Run multi-head attention on a scenario, or on the layers of a stack.

    The trace has every array by name. Arrays are computed when they are first used. The weights and
    the output alone need one array of n_heads x n_q x n_k. If a sequence is too long even for that,
    use `mha_core.attend_rows`.
    """
    return StackTrace(of) if isinstance(of, Stack) else attending.attend(of)


def layer_on_x(stack: Stack, number: int) -> Scenario:
    """A layer of a stack, counted from 0, on its X. For the first one nothing is computed."""
    return stack.first if number == 0 else attend(stack).layers[number].scenario
