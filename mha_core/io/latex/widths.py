"""How wide a text or a formula is on paper; rather too wide than too narrow: nothing may leave it.

Widths are in points, of letters of 10 points in LaTeX's own font.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import Final

from mha_core.io.latex.words import is_boxed

LINE: Final = 468.0  # of the document: a page of A4 has 210 mm less two margins of 22 mm
_KINDS: Final = {"ijl.,:;'|!": 3.1, "0123456789": 5.1, "ftrsI()[] ": 4.5, "mwMW%@": 10.4}
_SIGNS: Final = {sign: width for signs, width in _KINDS.items() for sign in signs}
_OTHERS: Final = 5.8
_CAPITALS: Final = 7.9
_OPERATION: Final = 13.5  # with the space on its sides
_MINUS: Final = 8.0  # before a number
_WORDLESS: Final = re.compile(r"\\(?:text|mathrm|frac|underbrace|fbox|tiny|fboxsep=1pt)(?![a-z])")
_COMMAND: Final = re.compile(r"\\(?:[a-zA-Z]+|.)")
_SILENT: Final = "{}_^&\n"


def width_of_text(text: str) -> float:
    """The width of a text of anybody."""
    return sum(map(_width_of_sign, unicodedata.normalize("NFC", text)))


def width_of_latex(latex: str) -> float:
    """The width of a formula in one line. Of parts above each other, both count."""
    plain = _WORDLESS.sub("", latex)
    commands = _COMMAND.findall(plain)
    signs = [sign for sign in _COMMAND.sub("", plain) if sign not in _SILENT]
    operations = sum(sign in "+-=" for sign in signs) + len(commands)
    letters = sum(_width_of_sign(sign) for sign in signs if sign not in "+-=")
    before_a_number = _OPERATION - _MINUS if plain.startswith("-") else 0.0
    return letters + _OPERATION * operations - before_a_number


def shortened(text: str, most: float) -> str:
    """A text at most this wide; a long one loses its middle, so that “THE (3)” keeps its number.

    >>> shortened("PIZZA", 60), shortened("CONSTANTINOPLE (3)", 60)
    ('PIZZA', 'CONS… (3)')
    """
    if width_of_text(text) <= most:
        return text
    end = text[-4:] if width_of_text(text[-4:]) <= most / 2 else ""
    room = most - width_of_text(f"…{end}")
    widths = accumulate(map(_width_of_sign, text))
    start = "".join(sign for sign, width in zip(text, widths, strict=True) if width <= room)
    return f"{start}…{end}"


@lru_cache(maxsize=1024)
def _width_of_sign(sign: str) -> float:
    if is_boxed(sign):
        return 6.0 + 4.2 * max(4, len(f"{ord(sign):X}"))
    letter = unicodedata.normalize("NFD", sign)[0]
    return _SIGNS.get(letter, _CAPITALS if letter.isupper() or not letter.isascii() else _OTHERS)
