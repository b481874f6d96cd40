"""The stops of a saved page that shows layers as the explorer opens them."""

from __future__ import annotations

from typing import Final

from mha_core import Scenario, Stack, StackTrace, Trace
from mha_core.changing.layers import as_stack
from mha_core.examples import EXAMPLES, load_stack
from mha_core.guide.screens import screens_of
from mha_core.language import say
from ui.figures.drawing import Look
from ui.prints.album import album_of
from ui.saved.page import SavedStop, stop_of_layer

LOOK: Final = Look()
STEPS: Final = ("masked_scores", "weights")  # as the explorer opens


def stops_of(traces: StackTrace, title: str, sentence: str = "") -> list[SavedStop]:
    """The pictures of the explorer and all screens of the walkthrough: a stop for each layer."""
    if len(traces.layers) == 1:
        return [_stop_of(traces.layers[0], title, sentence)]
    of_layer = say("{title}, layer {layer}")
    stops = (
        _stop_of(trace, of_layer.format(title=title, layer=number), sentence)
        for number, trace in enumerate(traces.layers, 1)
    )
    return [stop_of_layer(stop, traces) for stop in stops]


def _stop_of(trace: Trace, title: str, sentence: str) -> SavedStop:
    pictures = album_of(trace, STEPS, title).values()
    shown = [each for each in pictures if not each.is_step and not each.name.startswith("head-")]
    return SavedStop(title, sentence, trace, LOOK, shown, screens_of(trace.scenario))


def title_of(given: str, document: Scenario | Stack) -> str:
    """The title that was given, else that of the example that this is or began as."""
    stack = as_stack(document)
    example = stack.first.origin.example
    if given or example not in EXAMPLES:
        return given or say("Own numbers")
    title = EXAMPLES[example].title
    return title if stack == load_stack(example) else say("{title}, changed").format(title=title)
