"""The word two before, where each layer sees one back: what it has is older a layer later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.room import (
    BEFORE,
    EACH_PLACE,
    EACH_WORD,
    EMPTY,
    PLACE,
    ROOM,
    STRONG,
    WORDS,
    from_the_start,
    table,
    with_room,
)
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens
from mha_core.puzzles.wants import Makes, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import START_AND_LETTERS


def _two_back(tokens: Tokens) -> list[Want]:
    words = with_room(tokens)[:, :WORDS]
    return [Makes(place, range(WORDS), words[place - 2]) for place in range(2, len(tokens))]


def _of_three() -> Iterator[tuple[str, ...]]:
    """Those in which something stands two before a token."""
    return filter(_two_back, from_the_start())


def _moving(written: int = ROOM, taken: int = ROOM, words: FloatArray = EACH_WORD) -> Arrays:
    """Layer 1 writes words from such a column on, and layer 2 takes what stands from one on."""
    return {
        "w_v": table(0, words),
        "w_o": table(written, EACH_WORD).T,
        "2.w_v": table(taken, EACH_WORD),
        "2.w_o": table(0, EACH_WORD).T,
    }


LOOKS_BEFORE: Final = replace(
    EMPTY,
    w_q=table(PLACE, BEFORE, strength=STRONG),
    w_k=table(PLACE, EACH_PLACE, strength=STRONG),
    mask=Mask((Rule("sliding_window", left=1),)),
)
TWO_BACK: Final = Puzzle(
    "two-back",
    say("Copy the word two before"),
    say(
        "Layer 2 makes, at each token, the word that stands two before it. No layer sees so far: "
        "the mask leaves a token itself and the one before."
    ),
    LOOKS_BEFORE,
    ("w_v", "w_o", "2.w_v", "2.w_o"),
    _two_back,
    (". a b", ". c c a d", ". d a b a c b"),
    _moving,
    most_numbers=4 * WORDS,
    hints=(
        say("Both layers look at the token before: what it has, one layer later, is older."),
        say("Layer 1 copies words into free columns, or they would mix with those that are there."),
        say(
            "W_V takes the columns of words and W_O puts them into free ones. In layer 2, W_V "
            "takes the free ones and W_O puts them into the columns of words."
        ),
    ),
    source=say("Our own"),
    near_misses={
        "layer 1 writes over the words": lambda: _moving(written=0, taken=0),
        "layer 2 takes the words": lambda: _moving(taken=0),
        "one word is not taken along": lambda: _moving(words=EACH_WORD[:-1]),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(LOOKS_BEFORE,),
    draw=_of_three,
)
