"""Which recipes a scenario's arrays came from."""

from __future__ import annotations

from dataclasses import dataclass

from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_label, check_whole
from mha_core.language import say


@dataclass(frozen=True)
class Origin:
    """Which recipes the arrays came from. It is a hint, and may be wrong.

    It keeps links short: a link holds these names, and only the numbers that differ from what
    the recipes make. An empty name means "given as numbers".
    """

    example: str = ""
    x: str = ""
    x_seed: int = 0
    weights: str = ""
    weights_seed: int = 0

    def __post_init__(self) -> None:
        for name in ("example", "x", "weights"):
            check_label(f"origin's {name}", getattr(self, name))
        for name in ("x_seed", "weights_seed"):
            check_whole(
                f"origin's {name}", getattr(self, name), 0, LIMITS.seed, say("Leave it out for 0.")
            )
