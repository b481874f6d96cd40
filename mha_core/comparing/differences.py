"""What a person chose differently in A and B: one line for each setting and each given array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.comparing.token_order import token_order
from mha_core.language import say
from mha_core.mask_rules.registry import RULES
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario

Array = npt.NDArray[Any]
MOST_TOKENS: Final = 8  # that a line names
ABSENT: Final = say("none")


@dataclass(frozen=True)
class DifferentSetting:
    """One thing in which A and B differ, and what it is in each."""

    what: str
    in_a: str
    in_b: str


def differences(a: Scenario, b: Scenario) -> tuple[DifferentSetting, ...]:
    """All their differences, in the order of the computation; none if they are the same.

    >>> from mha_core.changing.changes import with_scores
    >>> from mha_core.examples import load_example
    >>> pizza = load_example("pizza")
    >>> differences(pizza, with_scores(pizza, scale="none"))
    (DifferentSetting(what='Scale', in_a='1/sqrt(d_k)', in_b='none'),)
    """
    return (*_settings(a, b), *_arrays(a, b))


def _settings(a: Scenario, b: Scenario) -> Iterator[DifferentSetting]:
    for what, setting in SETTINGS.items():
        in_a, in_b = setting.value(a), setting.value(b)
        if in_a != in_b:
            yield DifferentSetting(what, setting.words(in_a), setting.words(in_b))


def _arrays(a: Scenario, b: Scenario) -> Iterator[DifferentSetting]:
    """Arrays whose numbers differ; a token has the same row, wherever it stands."""
    order = token_order(a, b)
    for symbol, axes, of in ARRAYS:
        one, other = of(a), of(b)
        if one is None and other is None:
            continue
        if one is None or other is None or one.shape != other.shape:
            yield DifferentSetting(symbol, _shape(one), _shape(other))
        elif changed := _count_changed(order.applied(one, axes), other):
            yield DifferentSetting(
                symbol,
                "",
                say("{count} of {all} numbers differ").format(count=changed, all=other.size),
            )


def _count_changed(one: Array, other: Array) -> int:
    """How many numbers differ, in the less precise of the two types."""
    common = min(one.dtype, other.dtype, key=lambda dtype: dtype.itemsize)
    return int(np.count_nonzero(one.astype(common) != other.astype(common)))


def _shape(array: Array | None) -> str:
    return ABSENT if array is None else " × ".join(map(str, array.shape))


def _tokens(tokens: tuple[str, ...]) -> str:
    if len(tokens) > MOST_TOKENS:
        return say("{count} tokens: {first} …").format(
            count=len(tokens), first=" ".join(tokens[:MOST_TOKENS])
        )
    return " ".join(tokens) or ABSENT


def _mask(mask: Mask) -> str:
    drawn = ((say("drawn"), mask.custom), (say("additive"), mask.additive))
    parts = [word for word, matrix in drawn if matrix is not None]
    return ", ".join([*map(_rule, mask.rules), *parts]) or ABSENT


def _rule(rule: Rule) -> str:
    options = ", ".join(f"{name} {_plain(value)}" for name, value in rule.options.items())
    name = RULES[rule.name].title.lower()
    return f"{name} ({options})" if options else name


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _heads(heads: Iterable[int]) -> str:
    says = say("head {head}")
    return ", ".join(says.format(head=head + 1) for head in sorted(heads)) or ABSENT


def _number(value: float | str | None) -> str:
    if value is None:
        return ABSENT
    return value if isinstance(value, str) else f"{value:.12g}"


class Setting(NamedTuple):
    """One setting of a scenario, and how it is said."""

    value: Callable[[Scenario], Any]
    words: Callable[[Any], str] = str


SETTINGS: Final[Mapping[str, Setting]] = {
    say("Tokens"): Setting(lambda s: s.tokens, _tokens),
    say("Second sequence"): Setting(lambda s: s.context_tokens, _tokens),
    say("Heads"): Setting(lambda s: s.n_heads),
    say("Key/value heads"): Setting(lambda s: s.n_kv_heads),
    say("Width of X"): Setting(lambda s: s.d_model),
    say("Width of the output"): Setting(lambda s: s.d_out),
    "d_k": Setting(lambda s: s.d_k),
    "d_v": Setting(lambda s: s.d_v),
    **{
        option.title: Setting(attrgetter(f"scores.{name}"), _number)
        for name, option in OPTIONS.items()
    },
    say("Mask"): Setting(lambda s: _mask(s.mask)),  # drawn ones are compared number by number
    say("Heads off"): Setting(lambda s: s.heads_off, _heads),
    say("Number type"): Setting(lambda s: s.dtype.name),
}
ARRAYS: Final[Sequence[tuple[str, Sequence[str], Callable[[Scenario], Array | None]]]] = (
    *((given.symbol, given.dims.axes, attrgetter(name)) for name, given in GIVEN.items()),
    (say("Drawn mask"), ("n_q", "n_k"), attrgetter("mask.custom")),
    (say("Additive mask"), ("n_q", "n_k"), attrgetter("mask.additive")),
)
