"""Pictures: pure functions from arrays to figures, which are data. No Streamlit, no session.

`figure` is the door for notebooks: it gives what Plotly shows and saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mha_core import Trace
from mha_core.checks.errors import OptionError
from mha_core.checks.values import check_one_of, check_places, short_repr
from mha_core.language import say
from mha_core.layer.matrices import check_is_an_array
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
    _check_trace(trace)
    check_is_an_array(step)
    check_one_of(say("The theme"), theme, GROUNDS)
    shown = step_figure(trace, step, _heads_of(trace, heads), look)
    return plotly_figure(shown, (width, ON_A_SCREEN[1]), GROUNDS[theme])


def _check_trace(trace: object) -> None:
    if not isinstance(trace, Trace):
        raise OptionError(
            say("The trace"),
            say("must be that of one layer"),
            type(trace).__name__,
            say("Give what attend makes of a Scenario. Of several layers take trace.layers[0]."),
        )


def _heads_of(trace: Trace, heads: object) -> Sequence[int]:
    """Those that are asked for. A step without heads shows all of it in any case."""
    if heads is None:
        return range(trace.scenario.n_heads)
    chosen = tuple(heads) if isinstance(heads, Iterable) else ()
    if not chosen:
        need, way_out = say("must be a list of heads"), say("Write heads=[0] for the first one.")
        raise OptionError("heads", need, short_repr(heads), way_out)
    check_places("heads", chosen, trace.scenario.n_heads, say("head"), say("heads"))
    return chosen
