"""Questions about weights that are given: what a head computes, and what it never can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.puzzles.ladder.induction import BY_POINTERS
from mha_core.puzzles.ladder.looking import before_each, each_itself, the_same_word
from mha_core.puzzles.ladder.lying import A_HEAD_THAT_LIES
from mha_core.puzzles.ladder.places import BY_ROPE, BY_WAVES
from mha_core.puzzles.ladder.ranking import BACKWARDS, GREATEST, best_so_far
from mha_core.puzzles.ladder.trained import READ_TRAINED
from mha_core.puzzles.puzzle import WORDS, Arrays, Puzzle, Tokens, of_zeros
from mha_core.puzzles.questions import Choice, Question, does
from mha_core.puzzles.wants import Looks, Want
from mha_core.scenario.score_options import ScoreOptions
from mha_core.scenario.x_columns import WITH_A_ONE

Job = Callable[[Tokens], list[Want]]


def _after_each(tokens: Tokens) -> list[Want]:
    return [Looks(place, (place + 1,)) for place in range(len(tokens) - 1)]


def _same_word_so_far(tokens: Tokens) -> list[Want]:
    wanted: list[Want] = []
    for query, word in enumerate(tokens):
        keys = tuple(i for i in range(query + 1) if tokens[i] == word)
        wanted.append(Looks(query, keys))
    return wanted


def _of(
    puzzle: Puzzle, arrays: Callable[[], Arrays], jobs: Mapping[str, Job]
) -> tuple[Choice, ...]:
    """What may be said: that the head does one of these jobs."""
    return tuple(Choice(says, partial(does, puzzle, arrays, job)) for says, job in jobs.items())


ITSELF: Final = say("Each token looks at itself.")
BEFORE: Final = say("Each token looks at the one before it.")
AFTER: Final = say("Each token looks at the one after it.")
SAME_WORD: Final = say("Each token looks at all tokens of its word.")
SAME_WORD_SO_FAR: Final = say("Each token looks at all tokens of its word up to itself.")
FOLLOWED: Final = say("Each token looks at what followed its word when it came before.")
WHAT_IT_DOES: Final = say("What does this head do?")

TURNED: Final = BY_WAVES.near_misses["the token after"]
READ_WAVES: Final = Question(
    "read-waves",
    say("Read a head: waves"),
    WHAT_IT_DOES,
    BY_WAVES,
    TURNED,
    _of(
        BY_WAVES,
        TURNED,
        {ITSELF: each_itself, BEFORE: before_each, AFTER: _after_each, SAME_WORD: the_same_word},
    ),
    say("W_Q turns each pair of columns on by one step: so a query asks for the place after it."),
)

RANKED: Final = GREATEST.near_misses["the smallest"]
READ_RANKS: Final = Question(
    "read-ranks",
    say("Read a head: ranks"),
    WHAT_IT_DOES,
    GREATEST,
    RANKED,
    _of(
        GREATEST,
        RANKED,
        {
            say("Each token looks at the greatest number up to itself."): GREATEST.wanted,
            say("Each token looks at the smallest number up to itself."): partial(
                best_so_far, best=min
            ),
            ITSELF: each_itself,
            SAME_WORD_SO_FAR: _same_word_so_far,
        },
    ),
    say("All queries ask for the same, and W_K gives most of it to 1, least to 5."),
)

POINTED: Final = BY_POINTERS.near_misses["it points at the same word"]
READ_POINTERS: Final = Question(
    "read-pointers",
    say("Read two layers: pointers"),
    say("What does layer 2 do?"),
    BY_POINTERS,
    POINTED,
    _of(
        BY_POINTERS,
        POINTED,
        {
            FOLLOWED: BY_POINTERS.wanted,
            SAME_WORD_SO_FAR: _same_word_so_far,
            BEFORE: before_each,
            ITSELF: each_itself,
        },
    ),
    say("Layer 1 writes the places of its word, not moved on: so layer 2 looks at these."),
)

COLD: Final = 0.004
SENTENCES: Final = ("a b c d", "a b a", "a b c b", "a a b")
BY_ALIBI: Final = replace(
    BY_ROPE,
    name="before-alibi",
    start=replace(
        of_zeros(len(WORDS) + 1, d_k=len(WORDS), d_v=len(WORDS), x=WITH_A_ONE),
        scores=ScoreOptions(positions="alibi", temperature=COLD),  # its slope is 1/256
        mask=BACKWARDS.mask,
    ),
    seen=SENTENCES,
)


def each_asks_for(asked: Mapping[str, Mapping[str, float]]) -> Arrays:
    """How much each word asks for each other one: W_Q says that, and W_K says the word."""
    w_q, w_k = np.zeros_like(BY_ALIBI.start.w_q), np.eye(len(WORDS) + 1)[:, : len(WORDS)]
    for word, keys in asked.items():
        for key, much in keys.items():
            w_q[WORDS.index(word), WORDS.index(key)] = much
    return {"w_q": w_q, "w_k": w_k}


def _cannot_be(tokens: Tokens) -> bool:
    """Two tokens of one word, side by side, have one key: the nearer one gets more."""
    return any(word == before for before, word in pairwise(tokens))


NEVER_BY_ALIBI: Final = Question(
    "never-alibi",
    say("What ALiBi alone cannot do"),
    say(
        "X says the word and no place; ALiBi takes a bit off for each step back. In which sentence "
        "can no W_Q and W_K make each token look at the one before it?"
    ),
    BY_ALIBI,
    lambda: each_asks_for({"a": {"b": 1}, "b": {"a": 1, "c": 2}, "c": {"b": 1}, "d": {"c": 1}}),
    tuple(Choice(each, partial(_cannot_be, each.split())) for each in SENTENCES),
    say(
        "The two a have one key, and ALiBi takes more off the one that is farther away: the second "
        "a gives more weight to itself than to the first."
    ),
)

ASKED: Final = (
    *(READ_WAVES, READ_RANKS, READ_POINTERS, READ_TRAINED, A_HEAD_THAT_LIES),
    NEVER_BY_ALIBI,
)
QUESTIONS: Final[Mapping[str, Question]] = {each.name: each for each in ASKED}
