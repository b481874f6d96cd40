"""A layer in a notebook, without a server: the saved page in a frame, a trace as a still picture.

Jupyter, VS Code and marimo ask an object for `_repr_html_`.
"""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass
from typing import Final

from mha_core import HeadMap, Scenario, Stack, StackTrace, Trace, attend
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import OptionError
from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from mha_core.layer.in_notebook import as_text
from mha_core.survey.head_map import IN_LAYERS
from mha_core.survey.measures import LABELS, TITLES
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.figures.head_tiles import COLORS, tiles_of
from ui.figures.pictures import HEADS_A_PAGE, heads_figure
from ui.prints.files import KINDS, why_not
from ui.prints.sizes import Size, sheet_of
from ui.prints.svg import svg_of
from ui.saved.map_page import map_page
from ui.saved.page import saved_page
from ui.saved.stops import stops_of, title_of

Document = Scenario | Trace | Stack | StackTrace | HeadMap

HEIGHT: Final = 600  # pixels of a frame, until the page in it has said how high it is
STILL: Final = Size(say("In a notebook"), 640)
SQUARE: Final = 18  # pixels of a head in the still map


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

    Of a head map, all heads: in any order, and each large once it is pressed. It needs no server
    and no network.

    >>> from mha_core import load_example
    >>> show(load_example("two-tokens")).title
    'Two tokens'
    """
    if isinstance(document, HeadMap):
        called = title or document.title or say("The heads of a model")
        return Shown(called, map_page(document, called))
    traces = _traces_of(document)
    called = title_of(title, traces.stack)
    return Shown(called, saved_page(called, stops_of(traces, called)))


def _traces_of(document: Scenario | Trace | Stack | StackTrace) -> StackTrace:
    match document:
        case StackTrace():
            return document
        case Trace():
            return attend(as_stack(document.scenario))
        case Scenario() | Stack():
            return attend(as_stack(document))
    raise OptionError(
        say("What is shown"),
        say("must be a Scenario, a Trace, a Stack, the trace of a Stack, or a head map"),
        type(document).__name__,
        say("Give it what `attend`, `load_example`, `read_scenario` or `head_map` gave."),
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


def still_map(heads: HeadMap) -> str:
    """What each head does, as coloured squares: a row for each layer. It needs no script."""
    tiles = tiles_of(heads.layers, IN_LAYERS)
    squares = "".join(
        f'<rect x="{SQUARE * (head + 1)}" y="{SQUARE * layer}" width="{SQUARE - 2}"'
        f' height="{SQUARE - 2}" fill="{COLORS[tile.label]}">'
        f"<title>{html.escape(tile.spoken)}</title></rect>"
        for (layer, head), tile in tiles.items()
    )
    numbers = "".join(
        f'<text x="{SQUARE - 5}" y="{SQUARE * layer + 13}" text-anchor="end">{layer + 1}</text>'
        for layer in range(len(heads.layers))
    )
    counts = Counter(tile.label for tile in tiles.values())
    words = ", ".join(
        f'<span style="color: {COLORS[label]}">\u25a0</span> {TITLES[label]} {counts[label]}'
        for label in LABELS
        if counts[label]
    )
    width = SQUARE * (1 + max(len(layer.scores) for layer in heads.layers))
    return (
        f'<figure style="margin: 0"><svg role="img" aria-label="{html.escape(repr(heads))}"'
        f' width="{width}" height="{SQUARE * len(heads.layers)}" font-size="11"'
        f' font-family="sans-serif" fill="currentColor">{numbers}{squares}</svg>'
        f"<figcaption>{html.escape(repr(heads))}. {words}</figcaption></figure>"
    )


Trace.painter = staticmethod(still_picture)
HeadMap.painter = staticmethod(still_map)
