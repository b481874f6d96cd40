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
from mha_core.options.rope_axes import OPTION as AXES
from mha_core.options.rope_axes import axes_of
from mha_core.options.rope_places import OPTION as PLACES
from mha_core.options.rope_places import Places, axis_count, has_axes
from mha_core.options.rope_series import InSeries, in_series
from mha_core.scenario.score_options import ScoreOptions


@dataclass(frozen=True)
class Rotation:
    """The columns of a head that turn, in pairs; the rest of the head stays as it is.

    A pair is two neighbours, or a column of the first half with its like of the second. It turns by
    the place of a token on its axis: without `places`, this is the token's position. If `crossed`
    gives each column a pair, neighbours turn by the angles of two pairs.
    """

    columns: int
    in_halves: bool
    series: tuple[InSeries, ...]  # of each pair, among those that go from fast to slow together
    wavelengths: tuple[float, ...]  # positions that each pair takes for one radian
    frequencies: tuple[float, ...] | None  # instead of them: radians from one position to the next
    axes: tuple[int, ...]  # of each pair, counted from 0
    places: Places | None  # of each position, with a number for each axis
    crossed: tuple[int, ...] | None  # of each column, the pair whose angle it has, if not its own

    @property
    def first(self) -> slice:
        """The first column of each pair."""
        return slice(0, self.columns // 2) if self.in_halves else slice(0, self.columns, 2)

    @property
    def second(self) -> slice:
        """The second column of each pair."""
        half = self.columns // 2
        return slice(half, self.columns) if self.in_halves else slice(1, self.columns, 2)

    @property
    def has_series_of_axes(self) -> bool:
        """Whether each axis has pairs of its own that go from fast to slow."""
        return self.series[-1].among < self.columns // 2

    def pair_of(self, column: int) -> tuple[int, ...]:
        """The columns that turn together with this one, and it itself."""
        if column >= self.columns:
            return (column,)
        half = self.columns // 2
        if self.in_halves:
            return (column % half, column % half + half)
        return (column - column % 2, column - column % 2 + 1)

    def by_columns(self, of_pairs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What each pair has, for the first columns of the pairs and for the second ones."""
        if self.crossed is None:
            return of_pairs, of_pairs
        return of_pairs[:, self.crossed[self.first]], of_pairs[:, self.crossed[self.second]]

    def angles(self, positions: npt.NDArray[Any]) -> FloatArray:
        """The angle of each pair, in a column for each."""
        places = positions
        if self.places is not None:
            places = np.array(self.places, np.float64)[positions[:, 0]][:, self.axes]
        made: FloatArray = (
            places / np.array(self.wavelengths)
            if self.frequencies is None
            else places * np.array(self.frequencies)
        )
        return made

    def check_places(self, n_positions: int) -> None:
        """Refuse more or fewer places than there are positions."""
        if self.places is not None and len(self.places) != n_positions:
            raise ShapeError(
                PLACES.thing,
                say("must be {count}: one for each position, from 0 on").format(count=n_positions),
                str(len(self.places)),
                say("Leave them out, then they are 0, 1, 2 and so on."),
            )


@lru_cache(64)
def rotation_of(scores: ScoreOptions, d_k: int) -> Rotation:
    """The rotation of heads of this width; one that does not fit is refused."""
    columns = d_k if scores.rope_columns is None else scores.rope_columns
    _check_columns(columns, d_k)
    _check_frequencies(scores.rope_frequencies, columns)
    pairs = columns // 2
    _check_axes(scores, pairs)
    series, axes = in_series(scores, pairs), axes_of(scores, pairs)
    share: FloatArray = np.array([each.share for each in series])
    name, wavelengths = WAVELENGTHS
    return Rotation(
        columns,
        scores.rope_pairs == "halves",
        series,
        tuple(wavelengths.of(share, getattr(scores, name)).tolist()),
        scores.rope_frequencies,
        axes,
        scores.rope_places,
        _crossed(axes) if scores.rope_pairs == "crossed" else None,
    )


def _crossed(axes: tuple[int, ...]) -> tuple[int, ...]:
    """Of each column, the pair whose angle it has: those of an axis, and then the same again.

    >>> _crossed((0, 0, 0, 1))
    (0, 1, 2, 0, 1, 2, 3, 3)
    """
    of_axis = {axis: [p for p, its in enumerate(axes) if its == axis] for axis in axes}
    again = {axis: iter(2 * pairs) for axis, pairs in of_axis.items()}
    return tuple(next(again[axis]) for axis in axes for _ in range(2))


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


def _check_axes(scores: ScoreOptions, pairs: int) -> None:
    """Refuse axes that do not fit the pairs or the places."""
    if not has_axes(scores):
        return
    count, axes = axis_count(scores), scores.rope_axes
    if axes is None and pairs % count:
        raise ShapeError(
            say("The pairs of columns that turn"),
            say("must be a multiple of {count}, so that each axis has as many").format(count=count),
            str(pairs),
            say("Say which axis each pair follows, or turn another number of columns."),
        )
    if axes is not None and len(axes) != pairs:
        raise ShapeError(
            AXES.thing,
            say("must be {count}: one for each pair of columns that turn").format(count=pairs),
            str(len(axes)),
            say("Leave them out, then the axes have equal runs of pairs."),
        )
    if axes is not None and max(axes) >= count:
        raise ShapeError(
            AXES.thing,
            say("must be from 0 to {last}, as places have {count} numbers").format(
                last=count - 1, count=count
            ),
            str(max(axes)),
            say("Axes count from 0. Or give each place a number for this axis."),
        )
