"""What the comparison opens on, where its address says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mha_core import Scenario, Stack
from mha_core.comparing.questions import with_one_change
from ui.state import opened
from ui.state.tour_stops import FIRST


def opens_on() -> Mapping[str, Callable[[], Scenario | Stack]]:
    """A is what the explorer shows, B is A with one thing changed; else a ready question."""
    explored = opened("")
    if explored is None:
        return FIRST["compare"]
    a, layer = explored.stack, explored.layer
    return {"a": lambda: a, "b": lambda: with_one_change(a, layer, explored.scenario)}


def opens_in_layer() -> int:
    """The layer that both sides then show: that of the explorer, counted from 0."""
    explored = opened("")
    return explored.layer if explored else 0
