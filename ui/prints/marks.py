"""What a sheet of paper holds: rectangles, lines, texts, fields of colour. Lengths are in pixels.

All colours are "#rrggbb" and opaque: what looks pale is mixed with the ground beforehand. So every
kind of file can draw every mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Anchor = Literal["start", "middle", "end"]
Pixels = NDArray[np.uint8]  # rows of red, green, blue and opacity


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


Mark = Rect | Lines | Text | Image | Gradient

MARGIN: Final = 12


@dataclass(frozen=True)
class Sheet:
    """A picture on paper. `paper` is None where its ground is transparent.

    `scale` is how many pixels of the paper a pixel of the marks is. `title` says what it shows;
    `notes` what a reader has to know, as that its cells are an image.
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


def moved(mark: Mark, x: float, y: float) -> Mark:
    """The mark in another place."""
    if isinstance(mark, Lines):
        return replace(mark, ways=[[(a + x, b + y) for a, b in way] for way in mark.ways])
    return replace(mark, x=mark.x + x, y=mark.y + y)


def mixed(color: str, ground: str, opacity: float) -> str:
    """A colour as it looks where it lies on a ground and lets some of it through.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    over, under = rgb(color), rgb(ground)
    return hex_color([opacity * a + (1 - opacity) * b for a, b in zip(over, under, strict=True)])


def rgb(color: str) -> tuple[int, int, int]:
    """Red, green and blue.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def hex_color(channels: Sequence[float]) -> str:
    return "#" + "".join(f"{int(channel + 0.5):02x}" for channel in channels)
