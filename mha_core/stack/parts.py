"""Why a head looks there: its X is a sum, so each of its scores is a table.

X of a layer is what was there at first and what each earlier head has added. A query and a key are
products of X. So a score is a sum over all pairs: a part of the query times a part of the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.norms import factors
from mha_core.layer.positions import rotate
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_norms
from mha_core.scenario.norms import norm_of
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import columns_of_place
from mha_core.stack.heads import HeadOfLayer, w_k_of, w_q_of
from mha_core.stack.trace import StackTrace
from mha_core.trained.numbers import RECIPE as OF_THE_TRAINED_MODEL
from mha_core.trained.numbers import trained

Kind = Literal["x", "word", "place", "context", "head", "bias", "positions"]


class Part(NamedTuple):
    """One term of a row: what was there at first, an earlier head, or a bias.

    Of a head, and of the bias of the output, `layer` says in which layer, counted from 0.
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


def stream_parts(trace: StackTrace, layer: int) -> dict[Part, FloatArray]:
    """What X of a layer is the sum of; with the number of layers, what the stream is at its end.

    X itself is told as word and place, where its columns say which is which.
    """
    first = trace.stack.first
    parts = dict(_given(first)) if trace.stack.residual or not layer else {}
    below = range(layer) if trace.stack.residual else range(max(layer - 1, 0), layer)
    for number in below:
        s = trace.layers[number].scenario
        for head, added in enumerate(trace.layers[number].contributions):
            parts[Part("head", number, head)] = added
        if s.b_o is not None:
            parts[Part("bias", number)] = np.broadcast_to(s.b_o, (s.n_q, s.d_out))
    return parts


def _given(s: Scenario) -> Parts:
    if s.origin.x == OF_THE_TRAINED_MODEL:
        return _learned(s)
    columns = columns_of_place(s.x, s.origin.x)
    if columns is None:
        return {Part("x"): s.x}
    place = np.zeros_like(s.x)
    place[:, columns] = s.x[:, columns]
    return {Part("word"): s.x - place, Part("place"): place}


def _learned(s: Scenario) -> Parts:
    """What the trained model has learned of each word and place, unless X is another by now."""
    model = trained()
    if s.d_model == model.width and s.n_q <= model.places:
        word, place = model.words_and_places(s.tokens)
        if np.array_equal(word + place, s.x):
            return {Part("word"): word, Part("place"): place}
    return {Part("x"): s.x}


def has_parts(s: Scenario) -> bool:
    """Whether a score of a first layer has more than one part.

    >>> from mha_core import load_example
    >>> has_parts(load_example("the-cat")), has_parts(load_example("pizza"))
    (True, False)
    """
    tells_place = len(_given(s)) > 1
    has_bias = s.b_q is not None or s.b_k is not None
    return tells_place or has_bias or s.scores.positions == "sinusoidal"


def score_table(trace: StackTrace, at: HeadOfLayer, query: int, key: int) -> ScoreTable:
    """A score of a head before soft cap, additions and mask, divided by the temperature.

    Without a soft cap it is what the head adds ALiBi and the mask to. Under RoPE each part is
    rotated, as the whole is. A norm divides each part by the root mean square of the whole.

    >>> from mha_core import attend, load_example, Stack
    >>> trace = attend(Stack((load_example("the-cat"),), residual=False))
    >>> table = score_table(trace, HeadOfLayer(0, 2), query=1, key=2)
    >>> [part.kind for part in table.of_query]
    ['word', 'place']
    >>> bool(np.isclose(table.terms.sum(), trace.layers[0].scaled_scores[2, 1, 2]))
    True
    """
    s = trace.layers[at.layer].scenario
    rows = stream_parts(trace, at.layer)
    from_rows = rows if s.context is None else {Part("context"): s.context}
    waves = trace.layers[at.layer].positions, trace.layers[at.layer].context_positions
    group = at.head // (s.n_heads // s.n_kv_heads)
    of_query = _projected(
        rows, waves[0], w_q_of(s, at.head), _bias(s.b_q, s.n_heads, at.head), query
    )
    of_key = _projected(
        from_rows, waves[1], w_k_of(s, at.head), _bias(s.b_k, s.n_kv_heads, group), key
    )
    starts = s.query_start + query, s.key_start + key
    scales = _scales(trace.layers[at.layer], (at.head, query), (group, key))
    q, k = (
        _turned(s, np.stack([*parts.values()]) * scale, start)
        for parts, scale, start in zip((of_query, of_key), scales, starts, strict=True)
    )
    factor = float(s.scores.factor(s.d_k) / s.scores.temperature)
    return ScoreTable(tuple(of_query), tuple(of_key), q, k, factor)


def _bias(bias: FloatArray | None, n_heads: int, head: int) -> FloatArray | None:
    return None if bias is None else bias.reshape(n_heads, -1)[head]


def _projected(
    rows: Parts, waves: FloatArray, weights: FloatArray, bias: FloatArray | None, row: int
) -> Parts:
    """The parts of one row of Q or K."""
    parts = {part: each[row] @ weights for part, each in rows.items()}
    if waves.any():
        parts[Part("positions")] = waves[row] @ weights
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
