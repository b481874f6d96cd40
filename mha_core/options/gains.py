"""What the gains and the shifts of norms have in common: a number for each column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Numbers, Real, Special
from mha_core.options.option import Option, Options

GAIN: Final = Real(
    -1e6, 1e6, say("Give one number for each column that is normed; a file's 1 + g is one number.")
)
SHIFT: Final = Real(-1e6, 1e6, say("Give one number for each column that is normed."))
MOST_GAINS: Final = LIMITS.width
ALL_ONES: Final = Special(None, ("", "none", "ones"), in_link="ones")
ALL_ZEROS: Final = Special(None, ("", "none", "zeros"), in_link="zeros")


def gains(name: str, *, says: str, applies: Callable[[Options], bool], **declared: Any) -> Option:
    """What columns are multiplied by after a norm; `says` tells of the least and the most."""
    return _of_columns(
        name,
        Numbers(GAIN, MOST_GAINS, (ALL_ONES,)),
        says,
        applies=applies,
        in_a_link="ones, or a number for each column that is normed",
        placeholder=say("ones"),
        **declared,
    )


def shifts(name: str, *, says: str, applies: Callable[[Options], bool], **declared: Any) -> Option:
    """What is added to columns after the gains of a norm."""
    return _of_columns(
        name,
        Numbers(SHIFT, MOST_GAINS, (ALL_ZEROS,)),
        says,
        applies=applies,
        in_a_link="zeros, or a number for each column that is normed",
        placeholder=say("zeros"),
        **declared,
    )


def _of_columns(name: str, kind: Numbers, says: str, **declared: Any) -> Option:
    def said(numbers: tuple[float, ...]) -> str:
        return says.format(least=min(numbers), most=max(numbers))

    return Option(
        name=name,
        kind=kind,
        default=None,
        drawn=(None, (0.5, -1.5), (0.0, 2.0, 1.0)),
        note=said,
        effect=lambda scores, _: said(getattr(scores, name)),
        **declared,
    )
