"""One matrix for queries and keys: W_Q = W_K."""

from __future__ import annotations

from mha_core.changing.changes import with_matrix, with_weights
from mha_core.checks.errors import OptionError
from mha_core.language import say
from mha_core.making.presets import PRESETS
from mha_core.scenario.scenario import Scenario


def with_queries_as_keys(s: Scenario, share: bool) -> Scenario:
    """W_Q = W_K, or W_K as its preset makes it."""
    if share:
        return with_matrix(s, "w_k", s.w_q)
    preset = PRESETS.get(s.origin.weights)
    fresh = with_weights(s, preset.name, s.origin.weights_seed) if preset else s
    if shares_queries_and_keys(fresh):
        raise OptionError(
            "W_K",
            say("must come from a preset in which it differs from W_Q"),
            preset.title if preset else say("given numbers"),
            say("Choose another preset, such as Random, or edit W_K."),
        )
    return with_matrix(s, "w_k", fresh.w_k)


def shares_queries_and_keys(s: Scenario) -> bool:
    """True where W_Q and W_K are the same numbers."""
    return s.w_q.shape == s.w_k.shape and bool((s.w_q == s.w_k).all())
