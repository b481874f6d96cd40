"""A claim: a sentence that the page shows, and a function that the tests run to check it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from mha_core.layer.trace import Trace

Supposed = Mapping[str, Collection[Any]]


@dataclass(frozen=True)
class Claim:
    """A statement of an example or a preset that is true of each of its traces.

    Numbers alone cannot tell how something was chosen: the order of words matters under RoPE too,
    but no wave is added to X. So a claim may say which options of the scores it `supposes`, each
    with the values that it allows.
    """

    sentence: str
    check: Callable[[Trace], bool]
    supposes: Supposed = field(default_factory=dict, hash=False)

    def holds(self, trace: Trace) -> bool:
        """Whether what it supposes is chosen, and it is true."""
        scores = trace.scenario.scores
        is_so = all(getattr(scores, name) in chosen for name, chosen in self.supposes.items())
        return is_so and self.check(trace)
