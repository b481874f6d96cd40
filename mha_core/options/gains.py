"""What the gains of queries and of keys have in common."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Real, Special

GAIN: Final = Real(
    -1e6, 1e6, say("Give one number for each column that is normed; a file's 1 + g is one number.")
)
MOST_GAINS: Final = LIMITS.width
ALL_ONES: Final = Special(None, ("", "none", "ones"), in_link="ones")
