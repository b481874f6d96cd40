"""Pictures: pure functions from arrays to figures, which are data. No Streamlit, no session.

`figure` is the door for notebooks: it gives what Plotly shows and saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mha_core import Trace
from mha_core.layer.naming import has_heads
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.figures.pictures import step_figure
from ui.figures.plotly import ON_A_SCREEN, plotly_figure

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["Look", "figure"]


def figure(
    trace: Trace,
    step: str,
    heads: Sequence[int] | None = None,
    *,
    look: Look | None = None,
    width: float = ON_A_SCREEN[0],
    theme: str = "light",
) -> go.Figure:
    """One step or given array of a layer as a Plotly figure: all heads of it, or some.

    `width` is that of the page in pixels; `theme` is light, dark, clear-light or clear-dark (for
    slides). `look` says how many decimals are written, and in which colours.

        figure(attend(scenario), "weights").write_html("weights.html")
    """
    chosen = range(trace.scenario.n_heads) if heads is None and has_heads(trace, step) else heads
    shown = step_figure(trace, step, chosen or [0], look)
    return plotly_figure(shown, (width, ON_A_SCREEN[1]), GROUNDS[theme])
