"""What a sheet of paper holds: rectangles, lines, texts, fields of colour. Lengths are in pixels.

All colours are "#rrggbb" and opaque: what looks pale is mixed with the ground beforehand. So every
kind of file can draw every mark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mha_core.checks.shapes import BoolArray

Anchor = Literal["start", "middle", "end"]
Pixels = NDArray[np.uint8]  # rows of red, green, blue and opacity

MARGIN: Final = 12  # around a picture
HATCH: Final = 6 * math.sqrt(2)  # pixels from one line of a hatching to the next, along a row
HATCH_PEN: Final = 1.2
BELOW_MIDDLE: Final = 0.35  # font sizes from the middle of a number to its baseline


class Box(NamedTuple):
    """Where something is."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Rect:
    """A filled rectangle; `radius` rounds its corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0


@dataclass(frozen=True)
class Lines:
    """Lines that are drawn with one pen, each through two or more points."""

    ways: Sequence[Sequence[tuple[float, float]]]
    stroke: str
    width: float


@dataclass(frozen=True)
class Text:
    """One line of text on its baseline, turned by `angle` degrees about its start."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    italic: bool = False
    anchor: Anchor = "start"
    angle: float = 0


@dataclass(frozen=True, eq=False)
class Image:
    """Many cells as one image, a pixel each, stretched over its place without smoothing."""

    x: float
    y: float
    width: float
    height: float
    pixels: Pixels


@dataclass(frozen=True)
class Gradient:
    """A bar whose colour goes through some stops, from its bottom to its top."""

    x: float
    y: float
    width: float
    height: float
    stops: Sequence[tuple[float, str]]


@dataclass(frozen=True, eq=False)
class Grid:
    """A matrix cell by cell: the colour of each ("" for none), its number, whether it is hatched.

    The gaps between cells show the ground, whatever it is.
    """

    x: float
    y: float
    width: float
    height: float
    gap: float
    fills: Sequence[Sequence[str]]
    texts: Sequence[Sequence[str]]  # empty where no numbers are written
    inks: Sequence[Sequence[str]]  # the colour of each number
    size: float  # of the numbers
    hatched: BoolArray
    hatch: str  # the colour of the hatching

    @property
    def cell_width(self) -> float:
        return self.width / len(self.fills[0])

    @property
    def cell_height(self) -> float:
        return self.height / len(self.fills)

    def parts(self) -> Iterator[Rect | Lines | Text]:
        """The same as other marks, for files that know no tables."""
        yield from self._cells()
        if self.hatched.any():
            yield Lines([*self._hatching()], self.hatch, HATCH_PEN)
        yield from self._numbers()

    def _cells(self) -> Iterator[Rect]:
        size = self.cell_width - self.gap, self.cell_height - self.gap
        for row, fills in enumerate(self.fills):
            for column, fill in enumerate(fills):
                if fill:
                    yield Rect(*self._corner(row, column), *size, fill)

    def _numbers(self) -> Iterator[Text]:
        for row, texts in enumerate(self.texts):
            y = self.y + (row + 0.5) * self.cell_height + BELOW_MIDDLE * self.size
            for column, text in enumerate(texts):
                if text:
                    x = self.x + (column + 0.5) * self.cell_width
                    yield Text(x, y, text, self.size, self.inks[row][column], anchor="middle")

    def _hatching(self) -> Iterator[list[tuple[float, float]]]:
        """Lines from the right top to the left bottom of each hatched cell."""
        for row, column in np.argwhere(self.hatched):
            left, top = self._corner(row, column)
            right, bottom = left + self.cell_width - self.gap, top + self.cell_height - self.gap
            first, last = math.ceil((left + top) / HATCH), math.floor((right + bottom) / HATCH)
            for total in (number * HATCH for number in range(first, last + 1)):  # x + y
                start, stop = min(right, total - top), max(left, total - bottom)
                if start - stop > 0.1:
                    yield [(start, total - start), (stop, total - stop)]

    def _corner(self, row: int, column: int) -> tuple[float, float]:
        x, y = self.x + column * self.cell_width, self.y + row * self.cell_height
        return x + self.gap / 2, y + self.gap / 2


Part = Rect | Lines | Text | Image | Gradient
Mark = Part | Grid


@dataclass(frozen=True)
class Sheet:
    """A picture on paper. `paper` is None where its ground is transparent.

    `scale` is how many pixels of the paper one pixel of the marks takes. `title` says what it
    shows; `notes` what a reader has to know, such as that its cells are an image.
    """

    width: float
    height: float
    marks: Sequence[Mark]
    paper: str | None
    title: str
    notes: Sequence[str] = ()
    scale: float = 1

    @property
    def paper_width(self) -> float:
        return self.width * self.scale

    @property
    def paper_height(self) -> float:
        return self.height * self.scale

    @property
    def parts(self) -> Iterator[Part]:
        """Its marks without grids, for files that know no tables."""
        for mark in self.marks:
            if isinstance(mark, Grid):
                yield from mark.parts()
            else:
                yield mark


def moved(marks: Iterable[Mark], x: float, y: float) -> list[Mark]:
    """Marks in another place."""
    return [_moved(mark, x, y) for mark in marks]


def _moved(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Lines):
        return replace(mark, ways=[[(a + x, b + y) for a, b in way] for way in mark.ways])
    return replace(mark, x=mark.x + x, y=mark.y + y)


def scaled(marks: Iterable[Mark], times: float) -> list[Mark]:
    """Marks enlarged by a factor."""
    return [_scaled(mark, times) for mark in marks]


def _scaled(mark: Mark, times: float) -> Mark:
    if isinstance(mark, Lines):
        ways = [[(a * times, b * times) for a, b in way] for way in mark.ways]
        return replace(mark, ways=ways, width=mark.width * times)
    lengths = ("x", "y", "width", "height", "gap", "size", "radius")
    return replace(mark, **{n: getattr(mark, n) * times for n in lengths if hasattr(mark, n)})
