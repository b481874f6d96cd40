"""Where the queries stand among the positions of a second sequence, if nobody has said it."""

from __future__ import annotations

from mha_core.mask_rules.declared import Alignment
from mha_core.mask_rules.registry import RULES
from mha_core.scenario.masks import Mask
from mha_core.scenario.score_options import ScoreOptions


def first_position(
    n_q: int, n_k: int, mask: Mask, scores: ScoreOptions, *, knows_distances: bool = False
) -> int:
    """The position of the first query: where the keys of a cache end with the queries, or 0.

    Something else than the positions may know distances, and scores may grow with the position.

    >>> first_position(2, 5, Mask(), ScoreOptions(positions="rope"))
    3
    """
    knows_more = knows_distances or scores.growth
    positions = "alibi" if knows_more and scores.positions == "none" else scores.positions
    return after_cache(n_q, n_k) if _ends_with_queries(mask, positions) else 0


def after_cache(n_q: int, n_k: int) -> int:
    """The position of the first query, if the queries are the last tokens of the keys."""
    return max(n_k - n_q, 0)


def _ends_with_queries(mask: Mask, positions: str) -> bool:
    """Whether the keys are one sequence that ends with the queries.

    A rule of the mask that counts from a query's own place says it. Without one, RoPE and ALiBi
    say it: they know distances, which two sequences do not have. Sinusoids count each sequence
    from its own begin.
    """
    if positions == "none":
        return False
    placing = [rule for rule in mask.rules if RULES[rule.name].named(Alignment)]
    if placing:
        return all(rule.options.get("align", "end") == "end" for rule in placing)
    return positions != "sinusoidal"
