"""Every array of a stack by a name that tells its layer, as files of matrices have them."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.layer.trace import STEPS
from mha_core.stack.trace import StackTrace


def named_arrays(traces: StackTrace) -> dict[str, npt.NDArray[Any]]:
    """All given arrays and all steps. Of several layers, their names begin with its number.

    >>> from mha_core.examples import load_stack
    >>> from mha_core.stack.attending import attend
    >>> names = [*named_arrays(attend(load_stack("induction")))]
    >>> [name for name in names if name.endswith("w_q") or "stream" in name]
    ['1.w_q', '2.w_q', 'stream_0', 'stream_1', 'stream_2']
    """
    found: dict[str, npt.NDArray[Any]] = {}
    for number, trace in enumerate(traces.layers, 1):
        before = f"{number}." if len(traces.layers) > 1 else ""
        arrays = trace.scenario.given() | {each.name: getattr(trace, each.name) for each in STEPS}
        found |= {f"{before}{name}": array for name, array in arrays.items()}
    return found | arrays_beside_layers(traces)


def arrays_beside_layers(traces: StackTrace) -> dict[str, FloatArray]:
    """What belongs to no layer alone; nothing, where there is no more than one layer.

    `stream_0` is X, `stream_1` the same after layer 1.
    """
    if traces.stack.is_one_layer:
        return {}
    arrays = {
        **{f"stream_{number}": x for number, x in enumerate(traces.stream)},
        "w_u": traces.stack.w_u,
        "logits": traces.logits,
        "probabilities": traces.probabilities,
    }
    return {name: array for name, array in arrays.items() if array is not None}
