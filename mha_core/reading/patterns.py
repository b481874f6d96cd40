"""Which known pattern the weights of a head resemble.

A query that may see only one key has no choice, so it does not count. A pattern is named only if it
holds for each query. An average is not enough, because the reader sees the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.trace import Trace
from mha_core.reading.lost_rows import lost_rows
from mha_core.reading.metrics import CLOSELY
from mha_core.scenario.first_position import after_cache
from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.scenario import Scenario

IntArray = npt.NDArray[np.intp]

RESEMBLES_FROM: Final = 0.5  # the least score at which a pattern is named
MOSTLY: Final = 0.5  # more than this is most of a query's weight
IF_NO_OTHER: Final = ("neighbours", "global token")  # named only where no other pattern may be
# These also say that the weight is spread evenly.
EVEN: Final = ("all before", "block", "uniform", *IF_NO_OTHER)
PEAK: Final = 2.0  # times an even share: a larger weight is not even
MOST_KEPT: Final = 1024  # cells of a mask whose patterns are kept
TIE: Final = 0.02  # if two scores are this near, the more precise pattern wins


@dataclass(frozen=True)
class Pattern:
    """How much a head resembles a known pattern.

    `share` is the mean weight on the cells of the pattern. `score` also checks that the weight is
    spread evenly over them, and subtracts the weight that an even spread would put there. It is 1
    for the pattern itself, and 0 for a head that looks everywhere equally.

    Both are means, and a mean may hide a query that does not follow the pattern. `least` is the
    value of the query that follows it least: its weight on the cells of the pattern, or for those
    in EVEN, the part of its weight that is spread evenly. `without` has the queries that have no
    cell of the pattern, because the mask hides them all.
    """

    name: str
    score: float
    share: float
    least: float
    without: tuple[int, ...] = ()

    @property
    def is_close(self) -> bool:
        """True if each query does nearly what the pattern says."""
        return self.least >= CLOSELY

    @property
    def may_be_named(self) -> bool:
        """True if it holds for each query: closely, or mostly if it is not one of EVEN."""
        holds = self.is_close or (self.name not in EVEN and self.least > MOSTLY)
        return holds and self.score >= RESEMBLES_FROM


def patterns(trace: Trace) -> tuple[dict[str, Pattern], ...]:
    """For each head, how much it resembles each pattern by name.

    Let a be the weights of a query, and p an even spread over the cells of the pattern that the
    query may see. Their overlap sum_j min(a_j, p_j) is 1 if they are equal. `chance` is the overlap
    of p with an even spread over all allowed keys. Over the queries,

        score = sum(overlap - chance) / sum(1 - chance), at least 0

    For "uniform", p is the even spread over all allowed keys, and `chance` the overlap of one key.

    A pattern is left out if it cannot be seen: if for half of the queries or more, the mask leaves
    no cell of it, or only its cells. Patterns about the own place of a token are left out if the
    queries are not among the keys, as in cross-attention.
    """
    known = _KNOWN.get(trace)
    if known is None:
        known = _KNOWN[trace] = _patterns_of(trace)
    return known


# A page asks again for its sentences and for its claims. It goes with the trace.
_KNOWN: Final[WeakKeyDictionary[Trace, tuple[dict[str, Pattern], ...]]] = WeakKeyDictionary()


def best_pattern(found: dict[str, Pattern]) -> Pattern | None:
    """Of the patterns of a head, the one that it resembles best, if one holds for each query.

    If scores are nearly equal, the more precise pattern wins, in the order of `pattern_cells`. If
    the blocks are pairs of one word, a head is "same word" and not "block".
    """
    named = [pattern for pattern in found.values() if pattern.may_be_named]
    good = [pattern for pattern in named if pattern.name not in IF_NO_OTHER] or named
    best = max((pattern.score for pattern in good), default=0)
    return next((pattern for pattern in good if pattern.score >= best - TIE), None)


def pattern_cells(
    allowed: BoolArray, place: IntArray | None, same_word: BoolArray
) -> dict[str, BoolArray]:
    """The cells of each pattern that the mask allows. They are the same for all heads.

    Shape of each: (n_q, n_k). The most precise pattern is first. "block" is not among them: its
    cells depend on the head.
    """
    key = np.arange(allowed.shape[-1])
    cells: dict[str, BoolArray] = {}
    if place is not None:
        cells |= {
            "itself": key == place[:, None],
            "previous token": key == place[:, None] - 1,
            "next token": key == place[:, None] + 1,
        }
    cells |= {"first token": key == 0, "last token": key == len(key) - 1}
    if place is None or not np.array_equal(same_word, cells["itself"]):
        cells["same word"] = same_word
    if place is not None:
        cells["all before"] = key <= place[:, None]
        cells |= _two_or_three_tokens(allowed, place)
    return {name: allowed & where for name, where in cells.items()}


def _two_or_three_tokens(allowed: BoolArray, place: IntArray) -> dict[str, BoolArray]:
    """Patterns of few tokens for each query; none where the mask hides one of these from a query.

    The first token of "global token", through which all others reach each other, looks at all that
    it may see. So it must be a query too.
    """
    key, query = np.arange(allowed.shape[-1]), place[:, None]
    beside = np.abs(key - query) <= 1
    through_first = (key == 0) | (key == query)
    cells: dict[str, BoolArray] = {}
    if allowed[beside].all():
        cells["neighbours"] = beside
    if place[0] == 0 and allowed[1:][through_first[1:]].all():
        cells["global token"] = through_first | (query == 0)
    return cells


def query_places(scenario: Scenario) -> IntArray | None:
    """The place of each query among the keys; None if the queries are another sequence.

    Shape: (n_q,). In self-attention, query i is at key i, be it of latents or not. If the second
    sequence holds X itself from `query_start` on, as the cache of a decoder does, the queries are
    among its keys too. If nobody chose it, that is at the end of the cache.
    """
    s, chosen = scenario, scenario.scores.query_start
    if reads_one_text(s):
        return np.arange(s.n_q)
    assert s.context is not None
    start = after_cache(s.n_q, s.n_k) if chosen is None else chosen
    if np.array_equal(s.context[start : start + s.n_q], s.x):
        return np.arange(start, start + s.n_q)
    return None


def choosing_queries(trace: Trace) -> BoolArray:
    """True for a query that may see two keys or more: it has a choice. Shape: (n_q,)"""
    chooses: BoolArray = trace.mask.sum(axis=-1) > 1
    return chooses


def _patterns_of(trace: Trace) -> tuple[dict[str, Pattern], ...]:
    """The patterns of each head; none of one that a naive softmax has lost."""
    known = np.flatnonzero(~lost_rows(trace).any(axis=-1)).tolist()
    found: tuple[dict[str, Pattern], ...] = tuple({} for _ in range(trace.scenario.n_heads))
    weights = trace.weights[known].astype(np.float64)

    def note(of: Sequence[int], rated: Sequence[Pattern]) -> None:
        for head, pattern in zip(of, rated, strict=True):
            found[head][pattern.name] = pattern

    for seen in _seen_in(trace):
        note(known, _rated(seen, weights))
    for head, own in zip(known, weights, strict=True):
        if block := _seen("block", trace.mask & _block_cells(trace, own), trace.mask):
            note([head], _rated(block, own[None]))
    if choosing_queries(trace).any():
        note(known, _uniform(weights, trace.mask))
    return found


@dataclass(frozen=True, eq=False)
class _Seen:
    """A pattern that can be seen, and all that its cells alone say."""

    name: str
    cells: BoolArray
    even: FloatArray  # an even spread over its cells
    has_cell: BoolArray  # by query
    tells: BoolArray  # which queries could look elsewhere
    chance: FloatArray  # of those
    without: tuple[int, ...]


def _seen_in(trace: Trace) -> Sequence[_Seen]:
    """The patterns that can be seen. Small ones are kept: they stay while weights change."""
    allowed, place, same = trace.mask, query_places(trace.scenario), _same_word(trace.scenario)
    if allowed.size > MOST_KEPT:
        return _all_seen(allowed, place, same)
    start = None if place is None else int(place[0])
    return _kept_seen(allowed.tobytes(), same.tobytes(), allowed.shape, start)


@lru_cache(maxsize=32)
def _kept_seen(
    allowed: bytes, same_word: bytes, shape: tuple[int, int], start: int | None
) -> Sequence[_Seen]:
    mask, same = (np.frombuffer(each, np.bool_).reshape(shape) for each in (allowed, same_word))
    return _all_seen(mask, None if start is None else np.arange(start, start + shape[0]), same)


def _all_seen(allowed: BoolArray, place: IntArray | None, same: BoolArray) -> Sequence[_Seen]:
    cells = pattern_cells(allowed, place, same)
    seen = (_seen(name, where, allowed) for name, where in cells.items())
    return tuple(filter(None, seen))


def _seen(name: str, cells: BoolArray, allowed: BoolArray) -> _Seen | None:
    """None if the pattern cannot be seen: see `patterns`."""
    n_cells, n_open = cells.sum(axis=-1), allowed.sum(axis=-1)
    has_cell = n_cells > 0
    tells = has_cell & (n_cells < n_open)
    if 2 * tells.sum() <= (n_open > 1).sum():
        return None
    even = cells / n_cells.clip(1)[:, None]
    chance = (n_cells / n_open.clip(1))[tells]
    return _Seen(name, cells, even, has_cell, tells, chance, _numbers(~has_cell))


def _rated(seen: _Seen, weights: FloatArray) -> list[Pattern]:
    """How much each head resembles a pattern. Shape of `weights`: (heads, n_q, n_k)."""
    share = (weights * seen.cells).sum(axis=-1)
    overlap = np.minimum(weights, seen.even).sum(axis=-1)
    holds = _evenness(weights, seen.even, overlap) if seen.name in EVEN else share
    score = _above_chance(overlap[:, seen.tells], seen.chance)
    mean, least = share[:, seen.has_cell].mean(axis=-1), holds[:, seen.has_cell].min(axis=-1)
    numbers = zip(score.tolist(), mean.tolist(), least.tolist(), strict=True)
    return [Pattern(seen.name, *of_head, seen.without) for of_head in numbers]


def _uniform(weights: FloatArray, allowed: BoolArray) -> list[Pattern]:
    n_open = allowed.sum(axis=-1)
    chooses = n_open > 1
    even = allowed / n_open.clip(1)[:, None]
    overlap = np.minimum(weights, even).sum(axis=-1)
    score = _above_chance(overlap[:, chooses], 1 / n_open[chooses])
    least = _evenness(weights, even, overlap)[:, chooses].min(axis=-1)
    without = _numbers(n_open == 0)
    return [
        Pattern("uniform", float(score[head]), 1.0, float(least[head]), without)
        for head in range(len(weights))
    ]


def _evenness(weights: FloatArray, even: FloatArray, overlap: FloatArray) -> FloatArray:
    """The part of the weight of each row that is spread like `even`; 0 if one weight is large."""
    stands_out = weights.max(axis=-1) > PEAK * even.max(axis=-1)
    return np.where(stands_out, 0.0, overlap)


def _numbers(which: BoolArray) -> tuple[int, ...]:
    return tuple(int(number) for number in np.flatnonzero(which))


def _above_chance(overlap: FloatArray, chance: FloatArray) -> FloatArray:
    """The score of each head; rounding may move it beyond 1."""
    score: FloatArray = (overlap - chance).sum(axis=-1) / (1 - chance).sum()
    return score.clip(0, 1)


def _same_word(scenario: Scenario) -> BoolArray:
    """True where query and key have the same word."""
    number = {word: i for i, word in enumerate(scenario.key_tokens)}
    of_key = np.array([number[word] for word in scenario.key_tokens])
    of_query = np.array([number.get(word, -1) for word in scenario.tokens])
    is_same_word: BoolArray = of_query[:, None] == of_key
    return is_same_word


def _block_cells(trace: Trace, weights: FloatArray) -> BoolArray:
    """True where query and key are in one block, in the cut with the most weight above chance."""
    s, allowed = trace.scenario, trace.mask
    place = query_places(s)
    if place is None or place[0] != 0 or s.n_q != s.n_k or s.n_k < 4:
        return np.zeros(allowed.shape, np.bool_)
    even = allowed / allowed.sum(axis=-1, keepdims=True).clip(1)
    block = _best_blocks(weights - even)
    is_same_block: BoolArray = block[:, None] == block
    return is_same_block


def _best_blocks(gain: FloatArray) -> IntArray:
    """Cut the tokens into the runs that gain most: two runs or more, of two tokens or more.

    Shapes: (n, n) -> (n,), the number of the run of each token. A run gains the sum of its square
    of `gain`. So the best cut up to a token is the best cut before its last run, plus that run.

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
            candidates[0] = -np.inf  # a single run is not a cut
        first[end] = candidates.argmax()
        best[end] = candidates[first[end]]
    starts = np.zeros(n, np.intp)
    end = n
    while end > 0:
        end = first[end]
        starts[end] = 1
    return starts.cumsum() - 1
