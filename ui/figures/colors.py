"""Colours of numbers, and colours mixed, as `ui/plot/js/board/colors.js` gives them on screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mha_core.checks.shapes import BoolArray, FloatArray

SHADES: Final = 1024  # of a colour scale

Channels = NDArray[np.uint8]  # red, green and blue in the last axis


@dataclass(frozen=True)
class Colors:
    """The colours of one matrix: a scale over a range, and one for what is no number."""

    scale: tuple[tuple[float, str], ...]
    low: float
    high: float
    lost: str

    def of(self, values: FloatArray, is_lost: BoolArray) -> Channels:
        """A colour for each number; that of a hidden one, NaN, means nothing."""
        shades = shades_of(self.scale)
        known = np.where(np.isfinite(values), values, self.low)
        share = (known - self.low) / (self.high - self.low)
        found: Channels = shades[(np.clip(share, 0, 1) * (SHADES - 1) + 0.5).astype(int)]
        found[is_lost] = rgb(self.lost)
        return found


@lru_cache(maxsize=32)
def shades_of(scale: tuple[tuple[float, str], ...]) -> Channels:
    """A colour scale in small even steps."""
    stops = [stop for stop, _ in scale]
    channels = np.array([rgb(color) for _, color in scale], float)
    at = np.linspace(0, 1, SHADES)
    mixed = [np.interp(at, stops, channels[:, i]) for i in range(3)]
    shades = (np.stack(mixed, axis=-1) + 0.5).astype(np.uint8)
    shades.flags.writeable = False
    return shades


def ink_on(color: Sequence[int]) -> str:
    """Black or white, whichever is read better on a colour."""
    light = luminance(color) + 0.05
    return "#ffffff" if 1.05 / light > light / 0.05 else "#000000"


def luminance(color: Sequence[int]) -> float:
    """How bright a colour looks, from 0 for black to 1 for white, as WCAG defines it."""
    red, green, blue = (_linear(channel / 255) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


@lru_cache(maxsize=4096)
def hex_of(red: int, green: int, blue: int) -> tuple[str, str]:
    """A colour as text, and the ink that is read on it."""
    return hex_color((red, green, blue)), ink_on((red, green, blue))


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
