"""The letters of a saved page, so that it looks the same on every machine.

They are those of Source Sans 3 that people write most; all other signs come from the machine's own
fonts. Where fontTools is missing, all of them do.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Final

from ui.prints.fonts import BOLD, REGULAR
from ui.prints.svg import letters_of

# Latin letters, the signs of formulas, arrows and quotation marks.
LATIN: Final = (*range(0x20, 0x7F), *range(0xA0, 0x180))
SIGNS: Final = "\u2212\u2018\u2019\u201c\u201d∞·×→↓↑√≤…₀₁₂₃₄₅₆₇₈₉ᵀᴹ"
LETTERS: Final = "".join(map(chr, LATIN)) + SIGNS
WEIGHTS: Final = {REGULAR: 400, BOLD: 600}


@cache
def font_faces() -> str:
    """The fonts as CSS, within it."""
    try:
        return "\n".join(
            '@font-face { font-family: "Source Sans 3"; '
            f"font-weight: {weight}; "
            f"src: url(data:font/woff;base64,{b64encode(letters_of(face, LETTERS)).decode()}); }}"
            for face, weight in WEIGHTS.items()
        )
    except ImportError:
        return ""
