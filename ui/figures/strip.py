"""The way of the data as a strip: a small picture, a symbol and a shape for each stage."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.trace import Trace
from ui.figures.png import png

SIDE: Final = 28  # pixels of a picture's longer side
MOST_CELLS: Final = 12  # along a side; larger matrices are averaged

# Colours that stand out from a light page and from a dark one.
PLUS: Final = "#d0454f"
MINUS: Final = "#4384c9"
WEIGHT: Final = "#6f60c8"


class Stage(NamedTuple):
    """One stop on the way: its symbol, the steps whose shape it shows, and where a click goes."""

    symbol: str
    steps: tuple[str, ...]
    anchor: str


STAGES: Final = (
    Stage("X", ("x",), "input"),
    Stage("Q K V", ("q_heads", "k_heads", "v_heads"), "input"),
    Stage("scores", ("scaled_scores",), "heads"),
    Stage("mask", ("mask",), "mask"),
    Stage("weights", ("weights",), "heads"),
    Stage("heads", ("head_outputs",), "together"),
    Stage("concat", ("concat",), "together"),
    Stage("output", ("output",), "together"),
)


def strip(trace: Trace) -> str:
    """HTML for the strip: a list of links, in the order of the data."""
    stops = "".join(_stop(stage, trace) for stage in STAGES)
    return f'<nav class="strip" aria-label="The way of the data"><ol>{stops}</ol></nav>'


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as it is read aloud.

    >>> shape_text((2, 4, 4))
    '2×4×4'
    """
    return "×".join(str(size) for size in shape)


def _stop(stage: Stage, trace: Trace) -> str:
    first = getattr(trace, stage.steps[0])
    return (
        f'<li><a href="#{stage.anchor}">{picture(first, stage.steps[0])}'
        f"<strong>{html.escape(stage.symbol)}</strong>"
        f"<small>{_shapes(stage, trace)}</small></a></li>"
    )


def _shapes(stage: Stage, trace: Trace) -> str:
    """The shape of each array of a stage; said once, with their number, where all have the same."""
    shapes = [shape_text(getattr(trace, step).shape) for step in stage.steps]
    if len(shapes) > 1 and len(set(shapes)) == 1:
        return f"{len(shapes)}·{shapes[0]}"
    return ", ".join(shapes)


def picture(array: Any, step: str) -> str:
    """A matrix (the first, of several) as a small image: colour for sign, opacity for size."""
    matrix = array if array.ndim == 2 else array[0]
    cells = _reduced(np.asarray(matrix, np.float64))
    largest = float(np.abs(cells).max()) or 1.0
    rows, columns = cells.shape
    scale = SIDE / max(rows, columns)
    fill = WEIGHT if step in ("weights", "mask") else None
    colors = np.array([_rgb(fill or MINUS), _rgb(fill or PLUS)])
    opacity = np.round(255 * np.abs(cells) / largest)
    pixels = np.dstack([colors[(cells >= 0).astype(int)], opacity]).astype(np.uint8)
    image = base64.b64encode(png(pixels)).decode("ascii")
    return (
        f'<img alt="" width="{columns * scale:.0f}" height="{rows * scale:.0f}"'
        f' src="data:image/png;base64,{image}">'
    )


def _rgb(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def _reduced(matrix: FloatArray) -> FloatArray:
    """At most MOST_CELLS along a side, each the mean of the cells it stands for."""
    mean: Callable[..., FloatArray] = np.mean
    for axis in (0, 1):
        count = min(matrix.shape[axis], MOST_CELLS)
        parts = np.array_split(matrix, count, axis=axis)
        matrix = np.stack([mean(part, axis=axis) for part in parts], axis=axis)
    return matrix
