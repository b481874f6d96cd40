"""A layer in a notebook, without a server: the saved page in a frame, a trace as a still picture.

Jupyter, VS Code and marimo ask an object for `_repr_html_`.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Final

from mha_core import Scenario, Stack, StackTrace, Trace, attend
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import OptionError
from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from mha_core.layer.in_notebook import as_text
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.figures.pictures import HEADS_A_PAGE, heads_figure
from ui.prints.files import KINDS, why_not
from ui.prints.sizes import Size, sheet_of
from ui.prints.svg import svg_of
from ui.saved.page import saved_page
from ui.saved.stops import stops_of, title_of

Document = Scenario | Trace | Stack | StackTrace

HEIGHT: Final = 600  # pixels of a frame, until the page in it has said how high it is
STILL: Final = Size(say("In a notebook"), 640)


@dataclass(frozen=True)
class Shown:
    """A page in one file. A notebook that is given it shows it in a frame as high as the page."""

    title: str
    page: bytes

    def __repr__(self) -> str:
        says = say("'{title}', a page of {size} for a notebook")
        return says.format(title=self.title, size=size_in_words(len(self.page)))

    def _repr_html_(self) -> str:
        # ui/plot/js/saved/frame.js knows the frame by its name.
        return (
            f'<iframe name="attention-explorer" title="{html.escape(self.title)}"'
            f' style="display: block; width: 100%; height: {HEIGHT}px; border: 0"'
            f' srcdoc="{html.escape(self.page.decode())}"></iframe>'
        )


def show(document: Document, title: str = "") -> Shown:
    """All numbers of a layer, or of layers: to be dragged, edited, and asked where they come from.

    It needs no server and no network.

    >>> from mha_core import load_example
    >>> show(load_example("two-tokens")).title
    'Two tokens'
    """
    traces = _traces_of(document)
    called = title_of(title, traces.stack)
    return Shown(called, saved_page(called, stops_of(traces, called)))


def _traces_of(document: Document) -> StackTrace:
    match document:
        case StackTrace():
            return document
        case Trace():
            return attend(as_stack(document.scenario))
        case Scenario() | Stack():
            return attend(as_stack(document))
    raise OptionError(
        say("What is shown"),
        say("must be a Scenario, a Trace, a Stack, or the trace of a Stack"),
        type(document).__name__,
        say("Give it what `attend`, `load_example` or `read_scenario` gave."),
    )


def still_picture(trace: Trace) -> str:
    """The weights of the first heads as a small SVG; text, where no picture can be made."""
    if why_not(KINDS["svg"].needs):
        return as_text(trace)
    heads = range(min(trace.scenario.n_heads, HEADS_A_PAGE))
    figure = heads_figure(trace, heads, ("weights",), Look())
    ground = GROUNDS["light"]
    svg = svg_of(sheet_of(figure, say("The weights"), STILL, ground), brings_letters=False)
    return svg.decode().partition("?>")[2]


Trace.painter = staticmethod(still_picture)
