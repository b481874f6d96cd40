"""What happens to the scores: scale, soft cap, positions, temperature, and the kind of softmax."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from mha_core.checks.errors import NumberError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_one_of, check_whole, is_within, short_repr

Positions = Literal["none", "sinusoidal", "rope", "alibi"]
POSITIONS: Final[Mapping[Positions, str]] = {
    "none": "No positions: only X itself or a mask can show where a token is.",
    "sinusoidal": "A wave for each position is added to X.",
    "rope": "Q and K are turned by an angle that grows with the position.",
    "alibi": "Scores get smaller with the distance between query and key.",
}
Softmax = Literal["stable", "naive"]
SOFTMAXES: Final[Mapping[Softmax, str]] = {
    "stable": "The largest score of a row is subtracted before exp, so exp never overflows.",
    "naive": "Nothing is subtracted. exp overflows from a score of about 89 on in float32, and of "
    "about 710 on in float64.",
}
BY_ROOT_D_K: Final = "1/sqrt(d_k)"


@dataclass(frozen=True)
class ScoreOptions:
    """What happens to the scores between Q K^T and the softmax.

    `scale` is "1/sqrt(d_k)", "none" or a number. `softcap` bends scores into (-softcap, softcap).
    `query_start` is the position of the first query. In self-attention the keys are the same
    tokens, so the first key is at this position too. With a second sequence the first key is at
    position 0: a decoder with n tokens in its cache has query_start = n. `temperature` divides the
    masked scores: the softmax gets scores / temperature. A `softmax` that is "stable" subtracts the
    largest score of a row before exp; a "naive" one does not, and may overflow.
    """

    scale: float | str = BY_ROOT_D_K
    softcap: float | None = None
    positions: Positions = "none"
    query_start: int = 0
    temperature: float = 1.0
    softmax: Softmax = "stable"

    def __post_init__(self) -> None:
        if isinstance(self.scale, str):
            if self.scale not in (BY_ROOT_D_K, "none"):
                raise OptionError(
                    "The scale",
                    f"must be '{BY_ROOT_D_K}', 'none' or a number",
                    short_repr(self.scale),
                    "A number multiplies the scores.",
                )
        else:
            check_scale(self.scale)
        check_softcap(self.softcap)
        check_one_of("positions", self.positions, POSITIONS, "Take 'none' for no positions.")
        check_whole(
            "query_start",
            self.query_start,
            0,
            LIMITS.tokens,
            "It is the position of the first query.",
        )
        check_temperature(self.temperature)
        check_one_of("softmax", self.softmax, SOFTMAXES, "Take 'stable', which never overflows.")

    def factor(self, d_k: int) -> float:
        """The number that raw scores are multiplied by."""
        if self.scale == BY_ROOT_D_K:
            return 1 / math.sqrt(d_k)
        return 1.0 if self.scale == "none" else float(self.scale)


def check_scale(scale: float) -> None:
    if not is_within(scale, -LIMITS.magnitude, LIMITS.magnitude):
        raise NumberError(
            "The scale",
            f"must be a number of at most {LIMITS.magnitude:g} in size",
            repr(scale),
            "It multiplies the scores; 1 leaves them as they are.",
        )


def check_softcap(softcap: float | None) -> None:
    # The range leaves room for a cap and its inverse in float32 too.
    if softcap is not None and not is_within(softcap, 1e-30, 1e30):
        raise NumberError(
            "The soft cap",
            "must be a number from 1e-30 to 1e+30",
            repr(softcap),
            "Scores then stay between -cap and cap; write None for no cap.",
        )


def check_temperature(temperature: float) -> None:
    # Below 0.001, the rounding of float32 scores would become a visible share of the weights.
    if not is_within(temperature, 0.001, 1000):
        raise NumberError(
            "The temperature",
            "must be a number from 0.001 to 1000",
            repr(temperature),
            "It divides the scores: 1 leaves them as they are, and 0.001 picks the best key.",
        )
