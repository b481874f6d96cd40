"""A step of the forward pass: a method of a trace, with the words that the screen shows for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Final, Generic, TypeVar, overload

import numpy.typing as npt

from mha_core.checks.shapes import Dims
from mha_core.layer.attention import quiet
from mha_core.layer.made_of import MadeOf
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import head_used_by
from mha_core.scenario.scenario import Scenario

Array = TypeVar("Array", bound=npt.NDArray[Any])
# LaTeX: the same for all scenarios, or made for one, from the symbols of other steps.
Formula = str | Callable[[Scenario, Callable[[str], str]], str]
Mark = Callable[[str, str], str]  # an array's symbol as LaTeX, made to be found by its name
SameAs = Mapping[str, Callable[[Scenario], bool]]  # the name of an earlier step, and when
SymbolOf = str | Callable[[Scenario], str]
Unless = tuple[
    Callable[[Scenario], bool], str
]  # what holds in most scenarios, and words for others


def _always(_: Scenario) -> bool:
    return True


class Step(Generic[Array]):
    """One array of the forward pass: its equation, and the words that the screen shows for it.

    `made_of` says for each number which others it is made of; the equation says it for all at once.
    `symbol_of` is a symbol that is made of those of earlier steps, which stand in braces. If one of
    these steps changes nothing, its symbol is that of the step whose array it hands on. It may
    depend on the scenario.
    `same_as` names earlier steps. If the condition of one holds, this step changes nothing: it
    hands on that step's array, and does not run its equation. `from_0_to_1` marks shares of 1 and
    truth values, in some scenarios only with `from_0_to_1_if`. `after_mask` marks arrays whose
    hidden cells have no meaning. `unless` has other words about the meaning, for scenarios in which
    something does not hold.
    """

    def __init__(
        self,
        symbol: str,
        dims: str,
        formula: Formula,
        made_of: MadeOf,
        equation: Callable[[Any], Any],
        *,
        words: str = "",
        symbol_of: SymbolOf = "",
        same_as: SameAs | None = None,
        from_0_to_1: bool = False,
        from_0_to_1_if: Callable[[Scenario], bool] = _always,
        after_mask: bool = False,
        unless: Unless | None = None,
    ) -> None:
        self.symbol = symbol
        self.dims = Dims(dims)
        self.made_of = made_of
        self.equation = equation
        self.from_0_to_1 = from_0_to_1
        self._from_0_to_1_if = from_0_to_1_if
        self.after_mask = after_mask
        self.name = equation.__name__
        title, _, meaning = (words or equation.__doc__ or "").partition(": ")
        self.title = title.strip()
        self.meaning = " ".join(meaning.split())
        self._unless = unless
        self._formula = formula
        self._symbol_of = symbol_of or symbol
        self._same_as = same_as or {}
        self._hands_on: tuple[tuple[Callable[[Scenario], bool], Step[Any]], ...] = ()
        self._owner: type = object

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner
        self._hands_on = tuple(
            (is_same, self._earlier(earlier)) for earlier, is_same in self._same_as.items()
        )

    def symbol_in(self, scenario: Scenario, head: int | None = None) -> str:
        """Its symbol in a scenario, with the number of a head.

        Under RoPE raw scores are a product of the rotated Q and K; under grouped queries those of
        head 3 may be Q_3 K_2^T.
        """

        def its(earlier: re.Match[str]) -> str:
            step = self._earlier(earlier[1]).computed_by(scenario)
            used = None if head is None else head_used_by(step.dims, scenario.sizes, head)
            return step.symbol_in(scenario, used)

        of = self._symbol_of
        symbol = re.sub(r"\{(\w+)\}", its, of if isinstance(of, str) else of(scenario))
        return symbol if head is None else symbol.replace("_i", f"_{head + 1}")

    def is_from_0_to_1_in(self, scenario: Scenario) -> bool:
        """Whether its numbers are shares of 1, or truth values, in a scenario."""
        return self.from_0_to_1 and self._from_0_to_1_if(scenario)

    def meaning_in(self, scenario: Scenario) -> str:
        """What it means in a scenario."""
        if self._unless is None or self._unless[0](scenario):
            return self.meaning
        return self._unless[1]

    def _earlier(self, name: str) -> Step[Any]:
        earlier: Step[Any] = getattr(self._owner, name)
        return earlier

    def computed_by(self, scenario: Scenario) -> Step[Any]:
        """The step that computes this array: this one, or the earlier one that it hands on."""
        step: Step[Any] = self
        while earlier := step.handed_on(scenario):
            step = earlier
        return step

    def handed_on(self, scenario: Scenario) -> Step[Any] | None:
        """The step just before this one that has the same array, if this one changes nothing."""
        for is_same, earlier in self._hands_on:
            if is_same(scenario):
                return earlier
        return None

    def formula(
        self,
        scenario: Scenario,
        mark: Mark = lambda _, latex: latex,
        instead: Formula | None = None,
    ) -> str:
        """How the array is made in this scenario, as LaTeX. It has only the parts in use.

        A step that changes nothing has the symbol of the step whose array it hands on. `mark` is
        told of each symbol. `instead` is another way to write the formula.
        """
        source = self.computed_by(scenario)
        if source is not self:
            return mark(source.name, latex_of_symbol(source.symbol_in(scenario)))
        formula = instead or self._formula
        if isinstance(formula, str):
            return formula

        def symbol(name: str) -> str:
            step = getattr(self._owner, name, None)
            if not isinstance(step, Step):
                return mark(name, latex_of_symbol(GIVEN[name].symbol))
            found: Step[Any] = step.computed_by(scenario)
            if found.is_product:
                return mark(found.name, found.formula(scenario, mark))
            return mark(found.name, latex_of_symbol(found.symbol_in(scenario)))

        return formula(scenario, symbol)

    @property
    def is_product(self) -> bool:
        """Whether its symbol is a product of others, as Q_i K_i^T, and so its own formula."""
        return " " in self.symbol and "+" not in self.symbol

    @overload
    def __get__(self, trace: None, owner: type) -> Step[Array]: ...
    @overload
    def __get__(self, trace: object, owner: type) -> Array: ...
    def __get__(self, trace: object | None, owner: type) -> Step[Array] | Array:
        if trace is None:
            return self
        array: Array = self._made_for(trace)
        array.setflags(write=False)
        trace.__dict__[self.name] = array  # Python finds it there before it calls this method again
        return array

    def _made_for(self, trace: Any) -> Any:
        if self._hands_on and (source := self.computed_by(trace.scenario)) is not self:
            return getattr(trace, source.name)
        return self.equation(trace) if _IS_QUIET.get() else _quietly(self.equation, trace)

    def __repr__(self) -> str:
        return f"{self.name:<20} {self.symbol:<12} {self.dims}"


def step(
    symbol: str,
    dims: str,
    formula: Formula,
    made_of: MadeOf,
    *,
    words: str = "",
    symbol_of: SymbolOf = "",
    same_as: SameAs | None = None,
    from_0_to_1: bool = False,
    from_0_to_1_if: Callable[[Scenario], bool] = _always,
    after_mask: bool = False,
    unless: Unless | None = None,
) -> Callable[[Callable[[Any], Array]], Step[Array]]:
    """Make a method of a trace a Step. `words`, or its docstring, are "Title: what it means."."""
    return lambda equation: Step(
        symbol,
        dims,
        formula,
        made_of,
        equation,
        words=words,
        symbol_of=symbol_of,
        same_as=same_as,
        from_0_to_1=from_0_to_1,
        from_0_to_1_if=from_0_to_1_if,
        after_mask=after_mask,
        unless=unless,
    )


def latex_of_symbol(symbol: str) -> str:
    r"""A symbol as LaTeX: words stand upright.

    >>> latex_of_symbol("cap(S_i)"), latex_of_symbol("Q_i'"), latex_of_symbol("Q_i K_i^T")
    ('\\mathrm{cap}(S_i)', "Q_i'", 'Q_i K_i^\\top')
    >>> latex_of_symbol("W_O_2")
    'W_{O,2}'
    """
    words = re.sub(r"[a-z]{2,}", r"\\mathrm{\g<0>}", symbol)
    return re.sub(r"_(\w)_(\w+)", r"_{\1,\2}", words).replace("^T", r"^\top")


_IS_QUIET: Final = ContextVar("_IS_QUIET", default=False)


@quiet()
def _quietly(equation: Callable[[Any], Any], trace: object) -> Any:
    """Run an equation without warnings. The steps that it needs do not silence them again."""
    token = _IS_QUIET.set(True)
    try:
        return equation(trace)
    finally:
        _IS_QUIET.reset(token)
