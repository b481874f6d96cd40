"""Metrics of the weights and the output of a trace.

They say how many tokens a head looks at, which token gets most weight, and how far the output moves
without a head. `patterns.py` finds the patterns in the weights, and `sentences.py` puts all in
words. Blind queries look at nothing, so they never count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import NumberError, ShapeError
from mha_core.checks.shapes import FloatArray, as_float_array
from mha_core.language import say
from mha_core.layer.functions import FUNCTIONS
from mha_core.layer.head_matrices import added_by_b_o
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_concat_function, without_gate, without_norm_of_concat
from mha_core.scenario.scenario import Scenario

CLOSELY: Final = 0.9  # of the weight of a query; from here on it is nearly all
ROW_SUM_ERROR: Final = 1e-3  # far more than the rounding in a row of float32 weights


@dataclass(frozen=True)
class Target:
    """The keys with the most weight (several, if they are equal), and the mean share of each.

    `least` is what they get together from the query that gives them least.
    """

    keys: tuple[int, ...]
    share: float
    least: float

    @property
    def key(self) -> int:
        """The first of the keys."""
        return self.keys[0]


@dataclass(frozen=True)
class Picks:
    """Every query gives nearly all its weight to at most `most` keys; `share` is its mean."""

    most: int
    share: float


@dataclass(frozen=True)
class Change:
    """How far the output moved, relative to its size before, and row by row.

    `relative` is infinite if an output of zeros moved, and NaN if some of it is not a number.
    `most` is the query that moved most, or the first of several; None if none moved, or nobody
    knows.
    """

    relative: float
    rows: tuple[float, ...]
    most: int | None


def effective_tokens(weights: FloatArray, of_sinks: FloatArray | None = None) -> FloatArray:
    """How many tokens each row of weights looks at: exp of its entropy.

    Shapes: (..., n_q, n_k) -> (..., n_q)

    It is 1 if one key has all weight, and k if k keys share it equally. For a blind row it is 0.
    A sink is no token: of rows whose sinks have the shares `of_sinks`, (..., n_q, 1), it is the
    entropy of what is left, made 1.

    >>> effective_tokens(np.array([[0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0]])).round(8)
    array([1., 2., 0.])
    >>> effective_tokens(np.array([[0.25, 0.25]]), of_sinks=np.array([[0.5]])).round(8)
    array([2.])
    """
    weights = as_float_array(say("The weights"), weights).astype(np.float64)
    sums = weights.sum(axis=-1)
    if of_sinks is not None:
        sums = sums + of_sinks[..., 0]
    sums_to_one = np.abs(sums - 1) <= ROW_SUM_ERROR
    if not (np.all(weights >= 0) and np.all(sums_to_one | (sums == 0))):
        raise NumberError(
            say("Each row of weights"),
            say("must be 0 or more everywhere and sum to 1, or be all 0"),
            say("rows that sum to {least:.3g} up to {most:.3g}").format(
                least=sums.min(), most=sums.max()
            ),
            say("Take the softmax of the scores first."),
        )
    if of_sinks is not None:
        weights = among_keys(weights)
    # A weight of 0 adds nothing to the entropy, though its logarithm is minus infinity.
    logarithms = np.log(weights, out=np.zeros_like(weights), where=weights > 0)
    entropy: FloatArray = -(weights * logarithms).sum(axis=-1)
    return np.where(weights.any(axis=-1), np.exp(entropy), 0.0)


def among_keys(weights: FloatArray) -> FloatArray:
    """The weights as they would be without a sink: each row made 1; a row of zeros stays.

    >>> among_keys(np.array([[0.1, 0.3], [0, 0]]))
    array([[0.25, 0.75],
           [0.  , 0.  ]])
    """
    sums = weights.sum(axis=-1, keepdims=True)
    shares: FloatArray = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    return shares


def mean_effective_tokens(weights: FloatArray, of_sinks: FloatArray | None = None) -> float:
    """How many tokens a head looks at, on average over rows that are not blind; 0 if all are."""
    counts = effective_tokens(weights, of_sinks)
    return _mean(counts[counts > 0])


def share_of_sink(trace: Trace, head: int) -> float | None:
    """What the sink of a head takes, on average over the queries that see a key.

    None if the head has no sink, or if no query sees a key.
    """
    s = trace.scenario
    sees = ~trace.blind_queries
    if s.sinks is None or not sees.any():
        return None
    return _mean(trace.sink_weights[check_head(s, head), sees].astype(np.float64))


def main_target(trace: Trace, head: int) -> Target | None:
    """The keys with the most weight of a head, on average over queries; None if all are blind."""
    weights = trace.weights[check_head(trace.scenario, head)].astype(np.float64)
    weights = weights[weights.any(axis=-1)]
    if not len(weights):
        return None
    shares = weights.mean(axis=0)
    # Equal shares may differ in their last digits.
    most = np.flatnonzero(np.isclose(shares, shares.max(), rtol=1e-6, atol=0))
    least = weights[:, most].sum(axis=-1).min()
    return Target(tuple(int(key) for key in most), float(shares.max()), float(least))


def picks(trace: Trace, head: int) -> Picks | None:
    """Whether each query of a head picks one key, or at most two; None if a query spreads more.

    A query that may see only two keys always picks at most two. So more than half of the queries
    with a choice must see more keys.
    """
    weights = trace.weights[check_head(trace.scenario, head)].astype(np.float64)
    n_open = trace.mask.sum(axis=-1)
    for most in (1, 2):
        tells = n_open > most
        if 2 * tells.sum() > (n_open > 1).sum():
            shares = np.sort(weights[tells], axis=-1)[:, -most:].sum(axis=-1)
            if shares.min() >= CLOSELY:
                return Picks(most, _mean(shares))
    return None


# The output


def output_change(trace: Trace, without: Trace | Iterable[int] | None = None) -> Change:
    """How far the output moves when heads are switched off, or from one trace to another.

    `without` has the heads, on or off in this trace; by default those that are off. The output with
    them is compared to the output without them. The two differ by the contributions of these
    heads, so nothing is computed again, unless a norm of the concatenation depends on all heads.

    >>> I = np.eye(4)
    >>> from mha_core.layer.attending import attend
    >>> trace = attend(Scenario(x=I, w_q=0 * I, w_k=0 * I, w_v=I, w_o=I, n_heads=2))
    >>> round(output_change(trace, without=[1]).relative, 8)  # half of the squares: sqrt(1/2)
    0.70710678
    """
    if isinstance(without, Trace):
        if without.output.shape != trace.output.shape:
            raise ShapeError(
                say("The other trace"),
                say("must have an output of shape {shape}").format(shape=trace.output.shape),
                str(without.output.shape),
                say("Compare layers of the same sizes."),
            )
        return change_of_rows(before=trace.output, moved=without.output - trace.output)
    off = trace.scenario.heads_off
    chosen = off if without is None else without
    heads = frozenset(check_head(trace.scenario, head) for head in chosen)
    if not without_norm_of_concat(trace.scenario):
        before, after = (_output_without(trace, those) for those in (off - heads, off | heads))
        return change_of_rows(before, moved=after - before)
    before = trace.output + sum(contribution(trace, head) for head in sorted(heads & off))
    moved = sum((contribution(trace, head) for head in sorted(heads)), np.zeros_like(before))
    return change_of_rows(before, moved)


def _output_without(trace: Trace, heads_off: frozenset[int]) -> FloatArray:
    return Trace(replace(trace.scenario, heads_off=heads_off)).output


def contribution(trace: Trace, head: int) -> FloatArray:
    """What a head adds to the output when it is on, if the concatenation is not normed.

    Shape: (n_q, d_out)
    """
    s = trace.scenario
    values = trace.v_normed[check_head(s, head) * s.n_kv_heads // s.n_heads]
    w_o = s.w_o.reshape(s.n_heads, s.d_v, s.d_out)[head]
    found: FloatArray = trace.weights[head] @ values
    if not without_gate(s):
        found = found * trace.gates[head]
    if not without_concat_function(s):
        found = FUNCTIONS[s.scores.concat_function].of(found)
    added: FloatArray = found @ w_o * s.scores.number("output_scale", s.d_k)
    return added


def contributions_gap(trace: Trace) -> float:
    """The difference between the output and the sum of the contributions and b_O.

    It is only rounding. It is the largest difference, relative to the largest number in the sum.
    It is not relative to the output: if heads cancel each other, the output is small, but the
    rounding is not. What is not a number does not count.
    """
    bias = added_by_b_o(trace.scenario)
    parts = [*trace.contributions, *([] if bias is None else [bias])]
    total = sum(parts, np.zeros_like(trace.output))
    largest = max(_largest(part) for part in (*parts, trace.output))
    return _largest(total - trace.output) / largest if largest else 0.0


def check_head(scenario: Scenario, head: int) -> int:
    """The number of the head, counted from 0. A head that does not exist is refused."""
    if not 0 <= head < scenario.n_heads:
        raise NumberError(
            "head",
            say("must be from 0 to {last}").format(last=scenario.n_heads - 1),
            str(head),
            say("The first head is number 0."),
        )
    return head


def change_of_rows(before: FloatArray, moved: FloatArray) -> Change:
    """How far rows have moved, relative to the size of all of them before."""
    are_lost = ~np.isfinite(moved).all(axis=-1)
    if are_lost.any():
        return Change(math.nan, tuple(np.where(are_lost, math.nan, 0.0).tolist()), None)
    rows = _lengths(moved)
    was, by = math.hypot(*_lengths(before)), math.hypot(*rows)
    relative = by / was if was else (math.inf if by else 0.0)
    most = int(np.isclose(rows, rows.max(), rtol=1e-6, atol=0).argmax()) if by else None
    return Change(relative, tuple(rows.tolist()), most)


def _lengths(rows: FloatArray) -> FloatArray:
    """The Euclidean length of each row. Large numbers are divided first, so no square overflows."""
    largest = np.abs(rows).max()
    if largest == 0:
        return np.zeros(len(rows))
    lengths: FloatArray = np.linalg.norm(rows.astype(np.float64) / largest, axis=-1) * largest
    return lengths


def _largest(array: FloatArray) -> float:
    return float(np.abs(array[np.isfinite(array)]).max(initial=0))


def _mean(numbers: npt.NDArray[Any]) -> float:
    return float(numbers.mean()) if numbers.size else 0.0
