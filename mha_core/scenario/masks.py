"""A mask as a person chose it: rules by name, a drawn matrix and an additive matrix."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import (
    BoolArray,
    ComparedByValue,
    Dims,
    FloatArray,
    as_array,
    as_float_array,
    check_finite,
    check_shape,
    frozen,
)
from mha_core.checks.values import check_one_of, is_whole, short_repr
from mha_core.language import say
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.mask_rules.registry import MASKS

THE_MASK: Final = say("The mask")


class ChosenOptions(Mapping[str, Any]):
    """The options of a rule. Nobody can change them, so rules can be shared and can be keys."""

    def __init__(self, chosen: Mapping[str, Any]) -> None:
        self._chosen = dict(chosen)

    def __getitem__(self, name: str) -> Any:
        return self._chosen[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __hash__(self) -> int:
        return hash(frozenset(self._chosen.items()))

    def __repr__(self) -> str:
        return repr(self._chosen)


@dataclass(frozen=True, init=False)
class Rule:
    """One mask by name with its options, before the sizes are known.

    Options are keywords, or names with values: `Rule("causal", {"align": "start"})`.

    >>> Rule("sliding_window", left=1).allowed(2, 2).astype(int)
    array([[1, 0],
           [1, 1]])
    """

    name: str
    options: Mapping[str, Any]

    def __init__(self, name: str, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        check_one_of(say("A mask"), name, MASKS)
        if not isinstance(options, Mapping | None):
            raise OptionError(
                say("The options of {rule}").format(rule=name),
                say("must be names with values"),
                short_repr(options),
                say("Write {} for none, or keywords, as in Rule('sliding_window', left=2)."),
            )
        chosen = {**(options or {}), **more}
        if len(chosen) < len(options or {}) + len(more):
            twice = next(option for option in more if option in (options or {}))
            thing = say("The option {option} of {rule}").format(option=twice, rule=name)
            raise OptionError(thing, say("must be given once"), say("it twice"), say("Remove one."))
        _check_options(name, chosen)
        says = say("The option {option} of {rule}")
        plain = {
            option: _plain(says.format(option=option, rule=name), value)
            for option, value in chosen.items()
        }
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", ChosenOptions(plain))

    def allowed(self, n_q: int, n_k: int, rows: slice = ALL_ROWS) -> BoolArray:
        return MASKS[self.name](n_q, n_k, rows=rows, **self.options)


@dataclass(frozen=True, eq=False)
class Mask(ComparedByValue):
    """What hides keys from queries: rules, a drawn matrix (`custom`) and an additive matrix.

    A key is visible only if all of them allow it. `additive` is added to the scaled scores; a -inf
    in it hides the key.

    >>> Mask((Rule("causal"), Rule("padding", {"hidden": [0]}))).allowed(2, 2).astype(int)
    array([[0, 0],
           [0, 1]])
    """

    rules: tuple[Rule, ...] = ()
    custom: BoolArray | None = None
    additive: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", _rules(self.rules))
        if self.custom is not None:
            object.__setattr__(self, "custom", frozen(_boolean(self.custom).copy()))
        if self.additive is not None:
            object.__setattr__(self, "additive", frozen(_to_add(self.additive).copy()))

    @property
    def is_drawn(self) -> bool:
        """Whether it has a matrix of its own, besides its rules."""
        return self.custom is not None or self.additive is not None

    def check(self, n_q: int, n_k: int) -> None:
        """Refuse a mask that does not fit the sizes. Nothing is broadcast."""
        self._check_shapes(n_q, n_k)
        for rule in self.rules:
            rule.allowed(n_q, n_k, rows=slice(0, 1))

    def _check_shapes(self, n_q: int, n_k: int) -> None:
        custom, additive = say("The custom mask"), say("The additive mask")
        for thing, matrix in ((custom, self.custom), (additive, self.additive)):
            if matrix is not None:
                sizes = {"n_q": n_q, "n_k": n_k}
                check_shape(thing, matrix, Dims("n_q n_k"), sizes)

    def allowed(self, n_q: int, n_k: int, rows: slice = ALL_ROWS) -> BoolArray:
        """True where every part of the mask allows it. Shape: (n_q, n_k), or only `rows` of it."""
        self._check_shapes(n_q, n_k)
        parts = [rule.allowed(n_q, n_k, rows) for rule in self.rules]
        parts += [m[rows] for m in (self.custom, self._additive_parts[0]) if m is not None]
        return combine(*parts) if parts else np.ones((n_q, n_k), np.bool_)[rows]

    def added(self, rows: slice = ALL_ROWS) -> FloatArray | None:
        """What is added to the scaled scores, with 0 for -inf. Shape: (n_q, n_k)."""
        added = self._additive_parts[1]
        return None if added is None else added[rows]

    @property
    def hides_nothing(self) -> bool:
        return not self.rules and self.custom is None and self._additive_parts[0] is None

    @cached_property
    def _additive_parts(self) -> tuple[BoolArray | None, FloatArray | None]:
        """Where the additive matrix is not -inf (None: nothing is -inf), and what it adds."""
        return (None, None) if self.additive is None else split_mask(self.additive)


def combine(*masks: BoolArray) -> BoolArray:
    """The masks combined by AND: a key is visible only if every mask allows it."""
    together: BoolArray = reduce(np.logical_and, masks)
    return together


def split_mask(
    mask: FloatArray | BoolArray, thing: str = THE_MASK
) -> tuple[BoolArray | None, FloatArray | None]:
    """A mask as a pair: what may be attended to, and what is added. -inf in a float mask hides."""
    given = as_array(thing, mask)
    if given.dtype.kind == "b":
        return given, None
    if given.dtype.kind != "f":
        raise OptionError(
            thing,
            say("must be boolean (True = may attend) or float (added to the scores)"),
            say("type {type}").format(type=given.dtype),
            say("Write mask.astype(bool) or mask.astype(float), whichever you mean."),
        )
    given = as_float_array(thing, given)
    hidden = np.isneginf(given)
    added = np.where(hidden, 0, given)
    check_finite(say("{matrix} (where it is not -inf)").format(matrix=thing), added)
    return (~hidden if hidden.any() else None), added


def _check_options(name: str, chosen: Mapping[str, Any]) -> None:
    """Refuse options that the mask does not have, and a missing option that it needs."""
    known = _options_of(name)
    for option in chosen:
        check_one_of(
            say("An option of {rule}").format(rule=name), option, known, say("Leave it out.")
        )
    for option, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and option not in chosen:
            way_out = say("Write Rule('{rule}', {option}=...).").format(rule=name, option=option)
            raise OptionError(
                say("The mask {rule}").format(rule=name),
                say("must say its {option}").format(option=option),
                say("nothing"),
                way_out,
            )


@cache
def _options_of(name: str) -> dict[str, inspect.Parameter]:
    """The options that a mask may have, by name."""
    parameters = inspect.signature(MASKS[name]).parameters
    return {option: p for option, p in parameters.items() if option not in ("n_q", "n_k", "rows")}


def _rules(rules: object) -> tuple[Rule, ...]:
    if isinstance(rules, np.ndarray):
        raise OptionError(
            say("The first argument of Mask"),
            say("must be its list of rules"),
            say("an array of shape {shape}").format(shape=rules.shape),
            say(
                "Write Mask(custom=...) for True = may attend, or Mask(additive=...) "
                "to add numbers."
            ),
        )
    if not isinstance(rules, tuple | list) or not all(isinstance(rule, Rule) for rule in rules):
        way_out = say("Write [Rule('causal')].")
        raise OptionError(
            say("The rules of a mask"), say("must be a list of Rule"), short_repr(rules), way_out
        )
    return tuple(rules)


def _boolean(mask: npt.NDArray[Any]) -> BoolArray:
    mask = as_array(say("The custom mask"), mask)
    if mask.dtype != np.bool_:
        raise OptionError(
            say("The custom mask"),
            say("must be boolean, True = may attend"),
            say("type {type}").format(type=mask.dtype),
            say(
                "Write mask.astype(bool) if ones mean 'may attend', or additive=mask.astype(float)."
            ),
        )
    return mask


def _to_add(mask: npt.NDArray[Any]) -> FloatArray:
    given = as_array(say("The additive mask"), mask)
    if given.dtype.kind != "f":
        raise OptionError(
            say("The additive mask"),
            say("must be a float matrix that is added to the scores"),
            say("type {type}").format(type=given.dtype),
            say("Write mask.astype(float), or custom=mask.astype(bool) if ones mean 'may attend'."),
        )
    split_mask(given, say("The additive mask"))
    return as_float_array(say("The additive mask"), given)


def _plain(thing: str, value: object) -> object:
    """An option as plain data: an integer, a word or a tuple of integers."""
    if isinstance(value, str):
        return value
    if is_whole(value):
        return int(value)
    items = value.tolist() if hasattr(value, "tolist") else value  # as arrays and tables have it
    if isinstance(items, Sequence):
        items = tuple(_plain(thing, item) for item in items)
        if all(isinstance(item, int) for item in items):
            return items
    raise OptionError(
        thing,
        say("must be a whole number, a word or a list of whole numbers"),
        short_repr(value),
        say("Write 2 or [0, 2]."),
    )
