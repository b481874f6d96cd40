"""Which head adds how much to a number of the stream, or to a logit: its direct effect.

The stream is a sum of what was there at first and of what each head has added, and a logit is a
product of that sum. So each part has its share, and the shares add up to the number.
"""

from __future__ import annotations

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.score_table import Part
from mha_core.stack.derivation import LOGITS, STREAM
from mha_core.stack.parts import stream_parts
from mha_core.stack.paths import Path, paths
from mha_core.stack.trace import StackTrace


def direct_effects(trace: StackTrace, cell: Cell, layer: int) -> dict[Part, float]:
    """What each part adds to a number of X of a layer, of the stream at its end, or of a logit.

    >>> from mha_core import attend, load_example
    >>> from mha_core.changing.layers import as_stack, with_layer_count
    >>> trace = attend(with_layer_count(as_stack(load_example("the-cat")), 2))
    >>> effects = direct_effects(trace, Cell("stream", None, 1, 0), layer=1)
    >>> bool(abs(sum(effects.values()) - trace.stream[-1][1, 0]) < 1e-12)
    True
    """
    until = len(trace.layers) if cell.step in (STREAM, LOGITS) else layer
    parts = stream_parts(trace, until)
    return {part: _number(trace, rows, cell) for part, rows in parts.items()}


def path_effects(trace: StackTrace, cell: Cell) -> dict[Path, float]:
    """What each path adds to a number of the stream at its end, or to a logit."""
    return {path: _number(trace, rows, cell) for path, rows in paths(trace).items()}


def _number(trace: StackTrace, rows: FloatArray, cell: Cell) -> float:
    w_u = trace.stack.w_u
    if cell.step == LOGITS and w_u is not None:
        return float(rows[cell.row] @ w_u[:, cell.column])
    return float(rows[cell.row, cell.column])
