"""A score as a table: parts of the query by parts of the key.

X is often a sum: of words, places, what earlier heads have added. A query and a key are products of
X. So a score is a sum over all pairs: a part of the query times a part of the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_places
from mha_core.language import say
from mha_core.layer.growth import growth_factors
from mha_core.layer.head_matrices import w_k_of, w_q_of
from mha_core.layer.norms import factors
from mha_core.layer.positions import rotate
from mha_core.layer.relative import by_heads, rows_of_distances
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    without_centering,
    without_distances,
    without_growth,
    without_norms,
    without_rotation_first,
    without_rotation_last,
)
from mha_core.scenario.norms import norm_of
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.scenario import Scenario

AtFirst = Literal["x", "word", "place", "every", "context", "positions", "distance"]
OfLayers = Literal["head", "mlp", "bias"]
InOne = Literal["heads", "mlps", "biases"]  # all the others of a kind
Kind = AtFirst | OfLayers | InOne


class Part(NamedTuple):
    """One term of a row: what was there at first, an earlier head or MLP, or a bias.

    Of a head, an MLP and the biases of a layer, `layer` says which, counted from 0. What every
    token has at first, whatever its word and place, is of the kind "every". The vector of the
    distance, which a query meets beside the key, is of the kind "distance"; where places have
    several axes, `axis` says on which, counted from 0.
    """

    kind: Kind
    layer: int | None = None
    head: int | None = None
    axis: int | None = None


Parts = Mapping[Part, FloatArray]


class ScoreTable(NamedTuple):
    """A score as a sum. Row and column of `terms` are parts of the query and of the key.

    A term is a row of `queries` times a row of `keys`, times `factor`.
    """

    of_query: tuple[Part, ...]
    of_key: tuple[Part, ...]
    queries: FloatArray
    keys: FloatArray
    factor: float

    @property
    def terms(self) -> FloatArray:
        products: FloatArray = self.queries @ self.keys.T * self.factor
        return products


OTHERS: Final[Mapping[Kind, Kind]] = {"head": "heads", "mlp": "mlps", "bias": "biases"}
MANY: Final = 24  # parts of layers; so many, and few of them are told apart
FEW: Final = 8


def with_fewer_parts(table: ScoreTable) -> ScoreTable:
    """The same score. Of many parts of layers the largest are told, the others of a kind as one.

    Then the largest part is the first, and the sums of others are the last.
    """
    sizes = np.abs(table.terms)
    of_query, queries = _fewer(table.of_query, table.queries, sizes.max(axis=1))
    of_key, keys = _fewer(table.of_key, table.keys, sizes.max(axis=0))
    return ScoreTable(of_query, of_key, queries, keys, table.factor)


def _fewer(
    parts: tuple[Part, ...], rows: FloatArray, sizes: FloatArray
) -> tuple[tuple[Part, ...], FloatArray]:
    by_size = sorted(range(len(parts)), key=lambda place: -sizes[place])
    of_layers = [place for place in by_size if parts[place].layer is not None]
    if len(of_layers) < MANY:
        return parts, rows
    told = {parts[place]: rows[place] for place in by_size if place not in of_layers[FEW:]}
    for place in of_layers[FEW:]:
        in_one = Part(OTHERS[parts[place].kind])
        told[in_one] = told.get(in_one, 0) + rows[place]
    return tuple(told), np.stack([*told.values()])


def check_score_place(s: Scenario, head: int, at: tuple[int, int]) -> None:
    """Refuse a head, a query or a key that a layer does not have."""
    query, key = at
    check_places(say("The head"), [head], s.n_heads, say("head"), say("heads"))
    check_places(say("The query"), [query], s.n_q, say("query"), say("queries"))
    check_places(say("The key"), [key], s.n_k, say("key"), say("keys"))


def table_of(
    trace: Trace, head: int, at: tuple[int, int], query_parts: Parts, key_parts: Parts
) -> ScoreTable:
    """A score of a head before soft cap, additions and mask, divided by the temperature.

    `at` is its query and its key; the parts are those of their rows, of X and of what keys are
    made from. Without a soft cap the score is what the head adds ALiBi and the mask to. Under RoPE
    each part is rotated, as the whole is. A norm divides each part by the root mean square of the
    whole. A LayerNorm subtracts the mean of each part first; shifts are told with the biases.
    """
    s, (query, key) = trace.scenario, at
    check_score_place(s, head, at)
    group = head // (s.n_heads // s.n_kv_heads)
    waves = trace.positions[query], trace.context_positions[key]
    of_query = _projected(query_parts, waves[0], w_q_of(s, head), _bias(s.b_q, s.n_heads, head))
    of_key = _projected(key_parts, waves[1], w_k_of(s, head), _bias(s.b_k, s.n_kv_heads, group))
    if _is_centered_over_all(s):
        whole_query = _projected(query_parts, waves[0], s.w_q, s.b_q)
        whole_key = _projected(key_parts, waves[1], s.w_k, s.b_k)
    else:
        whole_query, whole_key = of_query, of_key
    of_query = _met(trace, _Place("q", head, query), of_query, whole_query)
    of_key = _met(trace, _Place("k", group, key), of_key, whole_key)
    q, k = (np.stack([*parts.values()]) for parts in (of_query, of_key))
    factor = float(s.scores.factor(s.d_k) / s.scores.temperature)
    if not without_growth(s):
        factor *= float(growth_factors(s)[query, 0])
    table = ScoreTable(tuple(of_query), tuple(of_key), q, k, factor)
    return table if without_distances(s) else _with_distance(table, s, head, at)


def _with_distance(table: ScoreTable, s: Scenario, head: int, at: tuple[int, int]) -> ScoreTable:
    """The query meets the vectors of R_K, the key those of R_Q, and these do not meet.

    So each has columns where the other has zeros. Each axis has a vector.
    """
    of_query, of_key, queries, keys, factor = table
    query, key = at
    rows = rows_of_distances(s, slice(query, query + 1))[:, 0, key]
    on_axes = tuple(Part("distance", axis=axis) for axis in range(len(rows)))
    distances = on_axes if len(rows) > 1 else (Part("distance"),)
    none = np.zeros_like(keys)
    queries, keys = np.hstack([queries, queries]), np.hstack([keys, none])
    if s.r_k is not None:
        met = by_heads(s, s.r_k)[head, rows]
        of_key, keys = of_key + distances, np.vstack([keys, np.hstack([np.zeros_like(met), met])])
    if s.r_q is not None:
        met = by_heads(s, s.r_q)[head, rows]
        added = np.hstack([met, np.zeros_like(met)])
        of_query, queries = of_query + distances, np.vstack([queries, added])
    return ScoreTable(of_query, of_key, queries, keys, factor)


class _Place(NamedTuple):
    """Where a query or a key stands."""

    of: Literal["q", "k"]
    head: int
    row: int


def _bias(bias: FloatArray | None, n_heads: int, head: int) -> FloatArray | None:
    return None if bias is None else bias.reshape(n_heads, -1)[head]


def _projected(
    rows: Parts, waves: FloatArray, weights: FloatArray, bias: FloatArray | None
) -> Parts:
    """The parts of one row of Q or K."""
    parts: dict[Part, FloatArray] = {part: row @ weights for part, row in rows.items()}
    if waves.any():
        parts[Part("positions")] = waves @ weights
    if bias is not None:
        parts[Part("bias")] = bias
    return parts


def _is_centered_over_all(s: Scenario) -> bool:
    return not without_centering(s) and norm_of(s, "q").is_over_all


def _met(trace: Trace, at: _Place, parts: Parts, whole: Parts) -> Parts:
    """The parts of a query or a key as they meet others: turned by its position, and normed.

    `whole` has the same parts of all columns that a mean is over.
    """
    s = trace.scenario
    place = at.row + (s.query_start if at.of == "q" else s.key_start)
    rows = np.stack([*parts.values()])
    if not without_rotation_first(s):
        rows = _turned(s, rows, place)
    if not without_centering(s):
        rows = rows - _means(s, np.stack([*whole.values()]), place)
    met = dict(zip(parts, rows, strict=True))
    if not without_norms(s):
        met = _normed(trace, at, met)
    if without_rotation_last(s):
        return met
    return dict(zip(met, _turned(s, np.stack([*met.values()]), place), strict=True))


def _means(s: Scenario, rows: FloatArray, place: int) -> FloatArray:
    """The mean of each row, as a column."""
    if not without_rotation_first(s):
        rows = _turned(s, rows.reshape(-1, s.d_k), place).reshape(rows.shape)
    means: FloatArray = rows.mean(axis=1, keepdims=True)
    return means


def _normed(trace: Trace, at: _Place, parts: Parts) -> dict[Part, FloatArray]:
    """The parts times what the norm multiplies the columns of the whole by; and its shifts."""
    heads = getattr(trace, f"{at.of}_centered")
    norm = norm_of(trace.scenario, at.of)
    scales = np.broadcast_to(factors(heads, norm), heads.shape)[at.head, at.row]
    normed = {part: row * scales for part, row in parts.items()}
    if norm.shifts is not None:
        shift = np.broadcast_to(norm.shift(heads), heads.shape)[at.head, at.row]
        normed[Part("bias")] = normed.get(Part("bias"), 0) + shift
    return normed


def _turned(s: Scenario, parts: FloatArray, place: int) -> FloatArray:
    """All parts turned to one place, as RoPE does."""
    return rotate(parts[:, None], place, rotation_of(s.scores, s.d_k))[:, 0]
