"""A step of the forward pass: a method of a trace, with the words that the screen shows for it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, Generic, TypeVar, overload

import numpy.typing as npt

from mha_core.checks.shapes import Dims
from mha_core.layer.attention import quiet
from mha_core.scenario.scenario import Scenario

Array = TypeVar("Array", bound=npt.NDArray[Any])
Formula = str | Callable[[Scenario], str]  # LaTeX: the same for all scenarios, or made for one


class Step(Generic[Array]):
    """One array of the forward pass: its equation, and the words that the screen shows for it.

    `from_0_to_1` marks shares of 1 and truth values. `after_mask` marks arrays whose hidden cells
    have no meaning.
    """

    def __init__(
        self,
        symbol: str,
        dims: str,
        formula: Formula,
        equation: Callable[[Any], Any],
        *,
        from_0_to_1: bool = False,
        after_mask: bool = False,
    ) -> None:
        self.symbol = symbol
        self.dims = Dims(dims)
        self.equation = equation
        self.from_0_to_1 = from_0_to_1
        self.after_mask = after_mask
        self.name = equation.__name__
        title, _, meaning = (equation.__doc__ or "").partition(": ")
        self.title = title
        self.meaning = " ".join(meaning.split())
        self._formula = formula

    def formula(self, scenario: Scenario) -> str:
        """How the array is made in this scenario, as LaTeX. It has only the parts in use."""
        return self._formula if isinstance(self._formula, str) else self._formula(scenario)

    @overload
    def __get__(self, trace: None, owner: type) -> Step[Array]: ...
    @overload
    def __get__(self, trace: object, owner: type) -> Array: ...
    def __get__(self, trace: object | None, owner: type) -> Step[Array] | Array:
        if trace is None:
            return self
        array: Array = self.equation(trace) if _IS_QUIET.get() else _quietly(self.equation, trace)
        array.setflags(write=False)
        trace.__dict__[self.name] = array  # Python finds it there before it calls this method again
        return array

    def __repr__(self) -> str:
        return f"{self.name:<20} {self.symbol:<12} {self.dims}"


def step(
    symbol: str,
    dims: str,
    formula: Formula,
    *,
    from_0_to_1: bool = False,
    after_mask: bool = False,
) -> Callable[[Callable[[Any], Array]], Step[Array]]:
    """Make a method of a trace a Step. Its docstring reads "Title: what it means."."""
    return lambda equation: Step(
        symbol, dims, formula, equation, from_0_to_1=from_0_to_1, after_mask=after_mask
    )


_IS_QUIET: Final = ContextVar("_IS_QUIET", default=False)


@quiet()
def _quietly(equation: Callable[[Any], Any], trace: object) -> Any:
    """Run an equation without warnings. The steps that it needs do not silence them again."""
    token = _IS_QUIET.set(True)
    try:
        return equation(trace)
    finally:
        _IS_QUIET.reset(token)
