"""Does order matter: the same sentence without positions, and with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from mha_core.examples.example import Example, from_recipes
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.options.positions import POSITIONS
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

POSITIONED: Final = {"positions": tuple(name for name in POSITIONS if name != "none")}
QUESTION: Final = say("Does order matter?")
SENTENCE: Final = tokenize("THE MAN BITES THE DOG")


def _with_positions() -> Scenario:
    plain = from_recipes("positions", SENTENCE, d_model=8, n_heads=2)
    return replace(plain, scores=ScoreOptions(positions="sinusoidal"))


def _rows_follow_their_tokens(trace: Trace) -> bool:
    """In reverse order, and with the first token at the end: ALiBi notices only the latter."""
    first_at_the_end = [*range(1, trace.scenario.n_q), 0]
    return _rows_follow_in_reverse(trace) and _rows_follow(trace, first_at_the_end)


def _rows_follow_in_reverse(trace: Trace) -> bool:
    return _rows_follow(trace, range(trace.scenario.n_q)[::-1])


def _rows_follow(trace: Trace, order: Sequence[int]) -> bool:
    """Tokens in another order get the same rows, in that order."""
    s, order = trace.scenario, list(order)
    moved = attend(replace(s, x=s.x[order]))
    return s.n_q > 1 and nearly_equal(moved.output, trace.output[order])


def _equal_words_get_equal_rows(trace: Trace) -> bool:
    """Some word occurs twice, and all rows of such a word are equal."""
    words = trace.scenario.tokens
    first = [words.index(word) for word in words]
    return len(set(words)) < len(words) and nearly_equal(trace.output, trace.output[first])


def _rows_change_with_the_order(trace: Trace) -> bool:
    return trace.scenario.n_q > 1 and not _rows_follow_their_tokens(trace)


def _rows_change_in_reverse(trace: Trace) -> bool:
    return trace.scenario.n_q > 1 and not _rows_follow_in_reverse(trace)


def _equal_words_get_rows_of_their_own(trace: Trace) -> bool:
    """Though their rows of X are equal."""
    s = trace.scenario
    first = [s.tokens.index(word) for word in s.tokens]
    are_alike = len(set(s.tokens)) < s.n_q and nearly_equal(s.x, s.x[first])
    return are_alike and not _equal_words_get_equal_rows(trace)


def _positions_alone_show_the_order(trace: Trace) -> bool:
    """Without positions, neither claim is true any more."""
    s = trace.scenario
    without = attend(replace(s, scores=replace(s.scores, positions="none")))
    claims = (_rows_change_in_reverse, _equal_words_get_rows_of_their_own)
    return all(claim(trace) and not claim(without) for claim in claims)


WAVES: Final = Claim(
    say("A wave for each position is added to X: now the order of the words matters."),
    _rows_change_with_the_order,
    {"positions": ("sinusoidal",)},
)


EXAMPLES: Final = (
    Example(
        name="permutation",
        title=say("The man bites the dog"),
        question=QUESTION,
        sentence=say("Shuffle the words, and the rows are shuffled in the same way."),
        holds=_rows_follow_their_tokens,
        build=partial(from_recipes, "permutation", SENTENCE, d_model=8, n_heads=2),
        claims=(
            Claim(
                say("In reverse order, each token has the same output row, at its new place."),
                _rows_follow_in_reverse,
            ),
            Claim(
                say("Both THE have the same output, because nothing says where they stand."),
                _equal_words_get_equal_rows,
            ),
        ),
        notes=(
            Claim(
                say("Add positions or a mask: then the order matters."),
                _rows_follow_their_tokens,
                {"positions": ("none",)},
            ),
        ),
    ),
    Example(
        name="positions",
        title=say("The man bites the dog, with positions"),
        question=QUESTION,
        sentence=WAVES.sentence,
        holds=WAVES.holds,
        build=_with_positions,
        claims=(
            Claim(
                say("In reverse order, the tokens get other output rows."), _rows_change_in_reverse
            ),
            Claim(
                say("The two THE have different outputs, because their positions differ."),
                _equal_words_get_rows_of_their_own,
                POSITIONED,
            ),
        ),
        notes=(
            Claim(
                say("Set positions to none: then both claims are no longer true."),
                _positions_alone_show_the_order,
                POSITIONED,
            ),
        ),
    ),
)
