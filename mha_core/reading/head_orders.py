"""Orders in which heads can stand, so that those of a kind stand side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from mha_core.checks.values import check_one_of
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.metrics import output_change
from mha_core.reading.sentences import LOOKS, Reading

ROUNDED: Final = 9  # decimals: equal heads may differ in their last digits
KINDS: Final = tuple(LOOKS)  # of patterns, in the order in which they are told


def heads_in_order(trace: Trace, readings: Sequence[Reading], by: str) -> tuple[int, ...]:
    """The heads, counted from 0, in one of ORDERS. Equal heads keep their order.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> from mha_core.reading.sentences import all_readings
    >>> trace = attend(load_example("four-heads"))
    >>> [reading.pattern for reading in all_readings(trace)]
    ['previous token', 'next token', 'first token', 'itself']
    >>> heads_in_order(trace, all_readings(trace), "pattern")
    (3, 0, 1, 2)
    """
    check_one_of(say("The order of the heads"), by, ORDERS)
    rank = ORDERS[by](trace, readings)
    return tuple(sorted(range(len(readings)), key=rank))


def grouped(heads: Iterable[int], readings: Sequence[Reading]) -> list[tuple[Reading, list[int]]]:
    """Each sentence once, with all heads of which it is true, in the order of the first of them."""
    heads_of: dict[str, list[int]] = {}
    for head in heads:
        heads_of.setdefault(readings[head].sentence, []).append(head)
    return [(readings[alike[0]], sorted(alike)) for alike in heads_of.values()]


def listed_heads(heads: Sequence[int]) -> str:
    """Heads as people count them; three or more in a row as "5 to 8".

    >>> listed_heads([2]), listed_heads([0, 1]), listed_heads([2, 4, 5, 6, 7])
    ('Head 3', 'Heads 1 and 2', 'Heads 3, 5 to 8')
    """
    runs: list[list[int]] = []
    for head in heads:
        if runs and head == runs[-1][-1] + 1:
            runs[-1].append(head)
        else:
            runs.append([head])
    parts = [part for run in runs for part in _run_in_words(run)]
    if len(heads) == 1:
        return say("Head {head}").format(head=parts[0])
    if len(parts) == 2 and len(heads) == 2:
        return say("Heads {first} and {second}").format(first=parts[0], second=parts[1])
    return say("Heads {heads}").format(heads=", ".join(parts))


def _run_in_words(run: Sequence[int]) -> list[str]:
    if len(run) < 3:
        return [str(head + 1) for head in run]
    return [say("{first} to {last}").format(first=run[0] + 1, last=run[-1] + 1)]


def moved_without(trace: Trace, head: int) -> float:
    """How far the output moves without a head, relative to its size."""
    return output_change(trace, without=[head]).relative


Rank = Callable[[int], tuple[float, ...]]


def _by_number(_trace: Trace, _readings: Sequence[Reading]) -> Rank:
    return lambda head: (head,)


def _by_pattern(_trace: Trace, readings: Sequence[Reading]) -> Rank:
    """First the heads with a pattern, by pattern, the clearest first; then all others."""

    def rank(head: int) -> tuple[float, ...]:
        name = readings[head].pattern
        return KINDS.index(name) if name in KINDS else len(KINDS), -round(
            readings[head].pattern_score, ROUNDED
        )

    return rank


def _by_focus(_trace: Trace, readings: Sequence[Reading]) -> Rank:
    """Heads that look at few tokens come first."""
    return lambda head: (round(readings[head].effective_tokens, ROUNDED),)


def _by_effect(trace: Trace, _readings: Sequence[Reading]) -> Rank:
    """First the heads that are lost, then those without which the output moves most."""

    def rank(head: int) -> tuple[float, ...]:
        moved = moved_without(trace, head)
        return (-math.inf if math.isnan(moved) else -round(moved, ROUNDED),)

    return rank


ORDERS: Final[Mapping[str, Callable[[Trace, Sequence[Reading]], Rank]]] = {
    "number": _by_number,
    "pattern": _by_pattern,
    "focus": _by_focus,
    "effect": _by_effect,
}
