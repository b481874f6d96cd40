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
    functions: Mapping[str, str]  # those that are written in a way of their own
    largest: str
    power: str
    brackets: str
    minus_infinity: str
    rest: str  # of many terms: of what stands for them, and how many there are, in words
    dots: str  # what stands for terms that are not named

    def applied(self, function: str, argument: str) -> str:
        """A function of one number, as it is written.

        >>> NOTATIONS["text"].applied("sigmoid", "x"), NOTATIONS["python"].applied("silu", "x")
        ('σ(x)', '(x / (1 + np.exp(-(x))))')
        """
        if function in self.functions:
            return self.functions[function].format(argument)
        return self.function.format(function, argument)


# Functions that LaTeX has no sign for.
WITHOUT_SIGN: Final = ("softplus", "silu", "relu", "hardswish")

NOTATIONS: Final[Mapping[str, Notation]] = {
    "text": Notation(
        "·",
        " − ",
        "{} / {}",
        "{}({})",
        {"sigmoid": "σ({})"},
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
        {
            "exp": r"e^{{{}}}",
            "sqrt": r"\sqrt{{{}}}",
            "sigmoid": r"\sigma({})",
            **{name: rf"\mathrm{{{{{name}}}}}({{}})" for name in WITHOUT_SIGN},
        },
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
        {
            "sigmoid": "(1 / (1 + np.exp(-({}))))",
            "ln": "np.log({})",
            "softplus": "np.logaddexp(0, {})",
            "silu": "({0} / (1 + np.exp(-({0}))))",
            "relu": "np.maximum({}, 0)",
            "hardswish": "({0} * np.clip({0} / 6 + 0.5, 0, 1))",
        },
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
