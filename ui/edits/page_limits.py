"""The largest layer that the page shows. mha_core itself takes far larger ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import astuple
from typing import Final

from mha_core import Scenario, Stack, StackTrace, attend
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FormatError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.language import say
from mha_core.scenario.room_for_scores import check_room_for_scores
from mha_core.stack.stack import errors_of_layer

_HALF_A_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def trace_to_show(document: Scenario | Stack) -> StackTrace:
    """The traces of all layers with their outputs. What is too large for the page is refused."""
    stack = as_stack(document)
    way_out = say("Take fewer tokens or heads; mha_core itself takes more.")
    for number, layer in enumerate(stack.on_zeros):
        room = PAGE_LIMITS.score_cells // len(stack.layers)
        with errors_of_layer(number):
            check_room_for_scores(layer, room, way_out, where=say(" on this page"))
    for text in _texts_of(stack):
        if _HALF_A_CHARACTER.search(text):  # Streamlit sends UTF-8, which cannot write a half
            need = say("must consist of whole characters")
            way_out = say("Remove half of a surrogate pair.")
            raise FormatError(say("A label"), need, ascii(text)[:60], way_out)
    trace = attend(stack)
    _ = (trace.stream, trace.probabilities)  # an overflow is found only when they are computed
    return trace


def fits_page(s: Scenario) -> bool:
    """Whether all heads of this layer can be shown."""
    cells = s.n_heads * s.n_q * s.n_k
    return s.n_heads <= PAGE_LIMITS.heads and cells <= PAGE_LIMITS.score_cells


def _texts_of(stack: Stack) -> Iterator[str]:
    yield from (*stack.tokens, *stack.first.context_tokens, *stack.words)
    for layer in stack.layers:
        yield from map(str, astuple(layer.origin))
