"""A figure: what a board of matrices consists of, as data. It does not know who draws it.

Three draw it: the page (`ui/plot`), paper (`ui/prints`) and Plotly (`ui/figures/plotly.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.matrices import distinct_names
from ui import theme
from ui.figures.board import FreePlace, Length, Place, short_label
from ui.figures.matrix import Matrix

Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Before:
    """The numbers of before, for a heatmap that shows by how much they have moved."""

    values: FloatArray  # NaN where a cell was hidden, or held no number
    is_lost: BoolArray  # where it held no number, though nothing hid it
    then: str  # in words, as in "before 0.21"

    @property
    def was_hidden(self) -> BoolArray:
        return np.isnan(self.values) & ~self.is_lost


@dataclass(frozen=True, eq=False)
class Heatmap:
    """A matrix with its colours. Where a cell is hidden, its value is NaN."""

    matrix: Matrix
    values: FloatArray
    low: float  # the number that has the first colour of the scale
    high: float  # and the one that has the last
    scale: str
    before: Before | None = None

    @property
    def name(self) -> str:
        return self.matrix.name

    @property
    def shape_of_array(self) -> tuple[int, int]:
        """Rows and columns of the array that it shows."""
        rows, columns = self.values.shape
        return (columns, rows) if self.matrix.is_transposed else (rows, columns)

    @property
    def range_name(self) -> str:
        """Whose range of colours it has: its own, or that of its group."""
        return self.name if self.matrix.has_own_range else self.matrix.group

    @property
    def may_hide(self) -> bool:
        """Whether a cell may be hidden, now or before."""
        was_hidden = self.before is not None and bool(self.before.was_hidden.any())
        return self.matrix.masked is not None or was_hidden

    @property
    def is_lost(self) -> BoolArray:
        """Which cells are not numbers, though nothing hides them."""
        is_lost: BoolArray = np.isnan(self.values)
        return is_lost if self.matrix.masked is None else is_lost & ~self.matrix.masked

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names that tell rows apart, where their labels do not."""
        return _names(tuple(self.matrix.row_labels))

    @property
    def column_names(self) -> tuple[str, ...]:
        return _names(tuple(self.matrix.column_labels))

    @property
    def words_of_caption(self) -> list[str]:
        """Its caption without the last words, which say how far its own range of colours goes."""
        *words, _ = self.matrix.caption.split("; ")
        return words

    def saying(self, **words: Any) -> Heatmap:
        """The same with other words around it."""
        return replace(self, matrix=replace(self.matrix, **words))


class CornerWords(NamedTuple):
    """What stands above a matrix, at the left: its row's title, and what its axes are."""

    title: str
    axes: list[str]


def corner_of(matrix: Matrix, place: Place) -> CornerWords:
    if not place.writes_row_labels:
        return CornerWords("", [])
    return CornerWords(matrix.row_title, matrix.axes if place.writes_column_labels else [])


def row_ticks(matrix: Matrix, place: Place) -> list[str]:
    """The labels that are written at its rows."""
    return [*map(short_label, matrix.row_labels)] if place.writes_row_labels else []


def column_ticks(matrix: Matrix, place: Place) -> list[str]:
    return [*map(short_label, matrix.column_labels)] if place.writes_column_labels else []


class Tick(NamedTuple):
    """A number beside a colour bar."""

    value: float
    text: str


@dataclass(frozen=True)
class ColorBar:
    """What the colours of a group stand for. It is as high as the matrix that it stands beside."""

    group: str
    scale: str
    title: str  # where another bar stands beside it
    range: Range
    ticks: tuple[Tick, ...]
    left: Length
    top: Length


@dataclass(frozen=True)
class Arrangement:
    """A place for each heatmap of a figure, in their order."""

    places: tuple[Place, ...]
    bars: tuple[ColorBar, ...]
    width: Length
    height: Length
    free: FreePlace | None = None  # where the page may show something else


@dataclass(frozen=True)
class CellSizes:
    """How large a cell may be, in pixels.

    `widest` is a number as text: cells have room for it and for their own. `text`, if given, is the
    size at which numbers are to be read. Cells of `enough`, if given, are large enough for an
    arrangement, whatever numbers they hold. `by_touch`, if given, is the least for a finger: the
    figure is rather scrolled than that its cells cannot be hit. On a screen that is touched,
    matrices rather stand in fewer columns, and numbers rather lose decimals, than that these are
    smaller than `text_by_touch`, if given.
    """

    least: float
    preferred: float
    most: float
    widest: str
    text: int | None
    enough: float | None = None
    by_touch: float | None = None
    text_by_touch: float | None = None


@dataclass(frozen=True)
class Walk:
    """Which matrices are computed while people watch, and the arithmetic of each number."""

    begins_by_itself: bool
    results: list[str]
    arithmetic: Mapping[str, list[list[str]]]


@dataclass(frozen=True, eq=False)
class Figure:
    """Heatmaps, and the ways in which they can be arranged, the widest first."""

    heatmaps: tuple[Heatmap, ...]
    arrangements: tuple[Arrangement, ...]
    scales: Mapping[str, theme.Themed]
    cells: CellSizes
    decimals: int | None  # None where no numbers are written into cells
    can_zoom: bool
    words: str = ""  # what has moved
    follows_drags: bool = False  # a drag shows what it has moved
    keeps_colors: bool = False  # during a drag, because another figure shares them
    walk: Walk | None = None

    @property
    def count(self) -> int:
        """How many cells it has."""
        return sum(heatmap.values.size for heatmap in self.heatmaps)

    def named(self, name: str) -> Heatmap:
        return next(heatmap for heatmap in self.heatmaps if heatmap.name == name)


@lru_cache(maxsize=64)
def _names(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(distinct_names(labels))
