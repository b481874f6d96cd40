"""Cross-attention: queries from one text, keys and values from another."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.examples.example import Example, side_by_side
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

SPANISH: Final = ("BEBO", "CAFÉ", "NEGRO")
ENGLISH: Final = ("I", "DRINK", "BLACK", "COFFEE")
DICTIONARY: Final = (
    (1, 1, 0, 0),
    (0, 0, 0, 1),
    (0, 0, 1, 0),
)  # which English words have its meaning
CERTAINTY: Final = 6.0  # of the dictionary, in scaled scores


def _translation() -> Scenario:
    """Head 1 is a dictionary: the row of W_Q for a Spanish word has its line of the dictionary."""
    d_model, d_model_kv, d_k = 6, 5, 4
    drawn = make_projections("random", LayerSizes(d_model, d_model_kv, 2, 2, d_k, d_k, d_model))
    look_up = np.zeros((d_model, d_k))
    look_up[: len(SPANISH)] = np.array(DICTIONARY) * CERTAINTY * np.sqrt(d_k)
    one_column_a_word = np.eye(d_model_kv, d_k)
    return Scenario(
        x=make_x("one_hot", SPANISH, d_model),
        context=make_x("one_hot", ENGLISH, d_model_kv),
        w_q=side_by_side(look_up, drawn.w_q[:, d_k:]),
        w_k=side_by_side(one_column_a_word, drawn.w_k[:, d_k:]),
        w_v=side_by_side(one_column_a_word, drawn.w_v[:, d_k:]),
        w_o=drawn.w_o,
        n_heads=2,
        tokens=SPANISH,
        context_tokens=ENGLISH,
        origin=Origin("translation", x="one_hot"),
    )


def _is_wide(trace: Trace) -> bool:
    return trace.weights.shape[1:] == (len(SPANISH), len(ENGLISH))


def _looks_up_the_dictionary(trace: Trace) -> bool:
    shares = np.array(DICTIONARY) / np.sum(DICTIONARY, axis=1, keepdims=True)
    return nearly_equal(trace.weights[:1], [shares], within=0.01)


def _order_is_crossed(trace: Trace) -> bool:
    """The main keys of head 1 are not in the order of the queries."""
    favourites = trace.weights[0].argmax(axis=-1)
    return bool((np.diff(favourites) < 0).any())


def _has_two_sequences(trace: Trace) -> bool:
    return trace.scenario.context is not None


def _has_keys_and_values_of_the_second(trace: Trace) -> bool:
    return _has_two_sequences(trace) and trace.scenario.context_v is None


EXAMPLES: Final = (
    Example(
        name="translation",
        title=say("Translation"),
        question=say("What is cross-attention?"),
        sentence=say("Three Spanish words are the queries, four English words are the keys."),
        holds=lambda trace: _has_two_sequences(trace) and _is_wide(trace),
        build=_translation,
        claims=(
            Claim(say("Three queries, four keys: each head's weights are 3 × 4."), _is_wide),
            Claim(
                say(
                    "Head 1 is a dictionary: CAFÉ finds COFFEE, NEGRO finds BLACK, and BEBO takes "
                    "half of I and half of DRINK."
                ),
                _looks_up_the_dictionary,
            ),
            Claim(
                say(
                    "The order is crossed: a later word in Spanish finds an earlier word "
                    "in English."
                ),
                _order_is_crossed,
            ),
        ),
        notes=(
            Claim(
                say("Queries are made from the first sequence, keys and values from the second."),
                _has_keys_and_values_of_the_second,
            ),
        ),
    ),
)
