"""How colours look: what lies between two, how bright they are, what can be read on them."""

from __future__ import annotations

from itertools import pairwise

from ui import theme


def color_at(scale: theme.ColorScale, position: float) -> str:
    """The colour between the stops of a scale, at a position from 0 to 1.

    >>> color_at([(0.0, "#000000"), (1.0, "#ffffff")], 0.5)
    '#808080'
    """
    for (start, low), (stop, high) in pairwise(scale):
        if position <= stop:
            share = (position - start) / (stop - start)
            pairs = zip(_channels(low), _channels(high), strict=True)
            return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
    return scale[-1][1]


def luminance(color: str) -> float:
    """How bright a "#rrggbb" colour looks, from 0 for black to 1 for white (WCAG's definition).

    >>> luminance("#ffffff")
    1.0
    """
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(color))
    ]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 6)


def ink_on(color: str) -> str:
    """Black or white, whichever stands out more on a "#rrggbb" colour.

    >>> ink_on("#2d1a8e"), ink_on("#f6f5fc")
    ('#ffffff', '#000000')
    """
    brightness = luminance(color) + 0.05
    return "#ffffff" if 1.05 / brightness > brightness / 0.05 else "#000000"


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
