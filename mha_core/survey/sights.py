"""What to see in the models that come as packages: sentences, each checked on the text at hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.survey.head_map import HeadsOfLayer, first_share
from mha_core.survey.measures import ENTROPY, NAMES

Head = tuple[int, int]  # the layer and the number in it, counted from 0


@dataclass(frozen=True)
class Seen:
    """What a run of a whole model on a text has shown.

    `next_token` says what the model expects to come next, with some heads switched off.
    """

    tokens: Sequence[str]
    heads: Sequence[HeadsOfLayer]
    next_token: Callable[[Collection[Head]], str]

    def share(self, head: Head, measure: str) -> float:
        """How much the head does it; NaN if this text cannot tell."""
        return float(self.heads[head[0]].scores[head[1], NAMES.index(measure)])


@dataclass(frozen=True)
class Sight:
    """A sentence about a model, true or not on a text, and the head that it speaks of.

    The check gives None where the text cannot tell.
    """

    sentence: str
    check: Callable[[Seen], bool | None]
    head: Head | None = None


def _over(share: float, least: float) -> bool | None:
    return None if np.isnan(share) else share > least


def _does(head: Head, measure: str, least: float, sentence: str) -> Sight:
    return Sight(sentence, lambda seen: _over(seen.share(head, measure), least), head)


def sum_in(tokens: Sequence[str]) -> int | None:
    """The sum that the tokens ask for, as `7 + 5 =`.

    >>> sum_in(["7", "+", "5", "="]), sum_in(["7", "+"])
    (12, None)
    """
    if len(tokens) != 4 or (tokens[1], tokens[3]) != ("+", "="):
        return None
    digits = tokens[0] + tokens[2]
    return int(tokens[0]) + int(tokens[2]) if digits.isascii() and digits.isdecimal() else None


def _writes_the_sum(seen: Seen) -> bool | None:
    asked = sum_in(seen.tokens)
    return None if asked is None else seen.next_token(()) == str(asked)[0]


def _needs(head: Head) -> Callable[[Seen], bool | None]:
    def check(seen: Seen) -> bool | None:
        if sum_in(seen.tokens) is None:
            return None
        return seen.next_token([head]) != seen.next_token(())

    return check


def _does_without(head: Head) -> Callable[[Seen], bool | None]:
    needs = _needs(head)

    def check(seen: Seen) -> bool | None:
        is_needed = needs(seen)
        return None if is_needed is None else not is_needed

    return check


ADDS, RESTS = (0, 0), (0, 1)  # the heads of the model that adds

SIGHTS: Final[Mapping[str, tuple[Sight, ...]]] = {
    "mathformer-add": (
        Sight(
            say(
                "It writes the first digit of the sum next: the 1 that is carried, where the "
                "digits make ten or more."
            ),
            _writes_the_sum,
        ),
        _does(
            ADDS,
            ENTROPY,
            0.99,
            say("Head 1 looks at all that it sees alike, so both digits count the same."),
        ),
        Sight(say("Without head 1, it writes another digit."), _needs(ADDS), ADDS),
        Sight(say("Without head 2, it writes the same digit."), _does_without(RESTS), RESTS),
    ),
    "glassllm-en": (
        _does(
            (1, 2),
            "previous",
            0.4,
            say("Layer 2, head 3 gives the token before over 0.4 of its weight."),
        ),
        _does(
            (2, 3),
            "previous",
            0.4,
            say("Layer 3, head 4 gives the token before over 0.4 of its weight, too."),
        ),
        _does(
            (0, 0), ENTROPY, 0.9, say("Layer 1, head 1 looks nearly evenly at all that it sees.")
        ),
    ),
    "glassllm-pt": (
        _does(
            (2, 0),
            "previous",
            0.4,
            say("Layer 3, head 1 gives the token before over 0.4 of its weight."),
        ),
        _does(
            (0, 0), ENTROPY, 0.9, say("Layer 1, head 1 looks nearly evenly at all that it sees.")
        ),
    ),
    "minilm": (
        _does(
            (0, 2),
            "previous",
            0.95,
            say("Layer 1, head 3 gives the token before over 0.95 of its weight."),
        ),
        _does(
            (1, 8),
            "next",
            0.5,
            say("Layer 2, head 9 gives the token after over half of its weight."),
        ),
        Sight(
            say(
                "The first token, which stands for no word, takes over 0.4 of the weight of all "
                "heads: layer 5, head 6 rests there most."
            ),
            lambda seen: _over(first_share(seen.heads), 0.4),
            (4, 5),
        ),
    ),
    "smollm2": (
        _does(
            (17, 5),
            "induction",
            0.3,
            say(
                "Layer 18, head 6 gives over 0.3 of its weight to what came after its own word the "
                "last time: an induction head."
            ),
        ),
        _does((17, 4), "induction", 0.3, say("Layer 18, head 5 does so too.")),
        _does(
            (16, 0),
            "previous",
            0.7,
            say("Layer 17, head 1 gives the token before over 0.7 of its weight."),
        ),
        Sight(
            say(
                "The first token takes over half of the weight of all heads, though it is a word "
                "like others: an attention sink. “Leave out the first token” shows the rest."
            ),
            lambda seen: _over(first_share(seen.heads), 0.5),
            (18, 8),
        ),
    ),
}
