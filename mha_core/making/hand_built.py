"""Heads built by hand: what each looks at, and the W_Q and W_K for it.

They need an X of one-hot words and one-hot places (`one_hot_position`). A query asks for one kind
of key, and a key belongs to one or more kinds. If the kinds match, the scaled score is 30 above all
others. After softmax each of the others has a weight below 1e-12.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.making.inputs import numbered

BLOCK: Final = 3  # tokens
LEAD: Final = 30.0  # how far a matching key is above the others, in scaled scores


@dataclass(frozen=True)
class HandBuilt:
    """A pattern: `looks(n)` says which of n units look at which. Shape: (n, n), True = looks at.

    A unit is a place in the text; if `reads` is "words", it is a distinct word.
    """

    name: str
    title: str
    promise: str
    looks: Callable[[int], BoolArray]
    reads: Literal["places", "words"] = "places"


def expected_weights(pattern: HandBuilt, tokens: Sequence[str]) -> FloatArray:
    """The weights that a head of this pattern gives: equal shares of all it looks at.

    Shape: (n, n)

    >>> expected_weights(HAND_BUILT["same_word"], ["SO", "GOOD", "SO"])
    array([[0.5, 0. , 0.5],
           [0. , 1. , 0. ],
           [0.5, 0. , 0.5]])
    """
    unit = numbered(tokens) if pattern.reads == "words" else list(range(len(tokens)))
    looked_at = pattern.looks(max(unit) + 1)[np.ix_(unit, unit)]
    shares: FloatArray = looked_at / looked_at.sum(axis=1, keepdims=True)
    return shares


def build_head(
    pattern: HandBuilt, tokens: Sequence[str], d_model: int, d_k: int
) -> tuple[FloatArray, FloatArray]:
    """One head's W_Q and W_K. Shapes: (d_model, d_k) each

    >>> w_q, w_k = build_head(HAND_BUILT["previous_token"], ["A", "B", "C"], d_model=6, d_k=3)
    >>> (w_q[3:] @ w_k[3:].T / math.sqrt(3)).round(8)  # the scores of the three places
    array([[30.,  0.,  0.],
           [30.,  0.,  0.],
           [ 0., 30.,  0.]])
    """
    n_words = len(set(tokens))
    first, count = (0, n_words) if pattern.reads == "words" else (n_words, len(tokens))
    rows = slice(first, first + count)
    looks = pattern.looks(count)
    kind_asked_for = numbered(row.tobytes() for row in looks)
    members = looks[[kind_asked_for.index(kind) for kind in range(max(kind_asked_for) + 1)]]
    codes, gap = _codes(pattern, members, d_k)
    w_q, w_k = np.zeros((d_model, d_k)), np.zeros((d_model, d_k))
    w_q[rows] = LEAD * math.sqrt(d_k) / gap * codes[kind_asked_for]
    w_k[rows] = members.T @ codes
    return w_q, w_k


def _codes(pattern: HandBuilt, members: BoolArray, d_k: int) -> tuple[FloatArray, float]:
    """A vector for each kind of key, and the gap between its product with itself and with others.

    The vectors are one-hot if the head is wide enough. Otherwise they are points on a circle, which
    need two columns only, but work only if each key is of one kind.
    """
    n_kinds = len(members)
    if d_k >= n_kinds:
        return np.eye(n_kinds, d_k), 1.0
    several_kinds = bool((members.sum(axis=0) > 1).any())
    if several_kinds or d_k < 2:
        least = n_kinds if several_kinds else 2
        raise ShapeError(
            "d_k",
            say("must be at least {least} here for the preset '{preset}'").format(
                least=least, preset=pattern.title
            ),
            str(d_k),
            say(
                "Set d_k to {least} or more (it need not be d_model / n_heads), or "
                "take fewer tokens."
            ).format(least=least),
        )
    angle = 2 * np.pi * np.arange(n_kinds) / n_kinds
    codes = np.zeros((n_kinds, d_k))
    codes[:, 0], codes[:, 1] = np.cos(angle), np.sin(angle)
    # A key of no kind has the code 0, with a gap of 1. Neighbours on the circle may have less.
    return codes, min(1.0, 1 - math.cos(2 * math.pi / n_kinds))


def _previous(n: int) -> BoolArray:
    looks = _diagonal(n, -1)
    looks[0, 0] = True
    return looks


def _next(n: int) -> BoolArray:
    looks = _diagonal(n, 1)
    looks[-1, -1] = True
    return looks


def _two_back(n: int) -> BoolArray:
    looks = _diagonal(n, -2)
    looks[:2, 0] = True
    return looks


def _first(n: int) -> BoolArray:
    looks = np.zeros((n, n), np.bool_)
    looks[:, 0] = True
    return looks


def _blocks(n: int) -> BoolArray:
    block = np.arange(n) // BLOCK
    together: BoolArray = block[:, None] == block
    return together


def _neighbours(n: int) -> BoolArray:
    looks: BoolArray = _diagonal(n, -1) | _diagonal(n) | _diagonal(n, 1)
    return looks


def _through_the_first(n: int) -> BoolArray:
    looks = _diagonal(n) | _first(n)
    looks[0] = True
    return looks


def _diagonal(n: int, offset: int = 0) -> npt.NDArray[Any]:
    return np.eye(n, k=offset, dtype=np.bool_)


HAND_BUILT: Final[Mapping[str, HandBuilt]] = {
    pattern.name: pattern
    for pattern in (
        HandBuilt(
            "previous_token",
            say("Previous token"),
            say("Every token looks at the one before it; the first, which has none, at itself."),
            _previous,
        ),
        HandBuilt(
            "next_token",
            say("Next token"),
            say("Every token looks at the one after it; the last, which has none, at itself."),
            _next,
        ),
        HandBuilt(
            "first_token", say("First token"), say("Every token looks at the first one."), _first
        ),
        HandBuilt(
            "itself",
            say("Itself"),
            say("Every token looks only at itself, even if its word occurs again."),
            _diagonal,
        ),
        HandBuilt(
            "same_word",
            say("Same word"),
            say("Every token looks equally at all places of its word, its own place included."),
            _diagonal,
            reads="words",
        ),
        HandBuilt(
            "average_before",
            say("Mean of all before"),
            say("Every token looks equally at itself and at all tokens before it, without a mask."),
            lambda n: np.tri(n, dtype=np.bool_),
        ),
        HandBuilt(
            "own_block",
            say("Own block"),
            say("Every token looks equally at all tokens of its block of {count}.").format(
                count=BLOCK
            ),
            _blocks,
        ),
        HandBuilt(
            "neighbours",
            say("Neighbours"),
            say("Every token looks equally at itself and at the tokens beside it."),
            _neighbours,
        ),
        HandBuilt(
            "global_token",
            say("Global token"),
            say("The first token looks at all tokens, any other one at the first and itself."),
            _through_the_first,
        ),
        HandBuilt(
            "two_back",
            say("Two back"),
            say("Every token looks two places back; the first two, at the first one."),
            _two_back,
        ),
    )
}
# The patterns of the preset "all_patterns". Old links mean exactly these.
IN_TURN: Final = tuple(list(HAND_BUILT.values())[:6])
