"""A scenario as the parameters of an address."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from mha_core import Scenario
from mha_core.checks.errors import LimitError, MhaError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.io.scenario.link import encode_link, link_parameters
from mha_core.io.scenario.link_writing import LinkStart, arrays_to_write
from ui.state.starts import start_of


class InWords(NamedTuple):
    """A scenario's parameters (None where they are too long), and its arrays that were edited."""

    params: dict[str, str] | None
    edited: frozenset[str]


def put_in_words(s: Scenario) -> InWords:
    try:
        start = start_of(s)
    except MhaError:  # the recipes in origin cannot have made this scenario
        return InWords(_scenario_params(s), frozenset(s.given()))
    return InWords(_scenario_params(s, start), arrays_to_write(s, start.scenario))


def in_a_long_link(s: Scenario) -> str:
    """A scenario as a link too long for a browser's address; "" if it is too long even so."""
    try:
        return encode_link(s)
    except LimitError:
        return ""


def _scenario_params(s: Scenario, start: LinkStart | None = None) -> dict[str, str] | None:
    try:
        params = link_parameters(s, PAGE_LIMITS.address_chars, start)
    except LimitError:
        return None
    params = params or {"tokens": s.tokens[0]}  # no parameters would mean the first example
    return params if len(urlencode(params)) <= PAGE_LIMITS.address_chars else None
