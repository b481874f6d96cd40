"""What a person chose differently in A and B: one line for each setting and each given array.

Of several layers, one is compared. What differs elsewhere has lines too, named by their layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.comparing.token_order import token_order
from mha_core.language import say
from mha_core.mask_rules.registry import RULES
from mha_core.options.kinds import Rows
from mha_core.options.option import Option
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import W_U, Stack

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


def differences_elsewhere(
    a: Stack, b: Stack, layers: tuple[int, int]
) -> tuple[DifferentSetting, ...]:
    """What differs beside the layers that A and B show: of the whole, then of each other layer.

    Layers are counted from 0.

    >>> from mha_core.changing.layers import with_layer_count
    >>> from mha_core.examples import load_stack
    >>> two = load_stack("induction")
    >>> differences_elsewhere(two, with_layer_count(two, 3), (1, 1))
    (DifferentSetting(what='Number of layers', in_a='2', in_b='3'),)
    """
    return (*_of_the_whole(a, b), *_of_other_layers(a, b, layers))


def named_by_layer(found: Iterable[DifferentSetting], number: int) -> tuple[DifferentSetting, ...]:
    """Differences of a layer, counted from 0, with its name before them."""
    says = say("Layer {number}: {what}")
    return tuple(
        replace(each, what=says.format(number=number + 1, what=each.what)) for each in found
    )


def _of_the_whole(a: Stack, b: Stack) -> Iterator[DifferentSetting]:
    if len(a.layers) != len(b.layers):
        yield DifferentSetting(NUMBER_OF_LAYERS, str(len(a.layers)), str(len(b.layers)))
    has_stream = not (a.is_one_layer or b.is_one_layer)
    if has_stream and a.residual != b.residual:
        yield DifferentSetting(STREAM, STREAM_IS[a.residual], STREAM_IS[b.residual])
    if a.words != b.words:
        yield DifferentSetting(PREDICTION, _tokens(a.words), _tokens(b.words))
    else:
        yield from _array(W_U, a.w_u, b.w_u)


def _of_other_layers(a: Stack, b: Stack, layers: tuple[int, int]) -> Iterator[DifferentSetting]:
    """Of the layers that both have. Tokens and numbers' type are the same in all layers of a side.

    X of a higher layer is no choice: it is what the layers below make.
    """
    for number, (one, other) in enumerate(zip(a.on_zeros, b.on_zeros, strict=False)):
        if layers == (number, number):
            continue
        said = OF_ALL_LAYERS | OF_ITS_X if number else OF_ALL_LAYERS
        found = [each for each in differences(one, other) if each.what not in said]
        yield from named_by_layer(found, number)


def _settings(a: Scenario, b: Scenario) -> Iterator[DifferentSetting]:
    for what, setting in SETTINGS.items():
        in_a, in_b = setting.value(a), setting.value(b)
        if in_a != in_b:
            yield DifferentSetting(what, setting.words(in_a), setting.words(in_b))


def _arrays(a: Scenario, b: Scenario) -> Iterator[DifferentSetting]:
    """Arrays whose numbers differ; a token has the same row, wherever it stands."""
    order = token_order(a, b)
    for symbol, axes, of in ARRAYS:
        one = of(a)
        yield from _array(symbol, None if one is None else order.applied(one, axes), of(b))


def _array(symbol: str, one: Array | None, other: Array | None) -> Iterator[DifferentSetting]:
    """The line of an array whose numbers differ, or its shape."""
    if one is None and other is None:
        return
    if one is None or other is None or one.shape != other.shape:
        yield DifferentSetting(symbol, _shape(one), _shape(other))
    elif changed := _count_changed(one, other):
        says = say("{count} of {all} numbers differ")
        yield DifferentSetting(symbol, "", says.format(count=changed, all=other.size))


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


def _number(value: float | str | tuple[float, ...]) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_number, value))
    return value if isinstance(value, str) else f"{value:.12g}"


def _of_option(option: Option, value: Any) -> str:
    """None stands for what the empty field of the option says."""
    if isinstance(option.kind, Rows) and value is not None:
        return option.kind.as_typed(value)
    return option.placeholder if value is None else _number(value)


class Setting(NamedTuple):
    """One setting of a scenario, and how it is said."""

    value: Callable[[Scenario], Any]
    words: Callable[[Any], str] = str


TOKENS: Final = say("Tokens")
WIDTH_OF_X: Final = say("Width of X")
NUMBER_TYPE: Final = say("Number type")
SETTINGS: Final[Mapping[str, Setting]] = {
    TOKENS: Setting(lambda s: s.tokens, _tokens),
    say("Second sequence"): Setting(lambda s: s.context_tokens, _tokens),
    say("Heads"): Setting(lambda s: s.n_heads),
    say("Key/value heads"): Setting(lambda s: s.n_kv_heads),
    WIDTH_OF_X: Setting(lambda s: s.d_model),
    say("Width of the output"): Setting(lambda s: s.d_out),
    "d_k": Setting(lambda s: s.d_k),
    "d_v": Setting(lambda s: s.d_v),
    **{
        option.title: Setting(attrgetter(f"scores.{name}"), partial(_of_option, option))
        for name, option in OPTIONS.items()
    },
    # Followed or chosen: it is the same position.
    OPTIONS["query_start"].title: Setting(lambda s: s.query_start),
    say("Mask"): Setting(lambda s: _mask(s.mask)),  # drawn ones are compared number by number
    say("Heads off"): Setting(lambda s: s.heads_off, _heads),
    NUMBER_TYPE: Setting(lambda s: s.dtype.name),
}
ARRAYS: Final[Sequence[tuple[str, Sequence[str], Callable[[Scenario], Array | None]]]] = (
    *((given.symbol, given.dims.axes, attrgetter(name)) for name, given in GIVEN.items()),
    (say("Drawn mask"), ("n_q", "n_k"), attrgetter("mask.custom")),
    (say("Additive mask"), ("n_q", "n_k"), attrgetter("mask.additive")),
)
OF_ALL_LAYERS: Final = frozenset({TOKENS, NUMBER_TYPE})
OF_ITS_X: Final = frozenset({WIDTH_OF_X, GIVEN["x"].symbol})
# Of layers as a whole.
NUMBER_OF_LAYERS: Final = say("Number of layers")
STREAM: Final = say("Residual stream")
STREAM_IS: Final = {True: say("on"), False: say("off")}
PREDICTION: Final = say("Predicted words")
