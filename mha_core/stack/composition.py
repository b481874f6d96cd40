"""Which head of a later layer reads what which earlier head has written."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_one_of
from mha_core.scenario.scenario import Scenario
from mha_core.stack.heads import looks_for, moves

Through = Literal["q", "k", "v"]
WAYS: Final = ("q", "k", "v")


def composition(earlier: Scenario, later: Scenario, through: Through) -> FloatArray:
    """How much of what each earlier head writes goes into the queries, keys or values of another.

    Shape: (heads of the earlier layer, heads of the later one). It is the size of the product of
    both heads' matrices, divided by both sizes: 0 where the later head reads none of what is
    written, at most 1. Sizes are roots of sums of squares. Numbers are of the weights alone, so
    they say what may be read, not what is read of a certain sentence.

    >>> I, N = np.eye(2), np.zeros((2, 2))
    >>> first = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> later = Scenario(x=I, w_q=N, w_k=N, w_v=I, w_o=I, n_heads=1)
    >>> [float(composition(first, later, way)[0, 0].round(2)) for way in WAYS]
    [0.0, 0.0, 0.71]
    """
    check_one_of("through", through, WAYS)
    written = [moves(earlier, head) for head in range(earlier.n_heads)]
    numbers = np.zeros((earlier.n_heads, later.n_heads))
    if through == "v" and later.context_v is not None:  # its values read nothing of the stream
        return numbers
    for head in range(later.n_heads):
        read = moves(later, head) if through == "v" else looks_for(later, head)
        read = read.T if through == "k" else read
        for before, of_head in enumerate(written):
            sizes = np.linalg.norm(of_head) * np.linalg.norm(read)
            numbers[before, head] = np.linalg.norm(of_head @ read) / sizes if sizes else 0.0
    return numbers
