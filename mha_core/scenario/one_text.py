"""Whether queries and keys are of the same tokens, though they may be made of different rows."""

from __future__ import annotations

from mha_core.scenario.scenario import Scenario


def reads_one_text(s: Scenario) -> bool:
    """True without a second sequence, and where X and C are latents of the same tokens."""
    return s.context is None or (s.origin.has_latents and s.tokens == s.context_tokens)
