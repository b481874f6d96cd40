"""RoPE as a layer has it: which columns turn together, and how fast."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.registry import WAVELENGTHS
from mha_core.scenario.score_options import ScoreOptions


@dataclass(frozen=True)
class Rotation:
    """The columns of a head that turn, in pairs; the rest of the head stays as it is.

    A pair is two neighbours, or a column of the first half with its like of the second.
    """

    columns: int
    in_halves: bool
    wavelengths: tuple[float, ...]  # positions that each pair takes for one radian
    frequencies: tuple[float, ...] | None  # instead of them: radians from one position to the next

    @property
    def first(self) -> slice:
        """The first column of each pair."""
        return slice(0, self.columns // 2) if self.in_halves else slice(0, self.columns, 2)

    @property
    def second(self) -> slice:
        """The second column of each pair."""
        half = self.columns // 2
        return slice(half, self.columns) if self.in_halves else slice(1, self.columns, 2)

    def pair_of(self, column: int) -> tuple[int, ...]:
        """The columns that turn together with this one, and it itself."""
        if column >= self.columns:
            return (column,)
        half = self.columns // 2
        if self.in_halves:
            return (column % half, column % half + half)
        return (column - column % 2, column - column % 2 + 1)

    def angles(self, positions: npt.NDArray[Any]) -> FloatArray:
        """The angle of each pair, in a column for each."""
        made: FloatArray = (
            positions / np.array(self.wavelengths)
            if self.frequencies is None
            else positions * np.array(self.frequencies)
        )
        return made


@lru_cache(64)
def rotation_of(scores: ScoreOptions, d_k: int) -> Rotation:
    """The rotation of heads of this width; one that does not fit is refused."""
    columns = d_k if scores.rope_columns is None else scores.rope_columns
    _check_columns(columns, d_k)
    _check_frequencies(scores.rope_frequencies, columns)
    share: FloatArray = np.arange(0, columns, 2) / columns
    name, wavelengths = WAVELENGTHS
    return Rotation(
        columns,
        scores.rope_pairs == "halves",
        tuple(wavelengths.of(share, getattr(scores, name)).tolist()),
        scores.rope_frequencies,
    )


def _check_columns(columns: int, d_k: int) -> None:
    if columns > d_k:
        raise ShapeError(
            say("The number of columns that turn"),
            say("must be at most d_k = {d_k}").format(d_k=d_k),
            str(columns),
            say("Turn fewer columns, or leave the field empty to turn all."),
        )
    if columns % 2:
        raise ShapeError(
            "d_k" if columns == d_k else say("The number of columns that turn"),
            say("must be even for RoPE, which turns columns in pairs"),
            str(columns),
            say("Take an even d_k or other positions.")
            if columns == d_k
            else say("Turn an even number of columns."),
        )


def _check_frequencies(frequencies: tuple[float, ...] | None, columns: int) -> None:
    if frequencies is not None and len(frequencies) != columns // 2:
        raise ShapeError(
            say("The frequencies of the pairs"),
            say("must be {count}: one for each pair of columns that turn").format(
                count=columns // 2
            ),
            str(len(frequencies)),
            say("Leave them out, then the base says how fast each pair turns."),
        )
