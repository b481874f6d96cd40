"""Whether the explorer's pictures hold the numbers of its scenario."""

from __future__ import annotations

import numpy as np

from mha_core import attend
from mha_core.checks.shapes import FloatArray
from tests.pages.visitor import Visitor


def shows_the_scenario(visitor: Visitor) -> bool:
    """The pictures hold the numbers of the scenario, worked out again."""
    trace = attend(visitor.scenario)
    seen = visitor.matrices
    hidden = np.where(trace.mask, 1.0, np.nan)
    expected = {"output": trace.output, "concat": trace.concat}
    for head in range(min(visitor.scenario.n_heads, 16)):
        expected[f"weights/{head}"] = trace.weights[head] * hidden
        expected[f"contributions/{head}"] = trace.contributions[head]
    return all(pictures(seen[name], array) for name, array in expected.items())


def pictures(seen: FloatArray, array: FloatArray) -> bool:
    """The very numbers; for an array too large for a picture, the means of blocks."""
    if seen.shape == array.shape:
        return np.array_equal(seen, array.astype(seen.dtype), equal_nan=True)
    (rows, height), (columns, width) = (
        (n, -(-whole // n)) for n, whole in zip(seen.shape, array.shape, strict=True)
    )
    missing = [(0, rows * height - len(array)), (0, columns * width - array.shape[1])]
    blocks = np.pad(array.astype(float), missing, constant_values=np.nan)
    means = np.nanmean(blocks.reshape(rows, height, columns, width), axis=(1, 3))
    return np.allclose(seen, means, rtol=1e-5, atol=1e-6)
