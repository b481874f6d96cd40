r"""Text as LaTeX that shows it and does nothing else: no label is ever a command.

All is ASCII, so pdfLaTeX and LuaLaTeX read the same. An accent stands before its letter. Signs that
the first fonts of LaTeX lack (Chinese, Arabic, an emoji) are boxes with their code points.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

# What LaTeX reads as more than a sign. Quotes, hyphens and the like would join into other signs.
_COMMANDS: Final = {
    **{sign: f"\\{sign}" for sign in "#%&_{}"},
    "$": r"\ensuremath{\mathdollar}",  # \$ asks for a second font, which not everybody has
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\`{}",
    "'": "'{}",
    "-": "-{}",
    '"': r"\texttt{\char34}",
}
_LETTERS: Final = {
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}"},
    **{"ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "¡": r"!`{}", "¿": r"?`{}"},
    **{"“": "``{}", "”": "''{}", "\u2018": "`{}", "’": "'{}", "–": "--{}", "—": "---{}"},
    "…": r"\dots{}",
}
_IN_MATH: Final = {
    **{"§": r"\mathsection", "¶": r"\mathparagraph", "£": r"\mathsterling"},
    **{"×": r"\times", "÷": r"\div", "±": r"\pm", "−": "-", "·": r"\cdot", "∞": r"\infty"},
    **{"≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "√": r"\surd", "°": r"{}^\circ"},
    **{"→": r"\to", "←": r"\gets", "↑": r"\uparrow", "↓": r"\downarrow", "∈": r"\in"},
    "\u03bf": r"\mathit{o}",
}
_GREEK: Final = "αβγδεζηθικλμνξπρσςτυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_GREEK_NAMES: Final = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
    "varsigma tau upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi "
    "Psi Omega"
)
_LETTERS_IN_MATH: Final = {
    letter: f"\\{name}" for letter, name in zip(_GREEK, _GREEK_NAMES.split(), strict=True)
}
_SIGNS: Final = {
    **_COMMANDS,
    **_LETTERS,
    **{sign: rf"\ensuremath{{{latex}}}" for sign, latex in (_IN_MATH | _LETTERS_IN_MATH).items()},
}
# Combining signs of Unicode, and the accents that LaTeX's oldest encoding has.
_ACCENTS: Final = dict(
    zip(
        map(chr, (*range(0x300, 0x305), 0x306, 0x307, 0x308, 0x30A, 0x30B, 0x30C, 0x323, 0x327)),
        ("`", "'", "^", "~", "=", "u", ".", '"', "r", "H", "v", "d", "c"),
        strict=True,
    )
)


@lru_cache(maxsize=1024)  # the same labels and words stand at many places
def escaped(text: str) -> str:
    r"""A text of anybody as LaTeX shows it.

    >>> print(escaped(r"50% \input{x}"), escaped("CAFÉ"), escaped("a<b"))
    50\% \textbackslash{}input\{x\} CAF\'{E} a\textless{}b
    >>> print(escaped("🍕"))
    {\fboxsep=1pt\fbox{\tiny 1F355}}
    """
    shown = unicodedata.normalize("NFC", text)
    if shown.isspace():
        return r"\textvisiblespace{}" * len(shown)
    # TeX takes several blanks for one, and an empty line for the end of a paragraph.
    return re.sub(r"(?<= ) ", r"\\ ", "".join(map(_written, shown)))


def boxed(texts: Iterable[str]) -> dict[str, str]:
    """The code points that stand in boxes, and what they are, in the order of the text.

    >>> boxed(["A 🍕", "É"])
    {'1F355': 'slice of pizza'}
    """
    signs = dict.fromkeys(unicodedata.normalize("NFC", "".join(texts)))
    return {
        _code(sign): unicodedata.name(sign, "a sign without a name").lower()
        for sign in signs
        if is_boxed(sign)
    }


def is_boxed(sign: str) -> bool:
    """Whether LaTeX's first fonts lack a sign, so that a box stands for it."""
    is_plain = " " <= sign <= "~" or sign.isspace() or sign in _SIGNS
    return not is_plain and not _with_accent(sign)


def _written(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if " " <= sign <= "~":
        return sign
    if sign.isspace():
        return " "
    return _with_accent(sign) or rf"{{\fboxsep=1pt\fbox{{\tiny {_code(sign)}}}}}"


def _with_accent(sign: str) -> str:
    """A letter with one accent, built by LaTeX; "" for any other sign."""
    letter, *accents = list(unicodedata.normalize("NFD", sign))
    if len(accents) != 1 or accents[0] not in _ACCENTS or not letter.isascii():
        return ""
    accent = _ACCENTS[accents[0]]
    is_dotted = letter in "ij" and accent not in "cd"  # an accent above takes the dot's place
    return rf"\{accent}{{\{letter}}}" if is_dotted else rf"\{accent}{{{letter}}}"


def _code(sign: str) -> str:
    return f"{ord(sign):04X}"
