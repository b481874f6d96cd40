"""Why a head looks there: its X is a sum, so each of its scores is a table.

X of a layer is what was there at first and what each earlier head has added.
"""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_places
from mha_core.language import say
from mha_core.layer.head_matrices import added_by_b_o
from mha_core.layer.score_table import Part, Parts, ScoreTable, check_score_place, table_of
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import columns_of_place
from mha_core.stack.heads import HeadOfLayer
from mha_core.stack.trace import StackTrace
from mha_core.trained.numbers import RECIPE as OF_THE_TRAINED_MODEL
from mha_core.trained.numbers import trained


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
        if (bias := added_by_b_o(s)) is not None:
            parts[Part("bias", number)] = np.broadcast_to(bias, (s.n_q, s.d_out))
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
    has_positions = s.scores.positions == "sinusoidal" or s.n_distances > 0
    return tells_place or has_bias or has_positions


def score_table(trace: StackTrace, at: HeadOfLayer, query: int, key: int) -> ScoreTable:
    """A score of a head before soft cap, additions and mask, divided by the temperature.

    >>> from mha_core import attend, load_example, Stack
    >>> trace = attend(Stack((load_example("the-cat"),), residual=False))
    >>> table = score_table(trace, HeadOfLayer(0, 2), query=1, key=2)
    >>> [part.kind for part in table.of_query]
    ['word', 'place']
    >>> bool(np.isclose(table.terms.sum(), trace.layers[0].scaled_scores[2, 1, 2]))
    True
    """
    check_places(say("The layer"), [at.layer], len(trace.layers), say("layer"), say("layers"))
    there = trace.layers[at.layer]
    check_score_place(there.scenario, at.head, (query, key))
    rows = stream_parts(trace, at.layer)
    context = there.scenario.context
    from_rows = rows if context is None else {Part("context"): context}
    of_query = {part: each[query] for part, each in rows.items()}
    of_key = {part: each[key] for part, each in from_rows.items()}
    return table_of(there, at.head, (query, key), of_query, of_key)
