"""A claim: a sentence the page shows and a predicate the tests run, so that both say the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mha_core.layer.trace import Trace


@dataclass(frozen=True)
class Claim:
    """Something an example or a preset promises of every trace it leads to."""

    sentence: str
    holds: Callable[[Trace], bool]
