"""Does order matter: the same sentence without positions, and with them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from mha_core.examples.example import Example, from_recipes
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

QUESTION: Final = "Does order matter?"
SENTENCE: Final = tokenize("THE MAN BITES THE DOG")


def _with_positions() -> Scenario:
    plain = from_recipes("positions", SENTENCE, d_model=8, n_heads=2)
    return replace(plain, scores=ScoreOptions(positions="sinusoidal"))


def _rows_follow_their_tokens(trace: Trace) -> bool:
    s = trace.scenario
    backwards = attend(replace(s, x=s.x[::-1]))
    return s.n_q > 1 and nearly_equal(backwards.output, trace.output[::-1])


def _equal_words_get_equal_rows(trace: Trace) -> bool:
    """Some word occurs twice, and all rows of such a word are equal."""
    words = trace.scenario.tokens
    first = [words.index(word) for word in words]
    return len(set(words)) < len(words) and nearly_equal(trace.output, trace.output[first])


def _rows_change_with_the_order(trace: Trace) -> bool:
    return trace.scenario.n_q > 1 and not _rows_follow_their_tokens(trace)


def _equal_words_get_rows_of_their_own(trace: Trace) -> bool:
    words = trace.scenario.tokens
    return len(set(words)) < len(words) and not _equal_words_get_equal_rows(trace)


EXAMPLES: Final = (
    Example(
        name="permutation",
        title="The man bites the dog",
        question=QUESTION,
        sentence="Shuffle the words, and the rows are shuffled in the same way.",
        holds=_rows_follow_their_tokens,
        build=partial(from_recipes, "permutation", SENTENCE, d_model=8, n_heads=2),
        claims=(
            Claim(
                "In reverse order, each token has the same output row, at its new place.",
                _rows_follow_their_tokens,
            ),
            Claim(
                "Both THE have the same output, because nothing says where they stand.",
                _equal_words_get_equal_rows,
            ),
        ),
        notes=(
            Claim("Add positions or a mask: then the order matters.", _rows_follow_their_tokens),
        ),
    ),
    Example(
        name="positions",
        title="The man bites the dog, with positions",
        question=QUESTION,
        sentence="A wave for each position is added to X: now the order of the words matters.",
        holds=_rows_change_with_the_order,
        build=_with_positions,
        claims=(
            Claim(
                "In reverse order, the tokens get other output rows.",
                _rows_change_with_the_order,
            ),
            Claim(
                "The two THE have different outputs, because their positions differ.",
                _equal_words_get_rows_of_their_own,
            ),
        ),
        notes=(
            Claim(
                "Set positions to none: then both claims are no longer true.",
                _rows_change_with_the_order,
            ),
        ),
    ),
)
