"""What the weights and the output of a trace amount to, in numbers.

How many tokens a head looks at, which one most, and which known pattern its weights resemble; how
far the output moves without a head. `mha_core.reading` puts these numbers in words.

A head is read only where it has something to decide: blind queries are left out everywhere, and a
query that may see a single key counts for no pattern.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.errors import NumberError, ShapeError
from mha_core.scenario import Scenario
from mha_core.shapes import BoolArray, FloatArray, as_float_array
from mha_core.trace import Trace

IntArray = npt.NDArray[np.intp]

RESEMBLES_FROM: Final = 0.5  # the least score at which a pattern is named
EVEN_FROM: Final = 0.8  # "uniform" asks for more: weights of random scores already reach 0.6
TIE: Final = 0.02  # of two scores this near, the pattern that says more wins
ROW_SUM_ERROR: Final = 1e-3  # far above what rounding does to a row of float32 weights


@dataclass(frozen=True)
class Target:
    """Where most weight goes: the keys that tie for it, and the mean share that each gets."""

    keys: tuple[int, ...]
    share: float

    @property
    def key(self) -> int:
        """The one that stands for all: of keys that tie, the first."""
        return self.keys[0]


@dataclass(frozen=True)
class Pattern:
    """How much a head resembles a known pattern.

    `share` is the mean weight on the pattern's cells. `score` also asks that the weight be spread
    evenly over them, and takes off what would land there by chance: 1 is the pattern itself, 0 no
    more of it than in a head that looks everywhere alike.
    """

    name: str
    score: float
    share: float


@dataclass(frozen=True)
class Change:
    """How far the output moved: as a part of what it was, and row by row.

    `relative` is infinite where an output of zeros moved. `most` is the query token that moved
    most, the first of those that tie; None where none moved.
    """

    relative: float
    rows: tuple[float, ...]
    most: int | None


def effective_tokens(weights: FloatArray) -> FloatArray:
    """How many tokens each row of weights looks at: exp of its entropy.

    Shapes: (..., n_q, n_k) -> (..., n_q)

    1 where all weight is on one key, k where k keys share it alike. A blind row looks at 0.

    >>> effective_tokens(np.array([[0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0]])).round(8)
    array([1., 2., 0.])
    """
    weights = as_float_array("The weights", weights).astype(np.float64)
    sums = weights.sum(axis=-1)
    sums_to_one = np.abs(sums - 1) <= ROW_SUM_ERROR
    if not (np.all(weights >= 0) and np.all(sums_to_one | (sums == 0))):
        raise NumberError(
            "Each row of weights",
            "must be 0 or more everywhere and sum to 1, or be all 0",
            f"rows that sum to {sums.min():.3g} up to {sums.max():.3g}",
            "Take the softmax of the scores first.",
        )
    # A weight of 0 adds nothing to the entropy, though its logarithm is minus infinity.
    logarithms = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    entropy: FloatArray = -(weights * logarithms).sum(axis=-1)
    return np.where(sums == 0, 0.0, np.exp(entropy))


def head_effective_tokens(trace: Trace) -> FloatArray:
    """How many tokens each head looks at, on average over the queries that see any.

    Shape: (n_heads,)
    """
    return np.array([mean_effective_tokens(weights) for weights in trace.weights])


def mean_effective_tokens(weights: FloatArray) -> float:
    """effective_tokens on average over the rows that are not blind; 0 if all are."""
    counts = effective_tokens(weights)
    return _mean(counts[counts > 0])


def main_target(trace: Trace, head: int) -> Target | None:
    """Where most of a head's weight goes, on average over its queries; None if all are blind."""
    weights = trace.weights[check_head(trace.scenario, head)].astype(np.float64)
    attends = weights.any(axis=-1)
    if not attends.any():
        return None
    shares = weights[attends].mean(axis=0)
    # Shares that are equal in truth differ in their last digits.
    most = np.flatnonzero(np.isclose(shares, shares.max(), rtol=1e-6, atol=0))
    return Target(tuple(int(key) for key in most), float(shares.max()))


# Patterns


def patterns(trace: Trace) -> tuple[dict[str, Pattern], ...]:
    """For each head, how much it resembles each pattern by name.

    Say a query spreads its weights a over the keys, and p is an even spread over the pattern's
    cells that it may see. Their overlap sum_j min(a_j, p_j) is 1 if they are the same. `chance` is
    the overlap that an even spread over all allowed keys has with p. Over the queries,

        score = sum(overlap - chance) / sum(1 - chance), at least 0

    For "uniform", p is that even spread itself and `chance` what a single key would have.

    A pattern is left out where it cannot show: where the mask leaves it no cell, or no other, for
    half of the queries or more. Patterns that speak of a token's own place are left out where the
    queries are not among the keys, as in cross-attention.
    """
    cells = pattern_cells(trace)
    return tuple(_patterns_of_head(trace, head, cells) for head in range(trace.scenario.n_heads))


def resembles(trace: Trace, head: int) -> Pattern | None:
    """The pattern that a head resembles best, if it resembles any.

    Of patterns whose scores tie, the one that says more, in the order of `pattern_cells`: where
    the blocks are pairs of one word, a head is "same word" rather than "block".
    """
    check_head(trace.scenario, head)
    return best_pattern(_patterns_of_head(trace, head, pattern_cells(trace)))


def best_pattern(found: dict[str, Pattern]) -> Pattern | None:
    """The best of a head's patterns that reaches its threshold; of ties, the first."""
    good = [
        pattern
        for pattern in found.values()
        if pattern.score >= (EVEN_FROM if pattern.name == "uniform" else RESEMBLES_FROM)
    ]
    best = max((pattern.score for pattern in good), default=0)
    return next((pattern for pattern in good if pattern.score >= best - TIE), None)


def pattern_cells(trace: Trace) -> dict[str, BoolArray]:
    """The cells of each pattern that is the same for all heads, as far as the mask leaves them.

    Shape of each: (n_q, n_k). From the pattern that says most to the one that says least. "block"
    is not among them: a head shows its own blocks.
    """
    s = trace.scenario
    key = np.arange(s.n_k)
    place = query_places(s)
    same_word = _same_word(s)
    cells: dict[str, BoolArray] = {}
    if place is not None:
        cells |= {
            "itself": key == place[:, None],
            "previous token": key == place[:, None] - 1,
            "next token": key == place[:, None] + 1,
        }
    cells |= {"first token": key == 0, "last token": key == s.n_k - 1}
    if place is None or not np.array_equal(same_word, cells["itself"]):
        cells["same word"] = same_word
    if place is not None:
        cells["all before"] = key <= place[:, None]
    return {name: trace.mask & where for name, where in cells.items()}


def query_places(scenario: Scenario) -> IntArray | None:
    """Each query's place among the keys; None where the queries are another sequence.

    Shape: (n_q,). In self-attention a query is the key of its own row. A second sequence that
    holds X itself from `query_start` on is no other either: it is what a decoder's cache holds.
    """
    s, start = scenario, scenario.scores.query_start
    if s.context is None:
        return np.arange(s.n_q)
    if np.array_equal(s.context[start : start + s.n_q], s.x):
        return np.arange(start, start + s.n_q)
    return None


def choosing_queries(trace: Trace) -> BoolArray:
    """True for a query that may see two keys or more, and so has a choice. Shape: (n_q,)"""
    chooses: BoolArray = trace.mask.sum(axis=-1) > 1
    return chooses


def _patterns_of_head(trace: Trace, head: int, cells: dict[str, BoolArray]) -> dict[str, Pattern]:
    weights = trace.weights[head].astype(np.float64)
    rate = partial(_pattern, weights=weights, allowed=trace.mask)
    found = [rate(name, cells=where) for name, where in cells.items()]
    found.append(rate("block", cells=trace.mask & _block_cells(trace, weights)))
    found.append(_uniform(weights, trace.mask))
    return {pattern.name: pattern for pattern in found if pattern is not None}


def _pattern(
    name: str, weights: FloatArray, allowed: BoolArray, cells: BoolArray
) -> Pattern | None:
    n_cells, n_open = cells.sum(axis=-1), allowed.sum(axis=-1)
    attends = weights.any(axis=-1)
    has_cell = attends & (n_cells > 0)
    tells = has_cell & (n_cells < n_open)
    if 2 * tells.sum() <= (attends & (n_open > 1)).sum():
        return None
    overlap = np.minimum(weights, cells / n_cells.clip(1)[:, None]).sum(axis=-1)
    chance = n_cells / n_open.clip(1)
    share = (weights * cells).sum(axis=-1)[has_cell]
    return Pattern(name, _above_chance(overlap[tells], chance[tells]), _mean(share))


def _uniform(weights: FloatArray, allowed: BoolArray) -> Pattern | None:
    n_open = allowed.sum(axis=-1)
    tells = weights.any(axis=-1) & (n_open > 1)
    if not tells.any():
        return None
    even = allowed[tells] / n_open[tells, None]
    overlap = np.minimum(weights[tells], even).sum(axis=-1)
    return Pattern("uniform", _above_chance(overlap, 1 / n_open[tells]), share=1.0)


def _above_chance(overlap: FloatArray, chance: FloatArray) -> float:
    score = (overlap - chance).sum() / (1 - chance).sum()
    return float(np.clip(score, 0, 1))  # overlaps of exactly 1 carry their rounding


def _same_word(scenario: Scenario) -> BoolArray:
    """True where query and key carry the same word."""
    number = {word: i for i, word in enumerate(scenario.key_tokens)}
    of_key = np.array([number[word] for word in scenario.key_tokens])
    of_query = np.array([number.get(word, -1) for word in scenario.tokens])
    same: BoolArray = of_query[:, None] == of_key
    return same


def _block_cells(trace: Trace, weights: FloatArray) -> BoolArray:
    """True where query and key share a block, in the cut that holds most weight above chance."""
    s, allowed = trace.scenario, trace.mask
    place = query_places(s)
    if place is None or place[0] != 0 or s.n_q != s.n_k or s.n_k < 4:
        return np.zeros(allowed.shape, np.bool_)
    even = allowed / allowed.sum(axis=-1, keepdims=True).clip(1)
    block = _best_blocks(weights - even)
    same: BoolArray = block[:, None] == block
    return same


def _best_blocks(gain: FloatArray) -> IntArray:
    """Cut the tokens into two runs or more, each of two tokens or more, that gain most.

    Shapes: (n, n) -> (n,), the number of each token's run. A run gains the sum of its square of
    `gain`, so the best cut up to a token is the best cut before some run, plus that run.

    >>> gain = np.array([[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], *3 * [[0, 0, 1, 1, 1]]]) - 0.5
    >>> _best_blocks(gain)
    array([0, 0, 1, 1, 1])
    """
    n = len(gain)
    corner = np.zeros((n + 1, n + 1))
    corner[1:, 1:] = gain.cumsum(axis=0).cumsum(axis=1)
    on_diagonal = corner.diagonal()
    of_run = on_diagonal + on_diagonal[:, None] - corner - corner.T  # [first, end)
    best, first = np.full(n + 1, -np.inf), np.zeros(n + 1, np.intp)
    best[0] = 0
    for end in range(2, n + 1):
        candidates = best[: end - 1] + of_run[: end - 1, end]
        if end == n:
            candidates[0] = -np.inf  # all in one run is no cut
        first[end] = candidates.argmax()
        best[end] = candidates[first[end]]
    starts = np.zeros(n, np.intp)
    end = n
    while end > 0:
        end = first[end]
        starts[end] = 1
    return starts.cumsum() - 1


# The output


def output_change(trace: Trace, without: Trace | Iterable[int] | None = None) -> Change:
    """How far the output moves when heads are switched off, or from one trace to another.

    `without` names the heads, whether they are on or off in this trace; by default those that are
    off. The output with them is compared to the output without, all else as it is here. Both
    differ by what these heads contribute, so nothing is run again.

    >>> I = np.eye(4)
    >>> from mha_core.trace import attend
    >>> trace = attend(Scenario(x=I, w_q=0 * I, w_k=0 * I, w_v=I, w_o=I, n_heads=2))
    >>> round(output_change(trace, without=[1]).relative, 8)  # half of the squares: sqrt(1/2)
    0.70710678
    """
    if isinstance(without, Trace):
        if without.output.shape != trace.output.shape:
            raise ShapeError(
                "The other trace",
                f"must have an output of shape {trace.output.shape}",
                str(without.output.shape),
                "Compare layers of the same sizes.",
            )
        return _change(before=trace.output, moved=without.output - trace.output)
    off = trace.scenario.heads_off
    heads = {check_head(trace.scenario, h) for h in (off if without is None else without)}
    before = trace.output + sum(contribution(trace, head) for head in sorted(heads & off))
    moved = sum((contribution(trace, head) for head in sorted(heads)), np.zeros_like(before))
    return _change(before, moved)


def contribution(trace: Trace, head: int) -> FloatArray:
    """What a head adds to the output, or would add if it were on. Shape: (n_q, d_out)"""
    s = trace.scenario
    values = trace.v_heads[check_head(s, head) * s.n_kv_heads // s.n_heads]
    w_o = s.w_o.reshape(s.n_heads, s.d_v, s.d_out)[head]
    added: FloatArray = trace.weights[head] @ values @ w_o
    return added


def contributions_gap(trace: Trace) -> float:
    """How far the contributions and b_O are from summing to the output: rounding, and no more.

    The largest difference, as a part of the largest number that takes part. Not of the output
    alone: where heads cancel each other, the output is small and the rounding is not.
    """
    parts = [*trace.contributions, *([] if trace.scenario.b_o is None else [trace.scenario.b_o])]
    total = sum(parts, np.zeros_like(trace.output))
    largest = max(float(np.abs(part).max()) for part in (*parts, trace.output))
    return float(np.abs(total - trace.output).max()) / largest if largest else 0.0


def check_head(scenario: Scenario, head: int) -> int:
    """The head's number, counted from 0, if there is such a head."""
    if not 0 <= head < scenario.n_heads:
        raise NumberError(
            "head",
            f"must be from 0 to {scenario.n_heads - 1}",
            str(head),
            "The first head is number 0.",
        )
    return head


def _change(before: FloatArray, moved: FloatArray) -> Change:
    rows = _lengths(moved)
    was, by = math.hypot(*_lengths(before)), math.hypot(*rows)
    relative = by / was if was else (math.inf if by else 0.0)
    most = int(np.isclose(rows, rows.max(), rtol=1e-6, atol=0).argmax()) if by else None
    return Change(relative, tuple(rows.tolist()), most)


def _lengths(rows: FloatArray) -> FloatArray:
    """Each row's Euclidean length, without overflow where a square would leave float64."""
    largest = np.abs(rows).max()
    if largest == 0:
        return np.zeros(len(rows))
    lengths: FloatArray = np.linalg.norm(rows.astype(np.float64) / largest, axis=-1) * largest
    return lengths


def _mean(numbers: npt.NDArray[Any]) -> float:
    return float(numbers.mean()) if numbers.size else 0.0
