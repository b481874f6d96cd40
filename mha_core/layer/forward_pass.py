"""A forward pass without its steps: the rules of the steps read from it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

from mha_core.scenario.scenario import Scenario


class ForwardPass:
    """The arrays of one scenario, each a field. No field can be set.

    `columns_of_x` are the names that the columns of X have on a stream of several layers, if they
    have any. A scenario alone has what its recipe says.
    """

    scenario: Scenario
    columns_of_x: tuple[str, ...] = ()

    def __init__(self, scenario: Scenario, columns_of_x: tuple[str, ...] = ()) -> None:
        self.__dict__["scenario"] = scenario
        if columns_of_x:
            self.__dict__["columns_of_x"] = columns_of_x

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}: a trace is frozen")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}: a trace is frozen")
