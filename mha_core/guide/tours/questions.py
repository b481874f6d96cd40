"""What people ask first, a tour each: the first example, with one thing changed at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from mha_core.changing.changes import with_heads, with_heads_off
from mha_core.changing.rules import with_rules
from mha_core.comparing.one_change import without_root
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.examples import EXAMPLES, load_example
from mha_core.examples.example import (
    WHAT_HEADS_SEE,
    WHAT_THE_MASK_DOES,
    WHAT_W_O_DOES,
    WHY_DIVIDE,
    has_sizes,
    output_is_concatenation,
)
from mha_core.examples.looking_ahead import each_sees_the_past
from mha_core.guide.tours.tour import Stop, Tour, claim_of
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import WORD

Check = Callable[..., bool]

_sentence: Final = partial(load_example, "the-cat")
_wide: Final = partial(load_example, "wide-head")
_begun = partial(Stop, scenario=_sentence)
THE, CAT, SEES, LAST = 0, 1, 2, 5  # words of the sentence, by their places


def _all(*checks: Check) -> Check:
    return lambda *traces: all(check(*traces) for check in checks)


def _has_weight(trace: Trace, share: float, head: int, query: int, key: int) -> bool:
    """Whether a word of the sentence gives this share of its weight to another, to two decimals."""
    s = trace.scenario
    is_it = s.tokens == s.key_tokens == _sentence().tokens
    return (
        is_it
        and head < s.n_heads
        and nearly_equal(np.round(trace.weights[head, query, key], 2), share)
    )


def _gives(share: float, head: int, query: int, key: int) -> Check:
    return partial(_has_weight, share=share, head=head, query=query, key=key)


def _of_a(check: Check) -> Check:
    return lambda a, _b: check(a)


def _of_b(check: Check) -> Check:
    return lambda _a, b: check(b)


# ---- Why divide by √d_k? ------------------------------------------------------------------------


def _divides_by_root(trace: Trace) -> bool:
    s = trace.scenario
    return s.scores.factor(s.d_k) == 1 / math.sqrt(s.d_k)


def _lie_between(array: np.ndarray, low: float, high: float) -> bool:
    """To one decimal."""
    return nearly_equal([array.min(), array.max()], [low, high], within=0.05)


def _only_a_mixes(a: Trace, b: Trace) -> bool:
    mixes, picks = (a.weights.max(axis=-1) < 0.5).all(), b.weights.max(axis=-1) > 0.95
    return bool(mixes and picks.mean() > 0.5)


ROOT: Final = Tour(
    "root",
    WHY_DIVIDE,
    say("Wide heads make large scores, and large scores give nearly all weight to one word."),
    (
        _begun(
            say(
                "A score adds up d_k products: the numbers of a query times those of a key. "
                "Here d_k is 2, so each score is divided by √2, about 1.41."
            ),
            screen="scale",
            head=2,
            holds=_all(partial(has_sizes, d_k=2), _divides_by_root),
        ),
        Stop(
            say(
                "A divides, B does not. In so narrow a head this changes little: “cat” gives "
                "0.83 of its weight to “sees” in A, and 0.95 in B."
            ),
            scenario=lambda: without_root(_sentence()),
            against=_sentence,
            screen="weights",
            head=2,
            holds=_all(_of_a(_gives(0.83, 2, CAT, SEES)), _of_b(_gives(0.95, 2, CAT, SEES))),
        ),
        Stop(
            say(
                "A head of width 64 adds up 64 products, so its scores are large: here from "
                "−21.3 to 16.8. Divided by √64 = 8, they lie between −2.7 and 2.1."
            ),
            scenario=_wide,
            screen="scale",
            holds=_all(
                partial(has_sizes, d_k=64),
                _divides_by_root,
                lambda trace: _lie_between(trace.raw_scores, -21.3, 16.8),
                lambda trace: _lie_between(trace.scaled_scores, -2.7, 2.1),
            ),
        ),
        Stop(
            say(
                "A divides: every word mixes several. B does not: most words give more than "
                "0.95 of their weight to a single one."
            ),
            scenario=lambda: without_root(_wide()),
            against=_wide,
            screen="weights",
            holds=_only_a_mixes,
        ),
    ),
)

# ---- What does the causal mask do? --------------------------------------------------------------


def _masked() -> Scenario:
    return with_rules(_sentence(), ["causal"])


def _only_what_comes_later_is_hidden(trace: Trace) -> bool:
    is_earlier = np.tri(*trace.biased_scores.shape[1:]) > 0
    return nearly_equal(trace.masked_scores, np.where(is_earlier, trace.biased_scores, -np.inf))


_with_mask = partial(Stop, scenario=_masked, title=say("With a causal mask"))

CAUSAL: Final = Tour(
    "causal",
    WHAT_THE_MASK_DOES,
    say("It hides the words that come later, and shares out their weight among the others."),
    (
        _begun(
            say(
                "Without a mask each word sees the whole sentence. In head 2 the first “cat” gives "
                "0.48 of its weight to the second one, which comes later."
            ),
            screen="weights",
            head=1,
            holds=_gives(0.48, 1, CAT, LAST),
        ),
        _with_mask(
            say(
                "A model that is to guess the next word must not see it. The causal mask sets the "
                "scores of later words to −∞, and leaves all others as they are."
            ),
            screen="mask",
            head=1,
            holds=_only_what_comes_later_is_hidden,
        ),
        _with_mask(
            say(
                "The exponential of −∞ is 0, so a hidden word gets no weight. The rest of the row "
                "still adds up to 1: the first “cat” now gives 1.00 to itself."
            ),
            screen="weights",
            head=1,
            holds=_all(each_sees_the_past, _gives(1.0, 1, CAT, CAT)),
        ),
        _with_mask(
            say(
                "Head 4 looks at all words alike. In B, with the mask, the first word "
                "sees only itself, the second gives 0.50 to each of two, and the last "
                "sees all six, as in A."
            ),
            against=_sentence,
            screen="weights",
            head=3,
            holds=_all(
                *(claim.holds for claim in READY_QUESTIONS["causal"].claims),
                _of_a(EXAMPLES["the-cat"].holds),
                _of_b(claim_of("causal", 0)),
                *(_of_b(_gives(0.5, 3, CAT, key)) for key in (THE, CAT)),
            ),
        ),
    ),
)

# ---- What do several heads see? -----------------------------------------------------------------


def _one_head() -> Scenario:
    s = _sentence()
    return with_heads(s, 1, d_k=s.d_k, d_v=s.d_v)


def _heads_stand_side_by_side(trace: Trace) -> bool:
    return has_sizes(trace, n_heads=4, d_v=2) and nearly_equal(
        trace.concat, np.hstack(list(trace.head_outputs))
    )


HEADS: Final = Tour(
    "heads",
    WHAT_HEADS_SEE,
    say("One head looks for one thing. Four heads look for four things at the same time."),
    (
        Stop(
            say(
                "One head has one row of weights for each word. This one looks at the word before: "
                "“sees” gives 0.78 of its weight to “cat”."
            ),
            scenario=_one_head,
            title=say("One head"),
            screen="weights",
            holds=_all(partial(has_sizes, n_heads=1), _gives(0.78, 0, SEES, CAT)),
        ),
        _begun(
            say(
                "Four heads have four rows for each word. Head 1 looks at the word "
                "before, head 2 at the same word. In head 3 nouns and verbs look at "
                "each other. Head 4 looks at all words alike."
            ),
            screen="weights",
            all_heads=True,
            holds=_all(
                EXAMPLES["the-cat"].holds, _gives(0.83, 2, CAT, SEES), _gives(0.44, 2, SEES, CAT)
            ),
        ),
        _begun(
            say(
                "Take the row of the first “cat”: it gives 0.86 to “the” in head 1, "
                "0.48 to each “cat” in head 2, and 0.83 to “sees” in head 3. One row "
                "could not say all that: it adds up to 1."
            ),
            screen="weights",
            all_heads=True,
            holds=_all(
                _gives(0.86, 0, CAT, THE),
                _gives(0.48, 1, CAT, CAT),
                _gives(0.48, 1, CAT, LAST),
                _gives(0.83, 2, CAT, SEES),
            ),
        ),
        _begun(
            say(
                "What the heads find stands side by side: columns 1 and 2 are from head 1, "
                "columns 3 and 4 from head 2, and so on."
            ),
            screen="join",
            holds=_heads_stand_side_by_side,
        ),
    ),
)

# ---- What does W_O do? --------------------------------------------------------------------------


def _words_are_a_mean(trace: Trace) -> bool:
    """Columns 3 and 4, which tell words apart, are the mean of heads 1 and 3."""
    if not has_sizes(trace, n_heads=4, d_v=2, d_model=6, d_out=6):
        return False
    return nearly_equal(trace.output[:, WORD], trace.head_outputs[[0, 2]].mean(axis=0))


def _only_words_move(a: Trace, b: Trace) -> bool:
    if a.output.shape != b.output.shape or b.scenario.heads_off != {2}:
        return False
    others = np.delete(np.arange(a.output.shape[1]), WORD)
    return nearly_equal(a.output[:, others], b.output[:, others]) and not nearly_equal(
        a.output[:, WORD], b.output[:, WORD]
    )


W_O: Final = Tour(
    "w_o",
    WHAT_W_O_DOES,
    say("It takes what the heads have found and makes one row of it for each word."),
    (
        Stop(
            say(
                "Here W_O is the identity, which changes nothing. The output is what the heads "
                "have found, side by side: each column is from one head alone."
            ),
            scenario=partial(load_example, "heads-apart"),
            screen="output",
            holds=claim_of("heads-apart", 0, 1),
        ),
        _begun(
            say(
                "This W_O makes 6 columns of 8, as many as X has. Columns 3 and 4, which tell "
                "words apart, are the mean of what heads 1 and 3 have found."
            ),
            screen="output",
            holds=_words_are_a_mean,
        ),
        Stop(
            say(
                "B is A without head 3. Only columns 3 and 4 change: W_O adds what head 3 finds to "
                "these two."
            ),
            scenario=lambda: with_heads_off(_sentence(), {2}),
            title=say("Without head 3"),
            against=_sentence,
            screen="output",
            holds=_only_words_move,
        ),
        Stop(
            say(
                "Two other heads, the same in A and B. In A, W_O leaves them apart. In B, it makes "
                "their sum in the left half, and their difference in the right half."
            ),
            scenario=partial(load_example, "two-tokens-mixed"),
            against=partial(load_example, "two-tokens"),
            screen="output",
            holds=_all(_of_a(output_is_concatenation), _of_b(claim_of("two-tokens-mixed", 2))),
        ),
    ),
)

QUESTIONS: Final = (ROOT, CAUSAL, HEADS, W_O)
