"""A scenario as the parameters of an address."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from mha_core import Scenario, Stack
from mha_core.checks.errors import LimitError, MhaError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.io.scenario.link_writing import LinkStart, arrays_to_write
from mha_core.io.scenario.stack_link import encode_stack, stack_parameters
from ui.state.starts import start_of

OF_THE_INPUT: Final = frozenset({"x", "context"})


class InWords(NamedTuple):
    """A scenario's parameters (None where they are too long), and its arrays that were edited."""

    params: dict[str, str] | None
    edited: frozenset[str]


def put_in_words(stack: Stack, layer: int) -> InWords:
    """All layers as parameters, and the edited arrays of one of them."""
    first, shown = _start_or_none(stack.first), stack.on_zeros[layer]
    start = _start_or_none(shown, layer) if layer else first
    edited = _edited(shown, start)
    if layer:  # X is that of the first layer
        edited = (edited - OF_THE_INPUT) | (_edited(stack.first, first) & OF_THE_INPUT)
    return InWords(params_of_stack(stack, first), edited)


def _edited(s: Scenario, start: LinkStart | None) -> frozenset[str]:
    return arrays_to_write(s, start.scenario) if start else frozenset(s.given())


def _start_or_none(s: Scenario, layer: int = 0) -> LinkStart | None:
    """None where the recipes in origin cannot have made this scenario."""
    try:
        return start_of(s, layer)
    except MhaError:
        return None


def in_a_long_link(stack: Stack) -> str:
    """Layers as a link too long for a browser's address; "" if it is too long even so."""
    try:
        return encode_stack(stack)
    except LimitError:
        return ""


def params_of_stack(stack: Stack, start: LinkStart | None = None) -> dict[str, str] | None:
    """Layers as parameters; None where they are too long for an address."""
    try:
        params = stack_parameters(stack, PAGE_LIMITS.address_chars, start)
    except LimitError:
        return None
    params = params or {"tokens": stack.tokens[0]}  # no parameters would mean the first example
    return params if len(urlencode(params)) <= PAGE_LIMITS.address_chars else None
