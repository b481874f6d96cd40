"""What comes and goes with what the heads add to their scores: its gate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mha_core.scenario.given_arrays import OF_FACTORS
from mha_core.scenario.scenario import Scenario


def goes_with(name: str) -> tuple[str, ...]:
    """The arrays that are gone if this one is, itself among them.

    >>> goes_with("w_g"), goes_with("b_g")
    (('w_g', 'b_g'), ('b_g',))
    """
    match name:
        case "b_s":
            return ("b_s", *OF_FACTORS)
        case "w_f":
            return OF_FACTORS
        case "w_g":
            return ("w_g", "b_g")
    return (name,)


def with_gate_of_additions(s: Scenario) -> Scenario:
    """A gate of what the heads add to their scores, if there is none yet.

    Its W_F is 0 at first, so both shares are half, and each factor is 1.75. Heads that add nothing
    yet add zeros.
    """
    if s.w_f is not None:
        return s
    b_s = np.zeros((s.n_heads * s.n_q, s.n_k), s.dtype) if s.b_s is None else s.b_s
    return replace(s, b_s=b_s, w_f=np.zeros((s.d_model, s.n_heads * 2), s.dtype))
