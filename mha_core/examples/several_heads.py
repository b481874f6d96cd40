"""One head or several: what each adds, and what they may share."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.examples.example import WHAT_HEADS_SEE, Example, from_recipes
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.making.presets import PRESETS
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal

SENTENCE: Final = tokenize("THE CAT SEES THE OTHER CAT")


def _has_heads(count: int, trace: Trace) -> bool:
    return trace.scenario.n_heads == count


def _pairs_share_keys(trace: Trace) -> bool:
    """The scores of each two query heads come from one head of keys."""
    if 2 * len(trace.k_heads) != len(trace.q_heads):
        return False
    keys = trace.k_rotated
    scores = [q @ keys[head // 2].T for head, q in enumerate(trace.q_rotated)]
    return nearly_equal(trace.raw_scores, scores)


def _no_two_heads_weigh_alike(trace: Trace) -> bool:
    return len({head.tobytes() for head in trace.weights}) == len(trace.weights)


def _all_heads_take_part(trace: Trace) -> bool:
    """Each head changes the output of some token."""
    return bool(trace.contributions.any(axis=(1, 2)).all())


def _has_a_column_for_each_place(trace: Trace) -> bool:
    s = trace.scenario
    return s.d_k == s.n_q == 128 and s.d_model == 216


TEXT: Final = """
    a model reads a text one word at a time and asks of every word which other words it should
    look at some heads look at the word before and some look at the word after one head keeps an
    eye on the first word of the text and one head looks at nothing but the word itself one head
    finds every place where the same word was said and one head takes a plain mean of all so far
    nobody told the heads of a real model to do so they learn it from a great many texts here each
    of them was built by hand so that you can see at a glance what a head may do and what a mask
    takes away from it
"""


EXAMPLES: Final = (
    Example(
        name="one-head",
        title=say("One head"),
        question=WHAT_HEADS_SEE,
        sentence=say("One head gives each query one set of weights: here all on the word before."),
        holds=lambda trace: (
            _has_heads(1, trace) and PRESETS["previous_token"].claims[0].holds(trace)
        ),
        build=partial(
            from_recipes,
            "one-head",
            SENTENCE,
            d_model=12,
            n_heads=1,
            x="one_hot_position",
            weights="previous_token",
        ),
        claims=PRESETS["previous_token"].claims,
        notes=(
            Claim(
                say(
                    "A token may need more, such as the other place of the same word. One head "
                    "cannot find both at the same time. The next example has four heads."
                ),
                partial(_has_heads, 1),
            ),
        ),
    ),
    Example(
        name="four-heads",
        title=say("Four heads"),
        question=WHAT_HEADS_SEE,
        sentence=say("Four heads give each query four sets of weights, each with its own pattern."),
        holds=lambda trace: _has_heads(4, trace) and _no_two_heads_weigh_alike(trace),
        build=partial(
            from_recipes,
            "four-heads",
            SENTENCE,
            d_model=12,
            n_heads=4,
            x="one_hot_position",
            weights="all_patterns",
            d_k=6,
        ),
        claims=(
            *PRESETS["all_patterns"].claims,
            Claim(say("No two heads have the same weights."), _no_two_heads_weigh_alike),
            Claim(say("Every head adds something to the output."), _all_heads_take_part),
        ),
        notes=(
            Claim(
                say(
                    "The four heads have the first four of these patterns. Switch a head off "
                    "to see how the output changes."
                ),
                lambda trace: (
                    _has_heads(4, trace) and PRESETS["all_patterns"].claims[0].holds(trace)
                ),
            ),
        ),
    ),
    Example(
        name="grouped-query",
        title=say("Grouped queries"),
        question=WHAT_HEADS_SEE,
        sentence=say("Four query heads: every two of them share one key/value head."),
        holds=lambda trace: _has_heads(4, trace) and _pairs_share_keys(trace),
        build=partial(
            from_recipes,
            "grouped-query",
            tokenize("MANY ASK AND FEW ANSWER"),
            d_model=8,
            n_heads=4,
            n_kv_heads=2,
        ),
        claims=(
            Claim(
                say("Heads 1 and 2 share keys and values, and so do 3 and 4."), _pairs_share_keys
            ),
            Claim(
                say("Shared keys do not mean equal weights: no two heads have the same."),
                _no_two_heads_weigh_alike,
            ),
        ),
        notes=(
            Claim(
                say(
                    "A model that generates text stores K and V of all earlier words. Shared heads "
                    "halve that."
                ),
                _pairs_share_keys,
            ),
        ),
    ),
    Example(
        name="long",
        title=say("A long text"),
        question=WHAT_HEADS_SEE,
        sentence=say("128 tokens, and six heads built by hand, each with its own pattern."),
        holds=lambda trace: (
            trace.scenario.n_q == 128
            and _has_heads(6, trace)
            and PRESETS["all_patterns"].claims[0].holds(trace)
        ),
        build=partial(
            from_recipes,
            "long",
            tokenize(TEXT),
            d_model=216,
            n_heads=6,
            x="one_hot_position",
            weights="all_patterns",
            d_k=128,
        ),
        claims=PRESETS["all_patterns"].claims,
        notes=(
            Claim(
                say(
                    "d_k is 128, with one column for each place. It is not d_model / n_heads = 36."
                ),
                _has_a_column_for_each_place,
            ),
        ),
    ),
)
