"""What followed the same word: layer 1 leaves a copy or a pointer, by which layer 2 finds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.room import (
    BEFORE,
    EACH_LETTER,
    EACH_PLACE,
    EACH_WORD,
    EMPTY,
    LETTERS,
    PLACE,
    ROOM,
    STRONG,
    WIDTH,
    WORDS,
    from_the_start,
    table,
    with_room,
)
from mha_core.puzzles.puzzle import PLACES, Arrays, Puzzle, Tokens
from mha_core.puzzles.wants import Looks, Predicts, Want
from mha_core.scenario.x_columns import START_AND_LETTERS

A: Final = 1  # the column of the first letter
LAST_ROOM: Final = WIDTH - len(LETTERS)  # four free columns, where layer 1 has not written
POINTED: Final = 8.0  # among several tokens of a word, each place is a part
TAKE_PLACES: Final = table(PLACE, EACH_PLACE)
ONE_ON: Final = np.eye(PLACES, k=1)[:-1]  # place i becomes place i + 1


def repeating() -> Iterator[tuple[str, ...]]:
    """Those in which a word comes again."""
    return filter(_after_the_same, from_the_start())


def _after_the_same(tokens: Tokens) -> list[Want]:
    return [Looks(query, keys) for query, keys in _places_after_the_same(tokens).items()]


def _places_after_the_same(tokens: Tokens) -> dict[int, tuple[int, ...]]:
    """Of each token whose word came before, where that was followed by something."""
    after = {
        query: tuple(i + 1 for i in range(query) if tokens[i] == word)
        for query, word in enumerate(tokens)
    }
    return {query: keys for query, keys in after.items() if keys}


def _copying(words: FloatArray = EACH_LETTER) -> Arrays:
    """A first layer that looks at the token before, and writes its word into free columns."""
    return {
        "w_q": table(PLACE, BEFORE, strength=STRONG),
        "w_k": table(PLACE, EACH_PLACE, strength=STRONG),
        "w_v": table(A, words),
        "w_o": table(ROOM, EACH_LETTER).T,
    }


def _then_looking(query: int, key: int, strength: float = STRONG) -> Arrays:
    """A second layer: which columns of the query and of the key are to be alike."""
    return {
        "2.w_q": table(query, EACH_LETTER, strength=strength),
        "2.w_k": table(key, EACH_LETTER, strength=strength),
    }


JOB: Final = say(
    "Each token whose word came before looks, in layer 2, at what followed it then: after “a b”, "
    "the next a looks at b. If it came more than once, to each as much."
)
SEEN: Final = (". a b a", ". c a a d c", ". a b c a b c")

INDUCTION: Final = Puzzle(
    "induction",
    say("After the same word, by a copy"),
    JOB,
    EMPTY,
    ("w_q", "w_k", "w_v", "w_o", "2.w_q", "2.w_k"),
    _after_the_same,
    SEEN,
    lambda: {**_copying(), **_then_looking(A, ROOM)},
    most_numbers=2 * PLACES - 1 + 4 * len(LETTERS),
    hints=(
        say("In layer 1, each token copies the word of the one before into free columns."),
        say("In layer 2, a query says its word, and a key says the word before it: its copy."),
        say(
            "W_Q, W_K as for the token before, W_V and W_O copy a to d into free columns. In layer "
            "2, W_Q takes the columns a to d and W_K the free ones, times 5."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "layer 2 looks for the same word": lambda: {**_copying(), **_then_looking(A, A)},
        "one word is not copied": lambda: {**_copying(EACH_LETTER[:-1]), **_then_looking(A, ROOM)},
        "too weak": lambda: {**_copying(), **_then_looking(A, ROOM, STRONG * 0.6)},
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(EMPTY,),
    draw=repeating,
)

LOOKS_AT_ITS_WORD: Final = table(0, EACH_WORD, strength=STRONG)


def _pointing(
    steps: FloatArray = ONE_ON, taken: FloatArray = TAKE_PLACES, strength: float = POINTED
) -> Arrays:
    """A first layer that writes the places it sees, moved on, and a second one that looks there."""
    return {
        "w_v": taken,
        "w_o": table(ROOM, steps.T).T,
        "2.w_q": table(ROOM, EACH_PLACE, strength=strength),
        "2.w_k": table(PLACE, EACH_PLACE, strength=strength),
    }


BY_POINTERS: Final = Puzzle(
    "induction-pointer",
    say("After the same word, by a pointer"),
    JOB,
    replace(EMPTY, w_q=LOOKS_AT_ITS_WORD, w_k=LOOKS_AT_ITS_WORD),
    ("w_v", "w_o", "2.w_q", "2.w_k"),
    _after_the_same,
    SEEN,
    _pointing,
    most_numbers=4 * PLACES - 1,
    hints=(
        say("Layer 1 is given: each token looks at all tokens of its own word, so far."),
        say("Take the place of what is seen along, and write the next place into free columns."),
        say(
            "W_V takes the places, W_O has its ones a column to the right. In layer 2, W_Q takes "
            "the free columns and W_K the places, times 8."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "it points at the same word": lambda: _pointing(EACH_PLACE),
        "one place is not taken along": lambda: _pointing(
            taken=table(PLACE, EACH_PLACE * (np.arange(PLACES) != PLACES - 3))
        ),
        "too weak": lambda: _pointing(strength=POINTED * 0.6),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(EMPTY,),
    draw=repeating,
)


def _followers(tokens: Tokens) -> list[Predicts]:
    """Where all that followed is one word, it is predicted."""
    wanted: list[Predicts] = []
    for query, keys in _places_after_the_same(tokens).items():
        words = {tokens[key] for key in keys}
        if len(words) == 1:
            wanted.append(Predicts(query, min(words), START_AND_LETTERS))
    return wanted


def _following() -> Iterator[tuple[str, ...]]:
    """Those in which another word than the token itself is to be predicted."""
    return filter(_is_followed_by_another, from_the_start())


def _is_followed_by_another(tokens: Tokens) -> bool:
    return any(want.word != tokens[want.query] for want in _followers(tokens))


def _predicting(words: FloatArray = EACH_LETTER, read: int = LAST_ROOM, logit: float = 2) -> Arrays:
    """Layer 2 takes these words along, and W_U reads words from such a column on."""
    w_u = np.zeros((WIDTH, WORDS))
    w_u[read : read + len(LETTERS), A:] = logit * EACH_LETTER
    return {"2.w_v": table(A, words), "2.w_o": table(LAST_ROOM, EACH_LETTER).T, "w_u": w_u}


FOUND: Final = INDUCTION.answered(INDUCTION.solution()).layers
NEXT_WORD: Final = Puzzle(
    "induction-word",
    say("Say what followed"),
    say(
        "Each token whose word came before predicts the word that followed it then. Nothing is "
        "wanted where different words followed."
    ),
    FOUND[0],
    ("2.w_v", "2.w_o", "w_u"),
    lambda tokens: [*_followers(tokens)],
    SEEN,
    _predicting,
    most_numbers=3 * len(LETTERS),
    hints=(
        say("Layer 2 looks at what followed: W_Q and W_K of both layers are given."),
        say("Take its word along. In its own columns it would mix with the word of the token."),
        say(
            "In layer 2, W_V takes a to d, and W_O puts them into the last four free columns. W_U "
            "reads them there, with a 2."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "W_U reads the token's own word": lambda: _predicting(read=A),
        "one word is not taken along": lambda: _predicting(EACH_LETTER[:-1]),
        "the logits are small": lambda: _predicting(logit=0.5),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=FOUND[1:],
    w_u=np.zeros((WIDTH, WORDS)),
    draw=_following,
)

AFTER_THE_SAME: Final = (INDUCTION, BY_POINTERS, NEXT_WORD)
