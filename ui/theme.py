"""Colours, in one place, for both themes.

Every palette is safe for colour-blind readers: the sequential one changes in lightness from end to
end, the diverging one has blue against red with the same lightness on both sides of zero. That of
"print" has no hue, and goes from the one sign to the other in lightness.
"""

from __future__ import annotations

from typing import Final, Literal

Scale = Literal["diverging", "sequential"]
ColorScale = list[tuple[float, str]]
Themed = dict[str, ColorScale]  # a colour scale for the light theme and one for the dark

# Okabe and Ito's set; its yellow and black are replaced, as one vanishes on white and the other is
# the colour of the text.
HEAD_COLORS: Final = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#b8860b",
    "#56b4e9",
    "#7a4fb5",
    "#7d7d8a",
)

# In the dark theme zero sinks into the page and large values shine, so that "much" always means
# "far from the background".
_BLUE_RED: Final[Themed] = {
    "light": [
        (0.0, "#1b559c"),
        (0.25, "#7fa9d3"),
        (0.5, "#f7f7fa"),
        (0.75, "#de8f94"),
        (1.0, "#ad1a2c"),
    ],
    "dark": [
        (0.0, "#7cbcff"),
        (0.25, "#3c6a9c"),
        (0.5, "#23242f"),
        (0.75, "#9c4a4e"),
        (1.0, "#ff9a94"),
    ],
}
_VIOLET_OCHRE: Final[Themed] = {
    "light": [
        (0.0, "#5b3c99"),
        (0.25, "#a99bd0"),
        (0.5, "#f9f9f9"),
        (0.75, "#e0a15c"),
        (1.0, "#8a4800"),
    ],
    "dark": [
        (0.0, "#c2b0ff"),
        (0.25, "#6a5a9e"),
        (0.5, "#23242f"),
        (0.75, "#8f6534"),
        (1.0, "#ffb062"),
    ],
}
_GREY: Final[Themed] = {
    "light": [(0.0, "#f9f9f9"), (1.0, "#262626")],
    "dark": [(0.0, "#23242f"), (1.0, "#f2f2f2")],
}
# Zero lies between the signs: where there is no hue, lightness alone can tell them apart.
_SIGNED_GREY: Final[Themed] = {
    "light": [(0.0, "#ffffff"), (0.5, "#a6a6a6"), (1.0, "#1a1a1a")],
    "dark": [(0.0, "#0c0c14"), (0.5, "#62626c"), (1.0, "#f2f2f2")],
}
PALETTES: Final[dict[str, dict[Scale, Themed]]] = {
    "indigo": {
        "diverging": _BLUE_RED,
        "sequential": {
            "light": [(0.0, "#f6f5fc"), (0.5, "#9a8fcb"), (1.0, "#2d1a8e")],
            "dark": [(0.0, "#23242f"), (0.5, "#6357ab"), (1.0, "#cdc4ff")],
        },
    },
    "teal": {
        "diverging": _VIOLET_OCHRE,
        "sequential": {
            "light": [(0.0, "#f2f8f7"), (0.5, "#7ab5ae"), (1.0, "#00504a")],
            "dark": [(0.0, "#23242f"), (0.5, "#2f7f78"), (1.0, "#a8f0e6")],
        },
    },
    "grey": {"diverging": _VIOLET_OCHRE, "sequential": _GREY},
    "print": {"diverging": _SIGNED_GREY, "sequential": _GREY},  # for paper without colours
}
# For small pictures: a minus, a plus and a share of a whole, which stand out from a light page and
# from a dark one.
ON_BOTH: Final[dict[str, tuple[str, str, str]]] = {
    "indigo": ("#4384c9", "#d0454f", "#6f60c8"),
    "teal": ("#8570c4", "#b97a2c", "#2f9087"),
    "grey": ("#8570c4", "#b97a2c", "#858585"),
    "print": ("#858585", "#858585", "#858585"),
}
# The colours of differences. No palette has these two hues: a difference never looks like a number.
DIFFERENCE: Final[Themed] = {
    "light": [
        (0.0, "#96206f"),
        (0.25, "#d291bb"),
        (0.5, "#f7f7f7"),
        (0.75, "#93b566"),
        (1.0, "#3f6212"),
    ],
    "dark": [
        (0.0, "#ff9fdc"),
        (0.25, "#8f4a7a"),
        (0.5, "#23242f"),
        (0.75, "#55702c"),
        (1.0, "#a6d458"),
    ],
}
DEFAULT_PALETTE: Final = "indigo"


def head_color(head: int) -> str:
    """The colour of a head, counted from 0; the set begins again after eight.

    >>> head_color(0) == head_color(8)
    True
    """
    return HEAD_COLORS[head % len(HEAD_COLORS)]
