"""Places by distance alone: one head looks at the word before, the other at the word after."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.examples.example import Example, from_recipes, side_by_side
from mha_core.examples.order import QUESTION, SENTENCE
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.reading.claims import Claim
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario

WIDTH: Final = 8
FIRM: Final = 8.0  # the score of the word that a head looks at, where all others have 0


def _build() -> Scenario:
    """Every query is 1 and every key is 0: so a score is what R_K has for the distance."""
    drawn = from_recipes(
        "neighbours", SENTENCE, d_model=WIDTH, n_heads=2, x="one_hot", d_k=1, d_v=WIDTH
    )
    whole = np.eye(WIDTH)
    return replace(
        drawn,
        w_q=np.ones((WIDTH, 2)),
        w_k=np.zeros((WIDTH, 2)),
        w_v=side_by_side(whole, whole),
        w_o=np.vstack([whole, whole]),
        r_k=np.array([[FIRM, 0], [0, 0], [0, FIRM]])[[1, 0, 1, 2, 1]],
        origin=replace(drawn.origin, weights=""),
    )


def _heads_look_at_neighbours(trace: Trace) -> bool:
    s = trace.scenario
    if s.n_heads < 2 or s.n_q < 2 or s.context is not None:
        return False
    before, after = trace.weights[0].diagonal(-1), trace.weights[1].diagonal(1)
    return bool(before.min() >= CLOSELY and after.min() >= CLOSELY)


def _those_at_the_ends_look_at_all(trace: Trace) -> bool:
    s = trace.scenario
    ends = [trace.weights[0, 0], trace.weights[-1, -1]]
    return _heads_look_at_neighbours(trace) and nearly_equal(ends, np.full((2, s.n_k), 1 / s.n_k))


def _distances_alone_choose(trace: Trace) -> bool:
    """Without R_K no head tells one word from another."""
    s = trace.scenario
    without = attend(replace(s, r_k=None)).weights
    return _heads_look_at_neighbours(trace) and nearly_equal(
        without, np.full_like(without, 1 / s.n_k)
    )


def _equal_words_have_other_neighbours(trace: Trace) -> bool:
    """Some word occurs twice with equal rows of X, and gets outputs of its own."""
    s = trace.scenario
    first = [s.tokens.index(word) for word in s.tokens]
    are_alike = len(set(s.tokens)) < s.n_q and nearly_equal(s.x, s.x[first])
    return are_alike and not nearly_equal(trace.output, trace.output[first])


EXAMPLES: Final = (
    Example(
        name="neighbours",
        title=say("Words before and after"),
        question=QUESTION,
        sentence=say("Head 1 looks at the word before, head 2 at the word after."),
        holds=_heads_look_at_neighbours,
        build=_build,
        claims=(
            Claim(
                say("Without R_K, every word would look at all words alike."),
                _distances_alone_choose,
            ),
            Claim(
                say("The first word has none before it, the last none after: they look at all."),
                _those_at_the_ends_look_at_all,
            ),
            Claim(
                say("Both THE are the same row of X, and get different outputs."),
                _equal_words_have_other_neighbours,
            ),
        ),
        notes=(
            Claim(
                say(
                    "R_K has a row for each distance: type another sentence, of any length, and "
                    "the heads do the same."
                ),
                _heads_look_at_neighbours,
            ),
        ),
    ),
)
