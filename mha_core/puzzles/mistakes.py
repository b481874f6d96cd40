"""What may be wrong, where a known wrong way gives what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.puzzles.wants import LEAST, Looks, Predicts, Want
from mha_core.stack.trace import StackTrace

TIE: Final = 0.02  # two weights so near look equal

TOO_WEAK: Final = say("It looks at the right token, but too little: make the score larger.")
TIED: Final = say("Two tokens get the same weight: nothing tells them apart.")
LOOKS_AT_ITSELF: Final = say("It looks at itself.")
OTHER_SIDE: Final = say("It looks as far away as it should, but to the other side.")
OFF_BY_ONE: Final = say("It looks one token beside the right one.")
SAME_WORD: Final = say("It looks at the same word, wherever it stands: it does not see places.")
SAME_PLACE: Final = say("It looks at a place, whatever word stands there: it does not see words.")
UNEVEN: Final = say("It looks at right tokens, but not at all of them as much.")
OWN_WORD: Final = say("It looks at its own word, not at what stands beside it.")
TOO_UNSURE: Final = say("It predicts the right word, but not clearly: make its logit larger.")
ITSELF: Final = say("It predicts the word itself.")
TWO_WORDS: Final = say("Two words are as likely.")
MANY_WORDS: Final = say("Several words are as likely: nothing tells them apart.")
NEXT_NUMBER: Final = say("It predicts a number that is off by one.")
UNKNOWN: Final = ""
IN_WORDS: Final[Mapping[str, str]] = {  # by names, for a page that finds them by itself
    "TOO_WEAK": TOO_WEAK,
    "TIED": TIED,
    "LOOKS_AT_ITSELF": LOOKS_AT_ITSELF,
    "OTHER_SIDE": OTHER_SIDE,
    "OFF_BY_ONE": OFF_BY_ONE,
    "SAME_WORD": SAME_WORD,
    "SAME_PLACE": SAME_PLACE,
    "UNEVEN": UNEVEN,
    "OWN_WORD": OWN_WORD,
    "TOO_UNSURE": TOO_UNSURE,
    "ITSELF": ITSELF,
    "TWO_WORDS": TWO_WORDS,
    "MANY_WORDS": MANY_WORDS,
    "NEXT_NUMBER": NEXT_NUMBER,
}


def mistake_in(trace: StackTrace, want: Want) -> str:
    """In words; "" where no known mistake gives this."""
    if isinstance(want, Looks):
        return _in_looking(trace, want)
    if isinstance(want, Predicts):
        return _in_predicting(trace, want)
    return UNKNOWN


def _in_looking(trace: StackTrace, want: Looks) -> str:
    weights = want.weights_in(trace)
    first = _greatest(weights)
    words = {trace.stack.tokens[place] for place in first}
    if len(first) > len(want.keys) and set(want.keys) <= first:
        return SAME_WORD if len(words) == 1 else TIED
    if first <= set(want.keys):
        if weights[list(want.keys)].sum() < LEAST:
            return TOO_WEAK
        return SAME_PLACE if len(first) == 1 else UNEVEN
    if len(first) == 1:
        return _beside(min(first), want) or _of_word(trace, want, words)
    return _of_word(trace, want, words)


def _beside(looked_at: int, want: Looks) -> str:
    """It looks at one token, which is a wrong one."""
    if looked_at == want.query:
        return LOOKS_AT_ITSELF
    if all(looked_at - want.query == want.query - key for key in want.keys):
        return OTHER_SIDE
    return OFF_BY_ONE if any(abs(looked_at - key) == 1 for key in want.keys) else UNKNOWN


def _of_word(trace: StackTrace, want: Looks, words: set[str]) -> str:
    return OWN_WORD if words == {trace.stack.tokens[want.query]} else UNKNOWN


def _in_predicting(trace: StackTrace, want: Predicts) -> str:
    likely = want.probabilities_in(trace)
    first = _greatest(likely)
    if len(first) > 1:
        return TWO_WORDS if len(first) == 2 else MANY_WORDS
    predicted = want.words[min(first)]
    if predicted == want.word:
        return TOO_UNSURE
    if predicted == trace.stack.tokens[want.query]:
        return ITSELF
    return NEXT_NUMBER if _are_neighbours(predicted, want.word) else UNKNOWN


def _greatest(numbers: np.ndarray) -> set[int]:
    """The places of the greatest number, and of those that look equal to it."""
    return set(np.flatnonzero(numbers >= numbers.max() - TIE).tolist())


def _are_neighbours(one: str, other: str) -> bool:
    return one.isdecimal() and other.isdecimal() and abs(int(one) - int(other)) == 1
