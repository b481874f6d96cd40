"""Worked examples by name: the source documents 000 to 004, then our own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mha_core.checks.values import check_one_of
from mha_core.examples import eight_tokens, pizza, split_only, teaching, three_tokens, two_tokens
from mha_core.examples.base import Erratum, Example, Printed
from mha_core.scenario.scenario import Scenario

__all__ = ["DEFAULT_EXAMPLE", "EXAMPLES", "Erratum", "Example", "Printed", "load_example"]

EXAMPLES: Final[Mapping[str, Example]] = {
    example.name: example
    for document in (split_only, three_tokens, pizza, eight_tokens, two_tokens, teaching)
    for example in document.EXAMPLES
}
DEFAULT_EXAMPLE: Final = "two-tokens"


def load_example(name: str) -> Scenario:
    """An example's scenario by name. Built once: a scenario is frozen, so all may share it.

    >>> load_example("two-tokens").w_q
    array([[1., 0., 0., 1.],
           [0., 1., 1., 0.],
           [1., 0., 0., 1.],
           [0., 1., 1., 0.]])
    """
    check_one_of("The example", name, EXAMPLES)
    return _built(name)


@cache
def _built(name: str) -> Scenario:
    return EXAMPLES[name].build()
