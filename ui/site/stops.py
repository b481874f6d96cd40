"""What the pages of a site show: of an example, and of each stop of a tour."""

from __future__ import annotations

from collections.abc import Iterator

from mha_core import Scenario, Stack, Trace, attend
from mha_core.changing.layers import as_stack
from mha_core.examples import EXAMPLES, load_stack
from mha_core.guide.screens import nearest_screen
from mha_core.guide.tours import Stop, Tour
from mha_core.language import say
from ui.figures.pictures import step_figure
from ui.prints.album import AlbumPicture
from ui.saved.page import SavedStop
from ui.saved.stops import LOOK, stops_of, title_of


def stops_of_example(name: str) -> list[SavedStop]:
    """The pictures of the explorer and all screens of the walkthrough: a stop for each layer."""
    example = EXAMPLES[name]
    return stops_of(attend(load_stack(name)), example.title, example.sentence)


def stops_of_tour(tour: Tour) -> list[SavedStop]:
    return [each for stop in tour.stops for each in _stops(stop)]


def _stops(stop: Stop) -> Iterator[SavedStop]:
    """A stop of a tour; of a comparison, one for each side."""
    b = stop.scenario()
    if stop.against:
        a = stop.against()
        yield _compared(stop, a, say("A: {title}").format(title=title_of(stop.title_of_a, a)))
        yield _compared(stop, b, say("B: {title}").format(title=title_of(stop.title, b)))
        return
    title, trace = title_of(stop.title, b), _trace_of(stop, b)
    s = trace.scenario
    if stop.all_heads:
        heads = _of_step(trace, stop.screen, list(range(s.n_heads)), say("The heads"))
        yield SavedStop(title, stop.sentence, trace, LOOK, [heads])
    else:
        screen = nearest_screen(stop.screen, s)
        yield SavedStop(title, stop.sentence, trace, LOOK, [], [screen])


def _trace_of(stop: Stop, document: Scenario | Stack) -> Trace:
    """Of the layer that the stop is about; of fewer layers, of the last."""
    layers = attend(as_stack(document)).layers
    return layers[min(stop.layer, len(layers) - 1)]


def _compared(stop: Stop, document: Scenario | Stack, title: str) -> SavedStop:
    trace = _trace_of(stop, document)
    heads = [stop.head] if stop.head else list(range(trace.scenario.n_heads))
    return SavedStop(
        title, stop.sentence, trace, LOOK, [_of_step(trace, stop.screen, heads, title)]
    )


def _of_step(trace: Trace, step: str, heads: list[int], title: str) -> AlbumPicture:
    return AlbumPicture(
        "heads", title, "", "", lambda look: step_figure(trace, step, heads, look), is_step=False
    )
