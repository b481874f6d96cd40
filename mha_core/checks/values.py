"""The checks of single values: whole numbers, names, labels and sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final, TypeGuard

import numpy as np

from mha_core.checks.errors import HeadsError, LimitError, NumberError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.language import say

LONGEST_VALUE: Final = 60  # characters of a wrong value in an error
CHECK_SPELLING: Final = say("Check its spelling.")


def is_whole(value: object) -> TypeGuard[int]:
    """Is it a whole number? True and 2.0 are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_within(value: object, least: float, most: float) -> bool:
    """Is it a number from least to most? NaN, infinity and True are not."""
    if is_whole(value):
        return least <= int(value) <= most
    return isinstance(value, float | np.floating) and least <= float(value) <= most


def is_one_of(value: object, names: Collection[str]) -> bool:
    """Is it one of these words? A value that is not text is not."""
    return isinstance(value, str) and value in names


def need_one_of(names: Collection[str]) -> str:
    """What an error says that a value must be: one of these words."""
    return say("must be one of {names}").format(names=", ".join(names))


def check_whole(
    thing: str, value: Any, least: int, most: int | None = None, way_out: str = ""
) -> None:
    """Refuse anything but a whole number from `least` to `most`, both included."""
    whole = is_whole(value)
    if whole and least <= int(value) and (most is None or int(value) <= most):
        return
    too_small = not whole or int(value) < least
    nearest = least if too_small or most is None else most
    if most is None:
        need = say("must be a whole number of at least {least}").format(least=least)
        usual = say("Give {least} or more.").format(least=least)
    else:
        need = say("must be a whole number from {least} to {most}").format(least=least, most=most)
        usual = say("Take {nearest}, or another number in this range.").format(nearest=nearest)
    raise NumberError(thing, need, short_repr(value), way_out or usual)


def check_one_of(
    thing: str, value: object, names: Collection[str], way_out: str = CHECK_SPELLING
) -> None:
    """Refuse anything but one of these words. If it is nearly one of them, that one is told."""
    if is_one_of(value, names):
        return
    near = get_close_matches(value, names, n=1) if isinstance(value, str) else []
    if near and way_out == CHECK_SPELLING:
        way_out = say("Write {name}.").format(name=near[0])
    raise OptionError(thing, need_one_of(names), short_repr(value), way_out)


def check_places(thing: str, places: Iterable[object], count: int, one: str, many: str) -> None:
    """Refuse a place that is not one of `count` things, numbered from 0."""
    for place in places:
        if not is_whole(place) or not 0 <= place < count:
            raise NumberError(
                thing,
                say("must name {things} from 0 to {last}").format(things=many, last=count - 1),
                short_repr(place),
                say("The first {thing} is number 0.").format(thing=one),
            )


def check_kind(thing: str, value: object, kinds: type | tuple[type, ...], way_out: str) -> None:
    """Refuse what is of none of these types. The first is the one that is told."""
    if not isinstance(value, kinds):
        told = kinds[0] if isinstance(kinds, tuple) else kinds
        need = say("must be of type {type}").format(type=told.__name__)
        raise OptionError(thing, need, short_repr(value), way_out)


def check_limit(thing: str, value: int, limit: int, way_out: str) -> None:
    """Refuse a count beyond its limit. Bytes have `check_size`."""
    if value > limit:
        raise LimitError(
            thing, say("must be at most {limit:,}").format(limit=limit), f"{value:,}", way_out
        )


def check_head_groups(n_heads: int, n_kv_heads: int) -> None:
    """Refuse a number of key/value heads that does not divide the number of heads."""
    if n_heads % n_kv_heads:
        raise HeadsError(
            "n_kv_heads",
            say("must divide n_heads = {n_heads}").format(n_heads=n_heads),
            str(n_kv_heads),
            say("Take one of {divisors}.").format(divisors=divisors(n_heads)),
        )


def check_label(thing: str, label: object, most: int = LIMITS.label_chars) -> None:
    """Refuse a label that is not text, or too long."""
    if not isinstance(label, str):
        raise OptionError(
            thing,
            say("must be text"),
            say("{value} of type {type}").format(
                value=short_repr(label), type=type(label).__name__
            ),
            say("Write it in quotes, as in 'PIZZA', or make it text with str(...)."),
        )
    if len(label) > most:
        raise LimitError(
            thing,
            say("must be text of at most {limit} characters").format(limit=most),
            say("{count} characters, {beginning}...").format(
                count=len(label), beginning=repr(label[:20])
            ),
            say("Shorten it, or put a blank between words."),
        )


def check_tokens(tokens: Sequence[Any]) -> tuple[str, ...]:
    """Refuse an empty list, too many tokens, and tokens that cannot be labels."""
    if isinstance(tokens, str):
        way_out = say("Split it with tokenize first.")
        raise OptionError(
            say("The tokens"), say("must be a list of texts"), short_repr(tokens), way_out
        )
    if not tokens:
        way_out = say("Type some, as in I LOVE PIZZA.")
        raise ShapeError(say("The text"), say("must hold at least one word"), say("none"), way_out)
    check_limit(
        say("The number of tokens"), len(tokens), LIMITS.tokens, say("Take a part of the text.")
    )
    for token in tokens:
        check_label(say("A token"), token)
    return tuple(tokens)


def short_repr(value: object) -> str:
    """A wrong value as an error shows it: a long one is cut."""
    return repr(value)[:LONGEST_VALUE]


def divisors(n: int) -> str:
    """The numbers that divide n, as an error lists them.

    >>> divisors(12)
    '1, 2, 3, 4, 6, 12'
    """
    return ", ".join(str(d) for d in range(1, n + 1) if n % d == 0)
