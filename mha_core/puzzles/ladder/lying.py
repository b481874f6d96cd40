"""A head that lies: it looks where the answer stands, and another head gives the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.puzzles.checking import solves
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.questions import Choice, Question
from mha_core.puzzles.wants import Predicts, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import OF_PUZZLES, WITH_COPIES

WORDS, _PLACES, _, COPIES = OF_PUZZLES[WITH_COPIES]
PLACES: Final = len(_PLACES)
COPY: Final = len(WORDS) + PLACES  # the first column that says the word before
WIDTH: Final = COPY + len(COPIES)
STRONG: Final = 5.0
LOUD: Final = 4.0  # what the second head writes of a word; X says 1 of the own one
LIES, ANSWERS = 0, 1  # heads, counted from 0


def with_copies(tokens: Tokens) -> np.ndarray:
    """X with words and places, and in the last columns the word before; the first has none."""
    x = word_and_place(tokens, WORDS, PLACES)
    before = np.zeros((len(tokens), len(COPIES)))
    before[1:] = x[:-1, : len(WORDS)]
    return np.hstack([x, before])


def _reads(column: int, what: np.ndarray) -> np.ndarray:
    made = np.zeros((WIDTH, what.shape[1]))
    made[column : column + len(what)] = what
    return made


def _arrays() -> Arrays:
    """The first head looks at the word before, and writes it where it stands already."""
    each_place, each_word = np.eye(PLACES), np.eye(len(WORDS))
    before = np.eye(PLACES, k=-1)
    return {
        "w_q": STRONG * np.hstack([_reads(len(WORDS), before), _reads(len(WORDS), each_place)]),
        "w_k": STRONG * np.hstack([_reads(len(WORDS), each_place)] * 2),
        "w_v": np.hstack([_reads(0, each_word), _reads(COPY, each_word)]),
        "w_o": np.vstack([_reads(COPY, each_word).T, LOUD * _reads(0, each_word).T]),
        "w_u": _reads(0, each_word),
    }


def _before(tokens: Tokens) -> list[Want]:
    return [Predicts(place, tokens[place - 1], WORDS) for place in range(1, len(tokens))]


PUZZLE: Final = Puzzle(
    "read-lying",
    say("A head that lies"),
    "",
    replace(
        of_zeros(WIDTH, d_k=2 * PLACES, d_v=2 * len(WORDS), x=WITH_COPIES),
        n_heads=2,
        mask=Mask((Rule("causal"),)),
    ),
    ("w_q", "w_k", "w_v", "w_o", "w_u"),
    _before,
    ("a b c d", "b b a c", "d a"),
    _arrays,
    most_numbers=100,
    hints=(),
    source=say("after Jain and Wallace, 2019: attention is not explanation"),
    x_of=with_copies,
    words=WORDS,
    places=PLACES,
    w_u=np.zeros((WIDTH, len(WORDS))),
    beside={say("places"): PLACES, say("the word before"): len(COPIES)},
)


def is_right_without(*heads: int) -> bool:
    """Whether the word before is still predicted while these heads are off."""
    start = replace(PUZZLE.start, heads_off=frozenset(heads))
    return solves(replace(PUZZLE, start=start), _arrays())


CHOICES: Final[dict[str, Callable[[], bool]]] = {
    say("Head 1: without it the predictions go wrong, without head 2 they stay right."): (
        lambda: is_right_without(ANSWERS) and not is_right_without(LIES)
    ),
    say("Head 2: without it the predictions go wrong, without head 1 they stay right."): (
        lambda: is_right_without(LIES) and not is_right_without(ANSWERS)
    ),
    say("Both: without either of them the predictions go wrong."): (
        lambda: not is_right_without(LIES) and not is_right_without(ANSWERS)
    ),
    say("Neither: without both of them the predictions stay right."): (
        partial(is_right_without, LIES, ANSWERS)
    ),
}
A_HEAD_THAT_LIES: Final = Question(
    "read-lying",
    PUZZLE.title,
    say(
        "Each word but the first predicts the word before it. Which head does it? Switch them off."
    ),
    PUZZLE,
    _arrays,
    tuple(Choice(says, is_true) for says, is_true in CHOICES.items()),
    say(
        "Head 1 looks at the word before, but writes it into columns that W_U does not read. Head "
        "2 looks at the word itself: there X says the word before, and it moves that to the front."
    ),
)
