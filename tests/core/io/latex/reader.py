"""A small reader of LaTeX: whether it is whole, and the numbers of its matrices."""

from __future__ import annotations

import re
from math import inf, nan

import numpy as np
import numpy.typing as npt

TOKEN = re.compile(r"\\(begin|end)\{([a-z*]+)\}|\\[a-zA-Z]+|\\.|[{}$%]", re.DOTALL)
MATRIX = re.compile(
    r"^([^\n]+?) =\n?(?:\\begin\{matrix\}(?:(?!\\end).)*\\end\{matrix\}\n)? ?"
    r"\\begin\{bmatrix\}\n(.*?)\n\\end\{bmatrix\}",
    re.DOTALL | re.MULTILINE,
)
POWER = re.compile(r"(.*) \\cdot 10\^\{(.*)\}")
WORDS = {r"-\infty": -inf, r"\infty": inf, r"\mathrm{NaN}": nan}
DOTS = (r"\cdots", r"\vdots", r"\ddots")


def assert_whole(latex: str) -> None:
    """Braces, environments and dollars are closed in the order in which they were opened."""
    opened: list[str] = []
    text = re.sub(r"(?<!\\)%[^\n]*", "", latex)
    for token in TOKEN.finditer(text):
        if token[1] == "begin" or token[0] == "{":
            opened.append(token[2] or "{")
        elif token[1] == "end" or token[0] == "}":
            assert opened, f"{token[0]} closes nothing"
            assert opened.pop() == (token[2] or "{"), f"{token[0]} closes something else"
        elif token[0] == "$":
            if opened and opened[-1] == "$":
                opened.pop()
            else:
                opened.append("$")
    assert not opened, f"{opened} stay open"


def matrices_in(latex: str) -> list[tuple[str, npt.NDArray[np.float64]]]:
    """Every `bmatrix` with its symbol. Of one with dots, the numbers that are there."""
    found = []
    for symbol in MATRIX.finditer(latex):
        rows = [row.strip().split(" & ") for row in symbol[2].split(" \\\\\n")]
        numbers = [
            [number(cell) for cell in row if cell not in DOTS]
            for row in rows
            if r"\vdots" not in row
        ]
        found.append((symbol[1], np.array(numbers)))
    return found


def number(text: str) -> float:
    if text in WORDS:
        return WORDS[text]
    if power := POWER.fullmatch(text):
        return float(f"{power[1]}e{power[2]}")
    return float(text)
