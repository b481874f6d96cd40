"""What a lecturer chooses for a worksheet, checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from mha_core.checks.errors import HeadsError, NumberError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_one_of, check_whole, divisors
from mha_core.language import say
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.scenario.score_options import ScoreOptions

MOST_TOKENS: Final = 5
MOST_WIDTH: Final = 8
MOST_HEADS: Final = 4
MOST_D_K: Final = 4  # a longer product takes patience and teaches nothing
WIDTHS_WITH_ROOT: Final = (1, 4)  # of one head, whose root is a whole number

Masking = Literal["none", "causal", "padding"]
MASKINGS: Final[Mapping[str, str]] = {
    "none": say("No mask"),
    "causal": say("Causal mask"),
    "padding": say("Padding mask: the last token only fills up"),
}
Scale = Literal["1/sqrt(d_k)", "1/2", "none"]
SCALES: Final[Mapping[str, str]] = {
    BY_ROOT_D_K: say("Divided by √d_k"),
    "1/2": say("Halved"),
    "none": say("Not scaled"),
}
Base = Literal["e", "2"]
BASES: Final[Mapping[str, str]] = {
    "e": say("Softmax with e: the powers stand in a table"),
    "2": say("Softmax with base 2: the weights are fractions"),
}
Difficulty = Literal["scores_given", "queries_given", "first_row_given", "whole_way"]
DIFFICULTIES: Final[Mapping[str, str]] = {
    "scores_given": say("From the scores to the outputs of the heads"),
    "queries_given": say("From Q, K and V to the outputs of the heads"),
    "first_row_given": say("The whole way, with the first row of each matrix as an example"),
    "whole_way": say("The whole way, from X to the output"),
}


@dataclass(frozen=True)
class Exercise:
    """The settings of one worksheet. Each head has d_k = d_v = d_model / n_heads columns.

    `base` is that of the powers in the softmax. The difficulty says which numbers are blanks; it
    changes no number. Each seed gives other numbers.

    >>> Exercise(n_tokens=3, d_model=8, n_heads=2, scale="1/sqrt(d_k)").d_k
    4
    """

    n_tokens: int = 3
    d_model: int = 4
    n_heads: int = 2
    mask: Masking = "causal"
    difficulty: Difficulty = "whole_way"
    base: Base = "e"
    scale: Scale = "1/2"
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole(say("The number of tokens"), self.n_tokens, 2, MOST_TOKENS)
        check_whole("d_model", self.d_model, 2, MOST_WIDTH)
        check_whole("n_heads", self.n_heads, 1, MOST_HEADS)
        check_one_of(say("The mask"), self.mask, MASKINGS)
        check_one_of(say("The difficulty"), self.difficulty, DIFFICULTIES)
        check_one_of(say("The base"), self.base, BASES, say("Write 'e' or '2'."))
        check_one_of(say("The scale"), self.scale, SCALES)
        check_whole(say("The seed"), self.seed, 0, LIMITS.seed)
        self._check_heads()
        if self.scale not in scales_at(self.d_k):
            raise OptionError(
                say("The scale"),
                say("must be 1/2 or none where d_k is {d_k}, whose root is no whole number").format(
                    d_k=self.d_k
                ),
                repr(self.scale),
                say("Take '1/2', or sizes with d_k = d_model / n_heads = 4."),
            )
        if self.mask == "padding" and self.n_tokens == 2:
            raise NumberError(
                say("The number of tokens"),
                say("must be at least 3 with a padding mask, which hides the last one"),
                "2",
                say("Take 3 tokens: with one visible key, all weights are 1."),
            )

    def _check_heads(self) -> None:
        counts = head_counts(self.d_model)
        if self.n_heads in counts:
            return
        if self.d_model % self.n_heads:
            need = say("must divide d_model = {d_model}; it has the divisors {divisors}").format(
                d_model=self.d_model, divisors=divisors(self.d_model)
            )
        else:
            need = say(
                "must leave each head at most {limit} columns of d_model = {d_model}"
            ).format(limit=MOST_D_K, d_model=self.d_model)
        ways = ", ".join(map(str, counts))
        way_out = (
            say("Take one of {counts}.").format(counts=ways)
            if counts
            else say("Take another d_model, such as 4, 6 or 8.")
        )
        raise HeadsError("n_heads", need, str(self.n_heads), way_out)

    @property
    def d_k(self) -> int:
        return self.d_model // self.n_heads

    @property
    def factor(self) -> float:
        """What raw scores are multiplied by."""
        return 0.5 if self.scale == "1/2" else ScoreOptions(self.scale).factor(self.d_k)


def head_counts(d_model: int) -> tuple[int, ...]:
    """The counts of heads that an exercise may have at this width; none for 5 and 7.

    >>> head_counts(8), head_counts(4), head_counts(7)
    ((2, 4), (1, 2, 4), ())
    """
    return tuple(
        heads
        for heads in range(1, MOST_HEADS + 1)
        if d_model % heads == 0 and d_model // heads <= MOST_D_K
    )


def scales_at(d_k: int) -> tuple[str, ...]:
    """The scales that leave whole numbers at this width of a head.

    >>> scales_at(2), scales_at(4)
    (('1/2', 'none'), ('1/sqrt(d_k)', '1/2', 'none'))
    """
    return tuple(scale for scale in SCALES if scale != BY_ROOT_D_K or d_k in WIDTHS_WITH_ROOT)
