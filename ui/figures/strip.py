"""The way from the input to the output as a strip: a picture, a name and a shape for each stage."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

import numpy as np
from PIL import Image

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from ui.theme import DEFAULT_PALETTE, ON_BOTH

SIDE: Final = 28  # pixels of a picture's longer side
MOST_CELLS: Final = 12  # along a side; larger matrices are averaged
SEVERAL: Final = 1024  # images that are kept, of all visitors: 2 MB at most

NO_PLACES: Final[Mapping[str, str]] = {}


class Stage(NamedTuple):
    """One stop on the way: the steps that it shows, and the part of the page that it leads to.

    In a part that shows many, it may lead to the matrices of its own step.
    """

    steps: tuple[str, ...]
    anchor: str
    leads_to_step: bool = False


STAGES: Final = (
    Stage(("x",), "into-the-heads"),
    Stage(("q_heads", "k_heads", "v_heads"), "into-the-heads"),
    Stage(("scaled_scores",), "heads"),
    Stage(("mask",), "mask"),
    Stage(("weights",), "heads"),
    Stage(("head_outputs",), "one-head", leads_to_step=True),
    Stage(("concat",), "together"),
    Stage(("output",), "together"),
)


def strip(
    trace: Trace,
    stages: Sequence[Stage] = STAGES,
    *,
    places: Mapping[str, str] = NO_PLACES,
    prefix: str = "",
    group: str = "",
    palette: str = DEFAULT_PALETTE,
) -> str:
    """HTML for the strip: a list of links, from the input to the output.

    `places` has the key of the container that each link leads to, where a page has it. `prefix`
    stands before all of these, where a page has several strips. While a number is dragged, the
    browser paints the pictures anew, as those of the plots of a `group`.
    """
    stops = "".join(
        _stop(stage, trace, places.get(stage.anchor, ""), prefix, palette) for stage in stages
    )
    name = html.escape(say("From input to output"))
    named = f'data-group="{html.escape(group)}" aria-label="{name}"'
    return f'<nav class="strip" {named}><ol>{stops}</ol></nav>'


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as it is read aloud.

    >>> shape_text((2, 4, 4))
    '2×4×4'
    """
    return "×".join(str(size) for size in shape)


def _stop(stage: Stage, trace: Trace, place: str, prefix: str, palette: str) -> str:
    steps = tuple(getattr(type(trace), name) for name in stage.steps)
    arrays = [getattr(trace, name) for name in stage.steps]
    s = trace.scenario
    name, meanings = _in_words(steps, tuple(step.meaning_in(s) for step in steps))
    step = f' data-step="{stage.steps[0]}"' if stage.leads_to_step else ""
    leads = f'href="#{prefix}{stage.anchor}" data-place="{prefix}{place}"{step}'
    return (
        f'<li><a {leads} title="{meanings}">'
        f"{thumbnail(arrays[0], steps[0].name, palette, is_share=steps[0].from_0_to_1)}"
        f"<strong>{name}</strong><small>{_shapes(arrays)}</small></a></li>"
    )


@cache
def _in_words(steps: tuple[Step[Any], ...], meanings: tuple[str, ...]) -> tuple[str, str]:
    """The name of a stage and what its steps mean, which few traces change."""
    said = (f"{step.title}: {each}" for step, each in zip(steps, meanings, strict=True))
    return _name(steps), html.escape(" ".join(said))


def _name(steps: Sequence[Step[Any]]) -> str:
    """The title of one step; of several, their symbols."""
    if len(steps) == 1:
        return html.escape(steps[0].title)
    return " ".join(with_subscripts(step.symbol) for step in steps)


def with_subscripts(symbol: str) -> str:
    """A symbol as HTML.

    >>> with_subscripts("Q_i"), with_subscripts("S_i^M"), with_subscripts("A_16")
    ('Q<sub>i</sub>', 'S<sub>i</sub><sup>M</sup>', 'A<sub>16</sub>')
    """
    below = re.sub(r"_([^\W_]+)", r"<sub>\1</sub>", html.escape(symbol))
    return re.sub(r"\^(\w)", r"<sup>\1</sup>", below)


def _shapes(arrays: Sequence[Any]) -> str:
    """The shape of each array of a stage; a common shape is said once, with their number."""
    shapes = [shape_text(array.shape) for array in arrays]
    if len(shapes) > 1 and len(set(shapes)) == 1:
        return f"{len(shapes)}·{shapes[0]}"
    return ", ".join(shapes)


def thumbnail(
    array: Any, name: str, palette: str = DEFAULT_PALETTE, *, is_share: bool = False
) -> str:
    """A matrix (the first, of several) as a small image: opacity for size, colour for sign.

    Shares of a whole have no sign, and their own colour. A cell without a number has none.
    ui/plot/js/live/live_strip.js paints the same, and reads in the image what it shows.
    """
    matrix, name = (array, name) if array.ndim == 2 else (array[0], f"{name}/0")
    numbers = np.asarray(matrix, np.float64)
    cells = _reduced(np.where(np.isfinite(numbers), numbers, 0))
    rows, columns = cells.shape
    scale = SIDE / max(rows, columns)
    of_minus, of_plus, of_share = ON_BOTH[palette]
    minus, plus = (of_share, of_share) if is_share else (of_minus, of_plus)
    live = f'data-matrix="{name}" data-colors="{minus} {plus}"'
    return (
        f'<img alt="" {live} width="{columns * scale:.0f}" height="{rows * scale:.0f}"'
        f' src="data:image/png;base64,{_image(cells.tobytes(), rows, minus, plus)}">'
    )


@lru_cache(SEVERAL)
def _image(numbers: bytes, rows: int, minus: str, plus: str) -> str:
    """Cells as a PNG in base64. Most changes leave some matrices as they were."""
    cells = np.frombuffer(numbers).reshape(rows, -1)
    largest = float(np.abs(cells).max()) or 1.0
    colors = np.array([_rgb(minus), _rgb(plus)])
    opacity = np.round(255 * np.abs(cells) / largest)
    pixels = np.dstack([colors[(cells >= 0).astype(int)], opacity]).astype(np.uint8)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)  # more would take twice as long
    return base64.b64encode(file.getvalue()).decode("ascii")


def _rgb(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def _reduced(matrix: FloatArray) -> FloatArray:
    """At most MOST_CELLS along a side, each the mean of the cells it stands for."""
    mean: Callable[..., FloatArray] = np.mean
    for axis in (0, 1):
        if matrix.shape[axis] <= MOST_CELLS:
            continue
        parts = np.array_split(matrix, MOST_CELLS, axis=axis)
        matrix = np.stack([mean(part, axis=axis) for part in parts], axis=axis)
    return matrix
