"""Worked examples by name, in the order of the questions that they answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mha_core.checks.values import check_one_of
from mha_core.examples import (
    causal_mask,
    cross_attention,
    eight_tokens,
    image,
    near_patches,
    neighbours,
    opening,
    order,
    output_matrix,
    own_numbers,
    pizza,
    several_heads,
    sharp_scores,
    split_only,
    three_tokens,
    trained,
    two_layers,
    two_tokens,
)
from mha_core.examples.example import QUESTIONS, Erratum, Example, Printed
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack

__all__ = [
    "DEFAULT_EXAMPLE",
    "EXAMPLES",
    "EXAMPLES_BY_QUESTION",
    "QUESTIONS",
    "UNNAMED_EXAMPLE",
    "Erratum",
    "Example",
    "Printed",
    "load_example",
    "load_stack",
]

OURS: Final = (
    opening,
    sharp_scores,
    causal_mask,
    several_heads,
    output_matrix,
    order,
    image,
    neighbours,
    near_patches,
    cross_attention,
    own_numbers,
    two_layers,
    trained,
)
DOCUMENTS: Final = (split_only, three_tokens, pizza, eight_tokens, two_tokens)  # 000 to 004

EXAMPLES: Final[Mapping[str, Example]] = {
    example.name: example for module in (*OURS, *DOCUMENTS) for example in module.EXAMPLES
}
EXAMPLES_BY_QUESTION: Final[Mapping[str, tuple[Example, ...]]] = {
    question: tuple(example for example in EXAMPLES.values() if example.question == question)
    for question in QUESTIONS
}
DEFAULT_EXAMPLE: Final = "the-cat"  # of an address that says nothing
UNNAMED_EXAMPLE: Final = "two-tokens"  # of one that says something, but names no example


def load_example(name: str) -> Scenario:
    """An example's scenario by name. It is built once and shared, because a scenario is frozen.

    >>> load_example("two-tokens").w_q
    array([[1., 0., 0., 1.],
           [0., 1., 1., 0.],
           [1., 0., 0., 1.],
           [0., 1., 1., 0.]])
    """
    check_one_of(say("The example"), name, EXAMPLES)
    return _built(name)


def load_stack(name: str) -> Stack:
    """All layers of an example. Nearly all examples have one.

    >>> len(load_stack("two-tokens").layers)
    1
    """
    check_one_of(say("The example"), name, EXAMPLES)
    return _built_as_stack(name)


@cache
def _built_as_stack(name: str) -> Stack:
    build = EXAMPLES[name].build_stack
    return build() if build else Stack((load_example(name),), residual=False)


@cache
def _built(name: str) -> Scenario:
    return EXAMPLES[name].build()
