"""A forward pass without its steps: the rules of the steps read from it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

from mha_core.scenario.scenario import Scenario


class ForwardPass:
    """The arrays of one scenario, each a field. No field can be set."""

    scenario: Scenario

    def __init__(self, scenario: Scenario) -> None:
        self.__dict__["scenario"] = scenario

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}: a trace is frozen")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}: a trace is frozen")
