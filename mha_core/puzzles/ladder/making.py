"""What a head makes of what it sees: W_V and W_O are to be written too."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import BEFORE_BY_PLACES, FREE, ITSELF, SEEN, START, WIDTH
from mha_core.puzzles.puzzle import PLACES, WORDS, Arrays, Puzzle, Tokens, word_and_place
from mha_core.puzzles.wants import Makes, Want
from mha_core.scenario.masks import Mask, Rule

ALL: Final = (*FREE, "w_v", "w_o")
OF_WORDS: Final = range(len(WORDS))
TAKE_WORDS: Final = np.eye(WIDTH)[:, : len(WORDS)]  # as W_V: the columns of words
GIVE_WORDS: Final = TAKE_WORDS.T  # as W_O: back to where they were
NOTHING: Final = np.zeros((WIDTH, PLACES))


def _words(tokens: Tokens) -> FloatArray:
    return word_and_place(tokens)[:, : len(WORDS)]


def _mean(tokens: Tokens) -> list[Want]:
    words = _words(tokens)
    return [Makes(i, OF_WORDS, words[: i + 1].mean(axis=0)) for i in range(len(tokens))]


def _word_before(tokens: Tokens) -> list[Want]:
    words = _words(tokens)
    return [Makes(place, OF_WORDS, words[place - 1]) for place in range(1, len(tokens))]


def _copying(**other: FloatArray) -> Arrays:
    return {"w_v": TAKE_WORDS, "w_o": GIVE_WORDS, **other}


MEAN: Final = Puzzle(
    "mean",
    say("The mean of all before"),
    say("Each token makes the mean of the words up to itself. The mask hides what comes later."),
    replace(START, mask=Mask((Rule("causal"),))),
    ALL,
    _mean,
    SEEN,
    lambda: _copying(w_q=NOTHING, w_k=NOTHING),
    most_numbers=2 * len(WORDS),
    hints=(
        say("Equal scores give equal weights, whatever they are."),
        say("Queries of zeros make all scores equal: W_Q and W_K may stay zeros."),
        say("W_V takes the columns of words, W_O puts them back into the same columns."),
    ),
    source=say("Our own"),
    near_misses={
        "it looks at itself": lambda: _copying(**ITSELF.solution()),
        "half of it": lambda: {"w_v": TAKE_WORDS / 2, "w_o": GIVE_WORDS},
        "the columns in another order": lambda: {"w_v": TAKE_WORDS, "w_o": GIVE_WORDS[::-1]},
    },
)

COPY: Final = Puzzle(
    "copy",
    say("Copy the word before"),
    say("Each token but the first makes the word that stands before it."),
    START,
    ALL,
    _word_before,
    SEEN,
    lambda: _copying(**BEFORE_BY_PLACES.solution()),
    most_numbers=2 * PLACES - 1 + 2 * len(WORDS),
    hints=(
        say("First look there: W_Q and W_K as for the token before."),
        say("Then take along what stands there: W_V takes the columns of words."),
        say("W_O puts them back into the same columns."),
    ),
    source=say("After Elhage et al., 2021, A Mathematical Framework for Transformer Circuits"),
    near_misses={
        "its own word": lambda: _copying(**ITSELF.solution()),
        "too weak": lambda: _copying(**_halved(BEFORE_BY_PLACES.solution())),
        "it looks but takes nothing along": lambda: BEFORE_BY_PLACES.solution(),
    },
)


def _b_for_each_a(words: Tokens) -> list[Want]:
    b = np.eye(len(WORDS))[1]
    return [Makes(i, OF_WORDS, b * (word == "a")) for i, word in enumerate(words)]


def _b_after_a_and_any(tokens: Tokens) -> list[Want]:
    return [replace(want, query=want.query + 1) for want in _b_for_each_a(tokens[:-1])]


def _making(taken: int, made: int, **other: FloatArray) -> Arrays:
    """It takes one word along, and makes another of it."""
    w_v, w_o = np.zeros_like(TAKE_WORDS), np.zeros_like(GIVE_WORDS)
    w_v[taken, 0] = w_o[0, made] = 1
    return {"w_v": w_v, "w_o": w_o, **other}


def _halved(arrays: Arrays) -> Arrays:
    return {name: array / 2 for name, array in arrays.items()}


A: Final = 0  # columns of words
B: Final = 1
AFTER_A: Final = Puzzle(
    "after-a",
    say("After a comes b"),
    say("Each token a makes b: the next word. All other tokens make nothing."),
    START,
    ALL,
    _b_for_each_a,
    SEEN,
    lambda: _making(A, B, **ITSELF.solution()),
    most_numbers=2 * PLACES + 2,
    hints=(
        say("First look at yourself: W_Q and W_K as in the first puzzle."),
        say("Take a along and no other word: a single number in W_V."),
        say("W_O puts it into the column of b: a single number, too."),
    ),
    source=say("After Elhage et al., 2021, A Mathematical Framework for Transformer Circuits"),
    near_misses={
        "after b comes a": lambda: _making(B, A, **ITSELF.solution()),
        "it copies a": lambda: _making(A, A, **ITSELF.solution()),
        "too weak": lambda: _making(A, B, **_halved(ITSELF.solution())),
    },
)

AFTER_A_AND_ANY: Final = Puzzle(
    "after-a-and-any",
    say("After a and any word comes b"),
    say("Each token that stands after an a makes b. All others but the first make nothing."),
    START,
    ALL,
    _b_after_a_and_any,
    SEEN,
    lambda: _making(A, B, **BEFORE_BY_PLACES.solution()),
    most_numbers=2 * PLACES - 1 + 2,
    hints=(
        say("Look at the token before you."),
        say("Take a along and no other word: a single number in W_V."),
        say("W_O puts it into the column of b: a single number, too."),
    ),
    source=say("After Elhage et al., 2021, A Mathematical Framework for Transformer Circuits"),
    near_misses={
        "after a comes b": lambda: _making(A, B, **ITSELF.solution()),
        "it copies a": lambda: _making(A, A, **BEFORE_BY_PLACES.solution()),
        "too weak": lambda: _making(A, B, **_halved(BEFORE_BY_PLACES.solution())),
    },
)
