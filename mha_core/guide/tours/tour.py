"""A tour: stops in an order, each with a sentence, and what a document prints beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mha_core.examples import EXAMPLES, Erratum, Printed
from mha_core.examples.example import true_of_any_trace
from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack


@dataclass(frozen=True)
class Stop:
    """One stop: a sentence, and what to look at while it is said.

    It shows a `screen` of the walkthrough, in one `head`. With `all_heads` it shows the explorer,
    at the step that `screen` names. With `against` it compares that scenario, as A, with this one,
    as B, in the array that `screen` names; in all heads, if `head` is 0. Of several layers it is
    about one, the `layer`, counted from 0. The sentence is true if `holds` is true of that layer's
    trace; for a comparison, of both. `title` names the scenario, if its name is not that of its
    example; `title_of_a` names the A of a comparison.
    """

    sentence: str
    scenario: Callable[[], Scenario | Stack]
    screen: str
    head: int = 0
    all_heads: bool = False
    holds: Callable[..., bool] = true_of_any_trace
    printed: tuple[Printed, ...] = ()
    errata: tuple[Erratum, ...] = ()
    against: Callable[[], Scenario | Stack] | None = None
    title: str = ""
    title_of_a: str = ""
    layer: int = 0


@dataclass(frozen=True)
class Tour:
    """Stops in an order. `about` says in one sentence what they lead through."""

    name: str
    title: str
    about: str
    stops: tuple[Stop, ...] = field(repr=False)


def printed_of(example: str, *steps: str, head: int | None = None) -> tuple[Printed, ...]:
    """The known numbers of an example at these steps; of one head, or of all.

    Printed numbers come before those that were worked out at the same place with more digits, and
    a whole matrix before one row of it.
    """
    known = [
        printed
        for printed in EXAMPLES[example].printed
        if printed.step in steps and (head is None or printed.index[:1] == (head,))
    ]
    in_document = {(each.step, each.index) for each in known if each.in_document}
    places = {(each.step, each.index) for each in known}

    def is_said(each: Printed) -> bool:
        wider = {(each.step, each.index[:axes]) for axes in range(len(each.index))}
        return (each.step, each.index) in in_document or not wider.isdisjoint(places)

    return tuple(each for each in known if each.in_document or not is_said(each))


def erratum_at(example: str, *places: int) -> tuple[Erratum, ...]:
    """The errata of an example's document, counted from 0."""
    return tuple(EXAMPLES[example].errata[place] for place in places)


def claim_of(example: str, *places: int) -> Callable[[Trace], bool]:
    """The check of some of an example's claims, counted from 0: whether all of them are true."""
    claims = [EXAMPLES[example].claims[place] for place in places]
    return lambda trace: all(claim.holds(trace) for claim in claims)
