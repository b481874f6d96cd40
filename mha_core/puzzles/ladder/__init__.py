"""The puzzles, from the first to the hardest: a module for each kind of job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.puzzles.ladder.adding import ADD_DIGITS
from mha_core.puzzles.ladder.asked import QUESTIONS
from mha_core.puzzles.ladder.brackets import BRACKETS_DEPTH, BRACKETS_WHOLE
from mha_core.puzzles.ladder.induction import AFTER_THE_SAME
from mha_core.puzzles.ladder.looking import LOOKING
from mha_core.puzzles.ladder.making import AFTER_A, AFTER_A_AND_ANY, COPY, MEAN
from mha_core.puzzles.ladder.places import OF_PLACES
from mha_core.puzzles.ladder.ranking import RANKING
from mha_core.puzzles.ladder.two_back import TWO_BACK
from mha_core.puzzles.ladder.two_heads import NOISY_KEY
from mha_core.puzzles.puzzle import Puzzle

__all__ = ["PUZZLES", "QUESTIONS"]

WHERE_TO_LOOK: Final = (*LOOKING, *RANKING, *OF_PLACES)
WHAT_TO_MAKE: Final = (MEAN, BRACKETS_DEPTH, COPY, AFTER_A, AFTER_A_AND_ANY, NOISY_KEY)
WHAT_TO_PREDICT: Final = (ADD_DIGITS, BRACKETS_WHOLE)
PUZZLES: Final[Mapping[str, Puzzle]] = {
    each.name: each
    for each in (*WHERE_TO_LOOK, *WHAT_TO_MAKE, TWO_BACK, *AFTER_THE_SAME, *WHAT_TO_PREDICT)
}
