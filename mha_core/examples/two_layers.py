"""What two layers can do: the first copies the word before, the second finds what followed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import CAUSAL, WHAT_TWO_LAYERS_DO, Example
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x, natural_width, tokenize
from mha_core.reading.claims import Claim
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from mha_core.scenario.x_columns import WITH_COPIES
from mha_core.stack.attending import attend
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack

SENTENCE: Final = tokenize("a b c d a")
INPUT: Final = "one_hot_position"
N: Final = len(SENTENCE)
WORDS: Final = len(set(SENTENCE))
COPY: Final = natural_width(INPUT, SENTENCE) or 0  # the first column where a copy is written
WIDTH: Final = COPY + WORDS
STRENGTH: Final = 10.0  # the score of what is looked for; that of all else is 0
WEIGHT: Final = 0.999864  # e¹⁰ / (e¹⁰ + 3), to its digits
HALF_OF_LAST_DIGIT: Final = 5e-7
NEARLY: Final = 0.001
LAST, B, C, D = N - 1, *(SENTENCE.index(word) for word in "bcd")
# Earlier tokens alone, not the token itself. So the first one has nothing to copy: under a causal
# mask it would look at itself, and its copy would be a.
EARLIER: Final = Mask(custom=np.tri(N, k=-1, dtype=np.bool_))
AS_IT_IS: Final = ScoreOptions(scale="none")


def _reads(column: int, what: FloatArray) -> FloatArray:
    """A projection that reads these columns of X."""
    matrix = np.zeros((WIDTH, what.shape[1]))
    matrix[column : column + len(what)] = what
    return matrix


def _stack() -> Stack:
    each_word, each_place = np.eye(WORDS), np.eye(N)
    words = _reads(0, each_word)
    copies_the_word_before = Scenario(
        x=make_x(INPUT, SENTENCE, WIDTH),
        w_q=_reads(WORDS, STRENGTH * np.eye(N, k=-1)),  # place i asks for place i - 1
        w_k=_reads(WORDS, each_place),
        w_v=words,
        w_o=_reads(COPY, each_word).T,
        n_heads=1,
        tokens=SENTENCE,
        mask=EARLIER,
        scores=AS_IT_IS,
        origin=Origin("induction", x=WITH_COPIES),
    )
    finds_its_word_among_copies = Layer(
        w_q=STRENGTH * words,
        w_k=_reads(COPY, each_word),
        w_v=words,
        w_o=words.T,
        n_heads=1,
        mask=EARLIER,
        scores=AS_IT_IS,
        origin=Origin("induction"),
    )
    return Stack((copies_the_word_before, finds_its_word_among_copies))


def _layer_1() -> Scenario:
    return _stack().first


def one_layer_alone() -> Scenario:
    """Layer 2 on X itself, without copies: it looks for its word among words."""
    first, above = _stack().layers
    assert isinstance(first, Scenario)
    among_words = np.roll(above.w_k, -COPY, axis=0)
    return replace(first, w_q=above.w_q, w_k=among_words, d_k=WORDS, w_o=above.w_o)


def with_copies_below(alone: Scenario) -> Stack:
    """A layer above layer 1: where it looked among words, it looks among copies."""
    origin = Origin(alone.origin.example)
    among_copies = replace(alone, w_k=np.roll(alone.w_k, COPY, axis=0), origin=origin)
    return Stack((_layer_1(), Layer.of(among_copies)))


def has_its_shape(trace: Trace) -> bool:
    s = trace.scenario
    return (s.n_q, s.n_k, s.d_model, s.d_out) == (N, N, WIDTH, WIDTH)


# Of layer 1.


def looks_at_the_one_before(trace: Trace) -> bool:
    """Each token but the first, in the first head."""
    if not has_its_shape(trace):
        return False
    return bool((trace.weights[0].diagonal(-1) > CLOSELY).all())


def copies_the_word_before(trace: Trace) -> bool:
    if not has_its_shape(trace):
        return False
    added, words = trace.output, trace.scenario.x[:-1, :WORDS]
    return bool(words.any()) and nearly_equal(added[1:, COPY:], words, within=NEARLY)


def _first_has_no_copy(trace: Trace) -> bool:
    shows_itself = trace.scenario.mask.allowed(trace.scenario.n_q, trace.scenario.n_k).diagonal()
    return has_its_shape(trace) and not shows_itself.any() and not trace.output[0, COPY:].any()


def _would_be_found_too(trace: Trace) -> bool:
    """The first a would, under a causal mask in both layers; as it is, it copies nothing.

    Above this layer is layer 2 of the example: a trace of layer 1 knows no other.
    """
    if not _first_has_no_copy(trace):
        return False
    (above,) = _stack().above
    causal = replace(trace.scenario, mask=CAUSAL), replace(above, mask=CAUSAL)
    below, found = attend(Stack(causal)).layers
    copy, word = below.output[0, COPY:], trace.scenario.x[0, :WORDS]
    at_first, *others = found.weights[0, LAST]
    is_as_much = nearly_equal(at_first, others[B - 1], within=NEARLY)
    is_found = is_as_much and bool(at_first > max(others[B:]))
    return is_found and nearly_equal(copy, word, within=NEARLY)


# Of layer 2.


def looks_at_its_word(trace: Trace) -> bool:
    """The last a gives nearly all to the first one, and b gets no more than c and d."""
    if not has_its_shape(trace):
        return False
    first, *others = trace.weights[0, LAST, :LAST]
    return bool(first > 1 - NEARLY) and nearly_equal(others, np.full(LAST - 1, others[B - 1]))


def looks_at_all_alike(trace: Trace) -> bool:
    """The last a, at the four before it."""
    if not has_its_shape(trace):
        return False
    return nearly_equal(trace.weights[0, LAST, :LAST], np.full(LAST, 1 / LAST))


def looks_at_what_followed(trace: Trace) -> bool:
    """The last a looks at b, to the digits."""
    if not has_its_shape(trace):
        return False
    return nearly_equal(trace.weights[0, LAST, B], WEIGHT, within=HALF_OF_LAST_DIGIT)


def looks_for_its_word(trace: Trace) -> bool:
    """Among the copies: b alone has the a that the last token asks for."""
    if not has_its_shape(trace):
        return False
    wanted = STRENGTH * (np.arange(LAST) == B)
    visible = trace.mask[LAST]
    return bool(visible[:LAST].all() and not visible[LAST]) and nearly_equal(
        trace.masked_scores[0, LAST, :LAST], wanted, within=10 * NEARLY
    )


def _new_words_find_nothing(trace: Trace) -> bool:
    if not has_its_shape(trace):
        return False
    rows = ((row, trace.weights[0, row, :row]) for row in (C, D))
    return all(nearly_equal(found, np.full(row, 1 / row), within=NEARLY) for row, found in rows)


def adds_what_followed(trace: Trace) -> bool:
    if not has_its_shape(trace):
        return False
    return nearly_equal(trace.output[LAST], np.eye(WIDTH)[B], within=NEARLY)


EXAMPLES: Final = (
    Example(
        name="induction",
        title=say("Two layers: after a comes b"),
        question=WHAT_TWO_LAYERS_DO,
        sentence=say("Each token copies the word before it, so layer 2 can find what followed."),
        holds=lambda trace: looks_at_the_one_before(trace) and copies_the_word_before(trace),
        build=_layer_1,
        build_stack=_stack,
        claims=(
            Claim(
                say("Each token but the first looks at the one before it, with over 0.9."),
                looks_at_the_one_before,
            ),
            Claim(
                say("It copies the word of that token into the columns that were free."),
                copies_the_word_before,
            ),
            Claim(
                say("No token sees itself: so the first one sees nothing, and has no copy."),
                _first_has_no_copy,
            ),
        ),
        claims_of_layers={
            1: (
                Claim(
                    say(
                        "The last a looks at b, which followed the first a: its weight is 0.999864."
                    ),
                    looks_at_what_followed,
                ),
                Claim(
                    say(
                        "It looks for its own word among the copies. It sees four tokens: b has "
                        "the score 10, the three others nearly 0."
                    ),
                    looks_for_its_word,
                ),
                Claim(
                    say("c and d have not come before: they look at all earlier tokens alike."),
                    _new_words_find_nothing,
                ),
                Claim(say("So the layer adds b to the row of the last a."), adds_what_followed),
            )
        },
        notes=(
            Claim(
                say(
                    "Under a causal mask the first a would see itself and copy its own word. Then "
                    "the last a would look at it as much as at b."
                ),
                _would_be_found_too,
            ),
        ),
    ),
)
