"""A claim: a sentence that the page shows, and a function that the tests run to check it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mha_core.layer.trace import Trace


@dataclass(frozen=True)
class Claim:
    """A statement of an example or a preset that is true of each of its traces."""

    sentence: str
    holds: Callable[[Trace], bool]
