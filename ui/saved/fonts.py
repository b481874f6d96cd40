"""The letters of a saved page, so that it looks the same on every machine.

They are those of Source Sans 3 that people write most; all other signs come from the machine's own
fonts. Where fontTools is missing, all of them do.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Set
from functools import cache
from typing import Final

from ui.prints.fonts import BOLD, REGULAR
from ui.prints.svg import letters_of

SIGNS: Final = "\u2212\u2018\u2019\u201c\u201d∞·×±→↓↑√≤…₀₁₂₃₄₅₆₇₈₉ᵀᴹ"  # of formulas and of texts
USUAL: Final = "".join(map(chr, range(0x20, 0x7F))) + SIGNS
LATIN: Final = "".join(map(chr, (*range(0xA0, 0x180),)))
WEIGHTS: Final = {400: REGULAR, 600: BOLD}
# What a page asks of a font: letters that stand well beside each other, and digits of one width.
FEATURES: Final = ("kern", "liga", "ccmp", "locl", "mark", "mkmk", "tnum")


def fonts_for(letters: Set[str]) -> dict[int, bytes]:
    """The fonts by their weights. They have Latin letters beyond the usual ones if one is used."""
    others = letters & frozenset(LATIN) - frozenset(USUAL)
    return _fonts_with(USUAL + LATIN if others else USUAL, "")


@cache
def font_faces() -> str:
    """The fonts as CSS, within it."""
    return "\n".join(
        '@font-face { font-family: "Source Sans 3"; '
        f"font-weight: {weight}; "
        f"src: url(data:font/woff;base64,{b64encode(font).decode()}); }}"
        for weight, font in _fonts_with(USUAL + LATIN, "woff").items()
    )


@cache
def _fonts_with(letters: str, flavor: str) -> dict[int, bytes]:
    """Unpacked unless they have a flavor: a page packs them with all else."""
    try:
        return {
            weight: letters_of(face, letters, flavor, FEATURES, hinting=False)
            for weight, face in WEIGHTS.items()
        }
    except ImportError:
        return {}
