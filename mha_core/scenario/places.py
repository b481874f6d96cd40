"""The places of positions: as many as there are positions."""

from __future__ import annotations

from mha_core.checks.errors import ShapeError
from mha_core.language import say
from mha_core.options.registry import OPTIONS
from mha_core.scenario.score_options import ScoreOptions


def check_places_of(scores: ScoreOptions, option: str, n_positions: int) -> None:
    """Refuse more or fewer places than there are positions."""
    places = getattr(scores, option)
    if places is not None and len(places) != n_positions:
        raise ShapeError(
            OPTIONS[option].thing,
            say("must be {count}: one for each position, from 0 on").format(count=n_positions),
            str(len(places)),
            say("Leave them out, then they are 0, 1, 2 and so on."),
        )
