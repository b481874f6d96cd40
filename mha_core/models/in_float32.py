"""Numbers of a file as models are computed here: in float32, whatever the file has."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say

LARGEST: Final = float(np.finfo(np.float32).max)


def in_float32(name: str, array: FloatArray) -> FloatArray:
    """The tensor of this name. What float32 cannot hold is refused: it would become infinity.

    >>> in_float32("w", np.array([0.1]))
    array([0.1], dtype=float32)
    """
    if array.dtype == np.float32:
        return array
    sizes = np.abs(array)
    too_large = np.isfinite(array) & (sizes > LARGEST)
    if too_large.any():
        raise NumberError(
            name,
            say("must hold numbers of at most {limit:.1g} in size").format(limit=LARGEST),
            f"{array[too_large][0]}",
            say("Models are computed in float32. Give this matrix as a Scenario, in float64."),
        )
    return array.astype(np.float32)
