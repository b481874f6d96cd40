"""The puzzles, from the first to the hardest: a module for each kind of job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.puzzles.ladder.looking import LOOKING
from mha_core.puzzles.ladder.making import MAKING
from mha_core.puzzles.ladder.places import OF_PLACES
from mha_core.puzzles.puzzle import Puzzle

PUZZLES: Final[Mapping[str, Puzzle]] = {each.name: each for each in (*LOOKING, *OF_PLACES, *MAKING)}
