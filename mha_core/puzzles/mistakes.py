"""What may be wrong, where a known wrong way gives what is seen."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.puzzles.wants import LEAST, Looks, Want

TIE: Final = 0.02  # two weights so near look equal

TOO_WEAK: Final = say("It looks at the right token, but too little: make the score larger.")
TIED: Final = say("Two tokens get the same weight: nothing tells them apart.")
OFF_BY_ONE: Final = say("It looks one token beside the right one.")
SAME_WORD: Final = say("It looks at the same word, wherever it stands: it does not see places.")
SAME_PLACE: Final = say("It looks at a place, whatever word stands there: it does not see words.")
UNKNOWN: Final = ""


def mistake_in(trace: Trace, want: Want) -> str:
    """In words; "" where no known mistake gives this."""
    if not isinstance(want, Looks):
        return UNKNOWN
    weights = trace.weights[want.head, want.query]
    most = float(weights.max())
    first = np.flatnonzero(weights >= most - TIE)
    if len(first) > len(want.keys) and set(want.keys) <= set(first.tolist()):
        return SAME_WORD if _are_one_word(trace, first) else TIED
    if set(first.tolist()) <= set(want.keys):
        return SAME_PLACE if weights[list(want.keys)].sum() >= LEAST else TOO_WEAK
    if len(first) == 1 and any(abs(int(first[0]) - key) == 1 for key in want.keys):
        return OFF_BY_ONE
    return UNKNOWN


def _are_one_word(trace: Trace, places: np.ndarray) -> bool:
    return len({trace.scenario.tokens[int(place)] for place in places}) == 1
