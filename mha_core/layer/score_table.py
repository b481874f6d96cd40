"""A score as a table: parts of the query by parts of the key.

X is often a sum: of words, places, what earlier heads have added. A query and a key are products of
X. So a score is a sum over all pairs: a part of the query times a part of the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.head_matrices import w_k_of, w_q_of
from mha_core.layer.norms import factors
from mha_core.layer.positions import rotate
from mha_core.layer.relative import by_heads, rows_of_distances
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_distances, without_norms
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
    distance, which a query meets beside the key, is of the kind "distance".
    """

    kind: Kind
    layer: int | None = None
    head: int | None = None


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


def table_of(
    trace: Trace, head: int, at: tuple[int, int], query_parts: Parts, key_parts: Parts
) -> ScoreTable:
    """A score of a head before soft cap, additions and mask, divided by the temperature.

    `at` is its query and its key; the parts are those of their rows, of X and of what keys are
    made from. Without a soft cap the score is what the head adds ALiBi and the mask to. Under RoPE
    each part is rotated, as the whole is. A norm divides each part by the root mean square of the
    whole.
    """
    s, (query, key) = trace.scenario, at
    group = head // (s.n_heads // s.n_kv_heads)
    waves = trace.positions[query], trace.context_positions[key]
    of_query = _projected(query_parts, waves[0], w_q_of(s, head), _bias(s.b_q, s.n_heads, head))
    of_key = _projected(key_parts, waves[1], w_k_of(s, head), _bias(s.b_k, s.n_kv_heads, group))
    starts = s.query_start + query, s.key_start + key
    scales = _scales(trace, (head, query), (group, key))
    q, k = (
        _turned(s, np.stack([*parts.values()]) * scale, start)
        for parts, scale, start in zip((of_query, of_key), scales, starts, strict=True)
    )
    factor = float(s.scores.factor(s.d_k) / s.scores.temperature)
    table = ScoreTable(tuple(of_query), tuple(of_key), q, k, factor)
    return table if without_distances(s) else _with_distance(table, s, head, at)


def _with_distance(table: ScoreTable, s: Scenario, head: int, at: tuple[int, int]) -> ScoreTable:
    """The query meets the vector of R_K, the key that of R_Q, and these two do not meet.

    So each has columns where the other has zeros.
    """
    of_query, of_key, queries, keys, factor = table
    row = rows_of_distances(s)[at]
    none, distance = np.zeros_like(keys), (Part("distance"),)
    queries, keys = np.hstack([queries, queries]), np.hstack([keys, none])
    if s.r_k is not None:
        vector = by_heads(s, s.r_k)[head, row]
        of_key, keys = of_key + distance, np.vstack([keys, [*none[0], *vector]])
    if s.r_q is not None:
        vector = by_heads(s, s.r_q)[head, row]
        of_query, queries = of_query + distance, np.vstack([queries, [*vector, *none[0]]])
    return ScoreTable(of_query, of_key, queries, keys, factor)


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


def _scales(
    trace: Trace, query: tuple[int, int], key: tuple[int, int]
) -> tuple[FloatArray | float, FloatArray | float]:
    """What the norm multiplies the columns of a query and of a key by; both by (head, row)."""
    s = trace.scenario
    if without_norms(s):
        return 1.0, 1.0
    of_queries = factors(trace.q_heads, norm_of(s, "q"))
    of_keys = factors(trace.k_heads, norm_of(s, "k"))
    return _at(of_queries, trace.q_heads, *query), _at(of_keys, trace.k_heads, *key)


def _at(scales: FloatArray, heads: FloatArray, head: int, row: int) -> FloatArray:
    its: FloatArray = np.broadcast_to(scales, heads.shape)[head, row]
    return its


def _turned(s: Scenario, parts: FloatArray, place: int) -> FloatArray:
    """Under RoPE, all parts turned to one place."""
    if s.scores.positions != "rope":
        return parts
    return rotate(parts[:, None], place, rotation_of(s.scores, s.d_k))[:, 0]
