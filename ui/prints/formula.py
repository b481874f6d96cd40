"""A formula as marks: LaTeX becomes MathML, whose parts are put beside, above and below each other.

Only what the formulas of the explorer hold is laid out: letters, numbers, signs, rows, indices,
fractions, roots.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree as Tree

from latex2mathml.converter import convert

from ui.figures.marks import Lines, Mark, Text, moved
from ui.prints.fonts import ITALIC, REGULAR, width_of

ASCENT: Final = 0.72  # font sizes of a letter above its baseline
DESCENT: Final = 0.22  # and below it
AXIS: Final = 0.27  # font sizes from the baseline to the line of a fraction
SMALLER: Final = 0.7  # of an index
RAISED: Final = 0.38  # font sizes, of an exponent
LOWERED: Final = 0.2  # font sizes, of an index
PEN: Final = 0.05  # font sizes
APART: Final = 0.25  # font sizes on both sides of a sign that stands between two parts
BETWEEN: Final = frozenset("=+\N{MINUS SIGN}-×·/∈÷⊙∘≤≥<>→≈")
THIN: Final = 0.17
_NAMESPACE: Final = re.compile(r"^\{.*\}")


@dataclass(frozen=True)
class Formula:
    """Marks from the left end of the baseline, at (0, 0), and how far they go."""

    marks: Sequence[Mark]
    width: float
    ascent: float
    descent: float

    def at(self, x: float, y: float) -> list[Mark]:
        return moved(self.marks, x, y)


def formula_of(latex: str, size: float, fill: str, least: float = 0) -> Formula:
    """A formula at a size of letters. Indices are smaller, but not smaller than the least size."""
    return _Setter(fill, least).set(_parsed(latex), size)


@lru_cache(maxsize=512)
def _parsed(latex: str) -> Tree.Element:
    root = Tree.fromstring(convert(latex))
    for part in root.iter():
        _tell_first_signs(list(part))
    return root


def _tell_first_signs(row: Sequence[Tree.Element]) -> None:
    """A minus that comes first, or after another sign, belongs to what follows."""
    signs = [(part.text or "") in BETWEEN for part in row]
    for part, is_sign, follows_sign in zip(row, signs, [True, *signs], strict=False):
        if is_sign and follows_sign:
            part.set("form", "prefix")


@dataclass(frozen=True)
class _Setter:
    """Puts the parts of a formula in their places, in one colour."""

    fill: str
    least: float

    def set(self, part: Tree.Element, size: float) -> Formula:
        tag = _NAMESPACE.sub("", part.tag)
        children = list(part)
        match tag:
            case "mi" | "mn" | "mo" | "mtext":
                return self._word(part, tag, size)
            case "msub" | "munder":
                return self._indexed(children[0], children[1], None, size)
            case "msup" | "mover":
                return self._indexed(children[0], None, children[1], size)
            case "msubsup" | "munderover":
                return self._indexed(children[0], children[1], children[2], size)
            case "mfrac":
                return self._fraction(children[0], children[1], size)
            case "msqrt":
                return self._root(children, size)
            case "mspace":
                return _space(size * float(part.get("width", "0em").removesuffix("em")))
            case _:
                return self._row(children, size)

    def _row(self, parts: Sequence[Tree.Element], size: float) -> Formula:
        return side_by_side([self.set(part, size) for part in parts])

    def _word(self, part: Tree.Element, tag: str, size: float) -> Formula:
        text = (part.text or "").replace("\N{NO-BREAK SPACE}", " ").replace("-", "\N{MINUS SIGN}")
        is_italic = tag == "mi" and len(text) == 1 and part.get("mathvariant") != "normal"
        width = width_of(text, size, ITALIC if is_italic else REGULAR)
        is_sign = tag == "mo" and text in BETWEEN and part.get("form") not in ("prefix", "postfix")
        apart = APART * size if is_sign else THIN * size if text == "," else 0
        before = apart if is_sign else 0
        word = Text(before, 0, text, size, self.fill, italic=is_italic)
        marks = [word] if text.strip() else []
        return Formula(marks, width + before + apart, ASCENT * size, DESCENT * size)

    def _indexed(
        self,
        base: Tree.Element,
        below: Tree.Element | None,
        above: Tree.Element | None,
        size: float,
    ) -> Formula:
        body = self.set(base, size)
        marks, widths = list(body.marks), [0.0]
        small = min(size, max(SMALLER * size, self.least))
        ascent, descent = body.ascent, body.descent
        if below is not None:
            index = self.set(below, small)
            down = LOWERED * size
            marks += index.at(body.width, down)
            widths.append(index.width)
            descent = max(descent, down + index.descent)
        if above is not None:
            exponent = self.set(above, small)
            up = RAISED * size + exponent.descent - DESCENT * small
            marks += exponent.at(body.width, -up)
            widths.append(exponent.width)
            ascent = max(ascent, up + exponent.ascent)
        return Formula(marks, body.width + max(widths) + 0.04 * size, ascent, descent)

    def _fraction(self, above: Tree.Element, below: Tree.Element, size: float) -> Formula:
        top, bottom = self.set(above, size), self.set(below, size)
        width = max(top.width, bottom.width) + 0.2 * size
        line, gap = -AXIS * size, 0.12 * size
        up, down = line - gap - top.descent, line + gap + bottom.ascent
        marks = [
            *top.at((width - top.width) / 2, up),
            *bottom.at((width - bottom.width) / 2, down),
            Lines([[(0, line), (width, line)]], self.fill, PEN * size),
        ]
        apart = 0.1 * size
        whole = Formula(marks, width, top.ascent - up, down + bottom.descent)
        return replace(whole, marks=whole.at(apart, 0), width=width + 2 * apart)

    def _root(self, parts: Sequence[Tree.Element], size: float) -> Formula:
        body = self._row(parts, size)
        left, top, bottom = 0.55 * size, -body.ascent - 0.08 * size, body.descent
        way = [
            (0.05 * size, -0.3 * size),
            (0.15 * size, -0.36 * size),
            (0.32 * size, bottom),
            (left - 0.05 * size, top),
            (left + body.width + 0.05 * size, top),
        ]
        marks = [*body.at(left, 0), Lines([way], self.fill, PEN * size)]
        return Formula(marks, left + body.width + 0.1 * size, -top + PEN * size, bottom)


def side_by_side(parts: Sequence[Formula], apart: float = 0) -> Formula:
    """The parts on one line, with that much room between two of them."""
    marks: list[Mark] = []
    x = 0.0
    for part in parts:
        marks += part.at(x, 0)
        x += part.width + apart
    ascent = max((part.ascent for part in parts), default=0.0)
    descent = max((part.descent for part in parts), default=0.0)
    return Formula(marks, x - apart, ascent, descent)


def _space(width: float) -> Formula:
    return Formula((), width, 0, 0)
