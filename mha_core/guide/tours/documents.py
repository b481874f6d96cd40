"""The five source documents as tours: their own numbers beside those that are computed here.

Each tour has the title of its document. Each erratum stands at the stop where it occurs there.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.examples import load_example
from mha_core.examples.example import has_sizes, output_is_concatenation
from mha_core.guide.tours.tour import Stop, Tour, claim_of, erratum_at, printed_of
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.nearly_equal import nearly_equal


def _begun_from(example: str) -> partial[Stop]:
    """A stop whose scenario is an example."""
    return partial(Stop, scenario=partial(load_example, example))


# ---- 000 ----------------------------------------------------------------------------------------

_split = _begun_from("split-only")
_split_prints = partial(printed_of, "split-only")


def _scales_by_1(trace: Trace) -> bool:
    return trace.scenario.scores.factor(trace.scenario.d_k) == 1


SPLIT_ONLY: Final = Tour(
    "000",
    say("Overview of Multi-Head Attention"),
    say("A document: two tokens, two heads, no projections. Every number can be checked by hand."),
    (
        _split(
            say("The document begins with Q = K = V = I: two tokens, two numbers each."),
            screen="input",
            holds=lambda trace: nearly_equal(trace.x, np.eye(2)),
        ),
        _split(
            say("It projects nothing. So here W_Q, W_K and W_V are the identity, and Q is X."),
            screen="queries",
            holds=claim_of("split-only", 0),
        ),
        _split(
            say("split_heads cuts the columns. Two columns and two heads: each head has width 1."),
            screen="split",
            holds=partial(has_sizes, n_heads=2, d_k=1),
        ),
        _split(
            say(
                "Head 1: each query times each key. The square root of the width 1 is 1, so "
                "the scale changes nothing."
            ),
            screen="scores",
            holds=_scales_by_1,
            printed=_split_prints("scaled_scores", head=0),
            errata=erratum_at("split-only", 1),
        ),
        _split(
            say("Head 2 has the other column. Here token 2 meets itself."),
            screen="scores",
            head=1,
            holds=lambda trace: nearly_equal(trace.raw_scores[1:], [[[0, 0], [0, 1]]]),
            printed=_split_prints("scaled_scores", head=1),
        ),
        _split(
            say(
                "The document takes exp of the scores as they are. Here the largest score of "
                "the row is subtracted first. The weights are the same."
            ),
            screen="exponentials",
            errata=erratum_at("split-only", 0),
        ),
        _split(
            say(
                "Token 1 gives e / (e + 1) to itself. The query of token 2 is 0 here, so its "
                "weights are equal."
            ),
            screen="weights",
            holds=claim_of("split-only", 2, 3),
            printed=_split_prints("weights", head=0),
        ),
        _split(
            say("In head 2 the two tokens have changed places."),
            screen="weights",
            head=1,
            holds=lambda trace: nearly_equal(trace.weights[1:], trace.weights[:1, ::-1, ::-1]),
            printed=_split_prints("weights", head=1),
        ),
        _split(
            say("Weights times values: the output of head 1."),
            screen="blend",
            printed=_split_prints("head_outputs", head=0),
        ),
        _split(
            say("And that of head 2."),
            screen="blend",
            head=1,
            printed=_split_prints("head_outputs", head=1),
        ),
        _split(
            say(
                "combine_heads puts both side by side. There is no W_O in this document: it is the "
                "identity here."
            ),
            screen="output",
            holds=output_is_concatenation,
            printed=_split_prints("output"),
        ),
    ),
)

# ---- 001 ----------------------------------------------------------------------------------------

_three = _begun_from("three-tokens")
_three_prints = partial(printed_of, "three-tokens")

THREE_TOKENS: Final = Tour(
    "001",
    say("Understanding Multi-Head Self-Attention in Transformers"),
    say(
        "A notebook with three tokens: the queries that it prints, and what its later cells should "
        "compute."
    ),
    (
        _three(
            say("Three tokens of width 6, for two heads. So each head has width 3."),
            screen="input",
            holds=partial(has_sizes, n_q=3, d_model=6, n_heads=2, d_k=3),
        ),
        _three(
            say(
                "The notebook prints one matrix W and uses it for queries, keys and values. "
                "Tokens 2 and 3 differ in X, but get the same query."
            ),
            screen="queries",
            holds=claim_of("three-tokens", 0),
            printed=_three_prints("q_heads", "k_heads", "v_heads", head=0),
        ),
        _three(
            say(
                "Here the notebook stops working. Each head needs a matrix of its own: both have a "
                "copy of W."
            ),
            screen="split",
            holds=claim_of("three-tokens", 2),
            errata=erratum_at("three-tokens", 0, 1),
        ),
        _three(
            say(
                "Each query meets each key. Keys 2 and 3 are equal, so their columns are equal too."
            ),
            screen="scores",
            holds=claim_of("three-tokens", 1),
            errata=erratum_at("three-tokens", 2),
        ),
        _three(
            say(
                "Scores are divided by the square root of 3. From here on the notebook has no "
                "numbers: these were worked out independently."
            ),
            screen="scale",
            holds=partial(has_sizes, d_k=3),
            printed=_three_prints("scaled_scores", head=0),
        ),
        _three(
            say("Tokens 2 and 3 share nearly all weight, half and half."),
            screen="weights",
            holds=claim_of("three-tokens", 1),
            printed=_three_prints("weights", head=0),
        ),
        _three(
            say("Values 2 and 3 are equal, so each token gets nearly just this value."),
            screen="blend",
            holds=lambda trace: nearly_equal(trace.v[1:2], trace.v[2:]),
            printed=_three_prints("head_outputs", head=0),
        ),
        _three(
            say("W_O is the identity in the notebook: the output is both heads side by side."),
            screen="output",
            holds=output_is_concatenation,
        ),
    ),
)

# ---- 002 ----------------------------------------------------------------------------------------

_pizza = _begun_from("pizza")
_pizza_at_real_size = _begun_from("pizza-1024")
_patches = _begun_from("pizza-patches")

PIZZA: Final = Tour(
    "002",
    say("Multi-Head Attention"),
    say(
        "A document: four words as a language model reads them, four patches "
        "as a vision transformer sees them."
    ),
    (
        _pizza_at_real_size(
            say("Four words, each a row of 1024 numbers. Drag over the picture to zoom in."),
            screen="input",
            holds=partial(has_sizes, n_q=4, d_model=1024),
        ),
        _pizza_at_real_size(
            say(
                "Q has 1024 columns, for 8 heads of 128. The document writes (4, 8, 128) and, "
                "with the heads first, (8, 4, 128)."
            ),
            screen="split",
            holds=lambda trace: trace.q_heads.shape == (8, 4, 128),
            errata=erratum_at("pizza", 3),
        ),
        _pizza(
            say("The same in a size that fits on a screen: width 8, two heads of 4."),
            screen="split",
            holds=partial(has_sizes, d_model=8, n_heads=2, d_k=4),
        ),
        _pizza(
            say(
                "Each head makes its own scores. The document's scores and weights are "
                "drawings: one is not the softmax of the other."
            ),
            screen="scale",
            errata=erratum_at("pizza", 0, 1, 2),
        ),
        _pizza(
            say("A language model must not look ahead: the mask hides what comes later."),
            screen="mask",
            holds=claim_of("pizza", 0),
        ),
        _pizza(
            say("Head 1 has the weights that the document prints. It was built for them."),
            screen="weights",
            holds=claim_of("pizza", 3),
            printed=printed_of("pizza", "weights"),
        ),
        _pizza(
            say(
                "Row by row a context grows: I, then I LOVE, then I LOVE PEPPERONI, then all four."
            ),
            screen="blend",
            holds=claim_of("pizza", 1),
        ),
        _pizza(
            say(
                "The heads are joined: columns 1 to 4 are those of head 1, 5 to 8 those of head 2."
            ),
            screen="join",
            holds=lambda trace: nearly_equal(trace.concat[None, :, :4], trace.head_outputs[:1]),
        ),
        _pizza(
            say(
                "Without W_O each group of columns would come from one head alone. W_O mixes them."
            ),
            screen="output",
            holds=claim_of("pizza", 4),
        ),
        _patches(
            say("A vision transformer has no mask: every patch looks at every patch."),
            screen="weights",
            holds=claim_of("pizza-patches", 0),
        ),
        _patches(
            say("So each row of the output is a context of all four patches."),
            screen="output",
            holds=claim_of("pizza-patches", 1),
        ),
    ),
)

# ---- 003 ----------------------------------------------------------------------------------------

_eight = _begun_from("eight-tokens")
_eight_prints = partial(printed_of, "eight-tokens")


def _heads_differ(trace: Trace) -> bool:
    return len(trace.weights) == 2 and not nearly_equal(trace.weights[:1], trace.weights[1:])


EIGHT_TOKENS: Final = Tour(
    "003",
    say("Multi-Head Operation Example"),
    say("A document: eight tokens and two heads, each of which reads only its own half of X."),
    (
        _eight(
            say("Eight tokens of width 4, as the document prints them."),
            screen="input",
            printed=_eight_prints("x"),
        ),
        _eight(
            say(
                "The document splits X first and projects each half by itself. A W_Q with zeros "
                "outside of each head's block does the same."
            ),
            screen="queries",
            holds=claim_of("eight-tokens", 0, 1),
            errata=erratum_at("eight-tokens", 0),
        ),
        _eight(
            say(
                "Each head has two columns. The document gives no projections, so every block "
                "is the identity."
            ),
            screen="split",
            holds=lambda trace: has_sizes(trace, d_k=2) and nearly_equal(trace.q, trace.x),
        ),
        _eight(
            say("Eight queries meet eight keys."),
            screen="scores",
            holds=lambda trace: trace.raw_scores.shape == (2, 8, 8),
        ),
        _eight(
            say(
                "Small numbers make nearly equal weights. The document prints none: these were "
                "worked out independently."
            ),
            screen="weights",
            holds=claim_of("eight-tokens", 2),
            printed=_eight_prints("weights", head=0),
        ),
        _eight(
            say("Head 2 reads the other half of X, so its weights differ."),
            screen="weights",
            head=1,
            holds=_heads_differ,
            printed=_eight_prints("weights", head=1),
        ),
        _eight(
            say("The output of head 1."),
            screen="blend",
            printed=_eight_prints("head_outputs", head=0),
        ),
        _eight(
            say("The output of head 2."),
            screen="blend",
            head=1,
            printed=_eight_prints("head_outputs", head=1),
        ),
        _eight(
            say("Joined, the two halves are as wide as X again."),
            screen="join",
            holds=lambda trace: trace.concat.shape == trace.x.shape,
        ),
        _begun_from("eight-tokens-512")(
            say("The document's other sizes: width 512 for 8 heads of 64."),
            screen="split",
            holds=partial(has_sizes, d_model=512, n_heads=8, d_k=64),
        ),
    ),
)

# ---- 004 ----------------------------------------------------------------------------------------

_two = _begun_from("two-tokens")
_two_prints = partial(printed_of, "two-tokens")

TWO_TOKENS: Final = Tour(
    "004",
    say("Multi-Head Attention: Mathematical Concepts"),
    say("A document: two heads that swap the same columns: equal weights, mirrored outputs."),
    (
        _two(
            say("Two tokens of width 4, for two heads with d_k = d_v = 2."),
            screen="input",
            holds=partial(has_sizes, n_q=2, d_model=4, n_heads=2, d_k=2, d_v=2),
        ),
        _two(
            say("Each head has its own W_Q, of 4 rows and 2 columns. They stand side by side."),
            screen="queries",
            holds=lambda trace: trace.scenario.w_q.shape == (4, 4),
            printed=_two_prints("q_heads"),
        ),
        _two(
            say("The keys are the same as the queries, because W_K is the same as W_Q."),
            screen="keys",
            holds=lambda trace: nearly_equal(trace.k, trace.q),
            printed=_two_prints("k_heads"),
        ),
        _two(
            say("And so are the values."),
            screen="values",
            holds=lambda trace: nearly_equal(trace.v, trace.q),
            printed=_two_prints("v_heads"),
        ),
        _two(
            say(
                "Scores are divided by the square root of d_k. The document stops here: these "
                "numbers were worked out independently."
            ),
            screen="scale",
            holds=partial(has_sizes, d_k=2),
            printed=_two_prints("scaled_scores"),
        ),
        _two(
            say("Both heads have the same weights: swapping columns changes no score."),
            screen="weights",
            holds=claim_of("two-tokens", 0),
            printed=_two_prints("weights"),
        ),
        _two(
            say("The outputs are mirrored: head 2 has the columns of head 1 in reverse."),
            screen="blend",
            holds=claim_of("two-tokens", 1),
            printed=_two_prints("head_outputs"),
        ),
        _two(
            say(
                "The document leaves W_O open. With the identity, the output is both heads side by "
                "side."
            ),
            screen="output",
            holds=claim_of("two-tokens", 2),
        ),
        _begun_from("two-tokens-mixed")(
            say(
                "With this W_O, its left half is the sum of the heads and its right half their "
                "difference."
            ),
            screen="output",
            holds=claim_of("two-tokens-mixed", 2),
        ),
    ),
)

DOCUMENTS: Final = (SPLIT_ONLY, THREE_TOKENS, PIZZA, EIGHT_TOKENS, TWO_TOKENS)
