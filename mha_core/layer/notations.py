"""How operations are written: as text, in LaTeX and in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Notation(NamedTuple):
    """How operations are written. A part goes into each slot {}."""

    times: str
    minus: str
    over: str
    function: str  # of a name and an argument
    exp: str
    largest: str
    power: str
    brackets: str
    minus_infinity: str
    rest: str  # of many terms: of what stands for them, and how many there are, in words
    dots: str  # what stands for terms that are not named


NOTATIONS: Final[Mapping[str, Notation]] = {
    "text": Notation(
        "·",
        " − ",
        "{} / {}",
        "{}({})",
        "exp({})",
        "max({})",
        "{}^{}",
        "({})",
        "−∞",
        "{} ({})",
        "…",
    ),
    "latex": Notation(
        r" \cdot ",
        " - ",
        r"\frac{{{}}}{{{}}}",
        r"\{}({})",
        r"e^{{{}}}",
        r"\max({})",
        "{}^{{{}}}",
        "({})",
        r"-\infty",
        r"\underbrace{{{}}}_{{\text{{{}}}}}",
        r"\ldots",
    ),
    "python": Notation(
        " * ",
        " - ",
        "{} / {}",
        "np.{}({})",
        "np.exp({})",
        "max([{}])",
        "{} ** {}",
        "({})",
        "-np.inf",
        "",
        "",
    ),
}


def in_brackets_if_negative(text: str, notation: Notation) -> str:
    """A number or a product behind a sign, in brackets if it is negative."""
    return notation.brackets.format(text) if is_negative(text) else text


def is_negative(text: str) -> bool:
    return text[:1] in "-−"
