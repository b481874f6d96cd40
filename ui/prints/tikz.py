r"""A sheet as a `tikzpicture`: cells are filled rectangles, texts are texts of the document.

A document that it is pasted into must load tikz, which loads xcolor. Cells that would be an image
have no TikZ: TeX takes too long to draw thousands of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mha_core.checks.errors import OptionError
from mha_core.io.latex.words import escaped
from mha_core.language import say
from ui.figures.colors import SHADES, hex_of, shades_of
from ui.figures.marks import Gradient, Grid, Image, Lines, Part, Rect, Sheet, Text

POINTS: Final = 0.75  # big points, of a pixel
STEPS_OF_A_BAR: Final = 32
MOST_CELLS: Final = 4096
IN_A_CELL: Final = 0.82  # TeX's digits are wider than those that cells are made for
DOCUMENT: Final = r"""\documentclass[border=4bp]{standalone}
\usepackage{tikz}
\begin{document}
%s
\end{document}
"""
ANCHORS: Final = {"start": "base west", "middle": "base", "end": "base east"}


def why_no_tikz(sheet: Sheet) -> str:
    """Why a sheet has no TikZ; "" if it has."""
    count = sum(len(m.fills) * len(m.fills[0]) for m in sheet.marks if isinstance(m, Grid))
    if count <= MOST_CELLS and not any(isinstance(mark, Image) for mark in sheet.marks):
        return ""
    says = say("A picture in LaTeX has at most {limit:,} cells, each large enough to be seen.")
    return says.format(limit=MOST_CELLS)


def tikz_of(sheet: Sheet) -> str:
    """The picture, in the size of its paper."""
    if reason := why_no_tikz(sheet):
        raise OptionError(
            say("A picture in LaTeX"),
            say("must have cells that can be drawn one by one"),
            reason,
            say("Include the PDF of the picture instead."),
        )
    names: dict[str, str] = {}
    scale = sheet.scale * POINTS
    lines = [line for part in sheet.parts for line in _drawn(part, scale, names)]
    colors = [f"\\definecolor{{{name}}}{{HTML}}{{{color}}}" for color, name in names.items()]
    options = f"x={scale:.4f}bp,y=-{scale:.4f}bp,inner sep=0,outer sep=0"
    body = [f"\\begin{{tikzpicture}}[{options}]", *colors, *lines, "\\end{tikzpicture}"]
    return "\n".join(body)


def tikz_document(sheet: Sheet) -> str:
    """The picture as a document of its own, on a page that is as large as the picture."""
    return DOCUMENT % tikz_of(sheet)


def _drawn(part: Part, scale: float, names: dict[str, str]) -> Iterator[str]:
    def named(color: str) -> str:
        return names.setdefault(color[1:].upper(), f"c{len(names)}")

    match part:
        case Rect():
            rounded = f",rounded corners={part.radius * scale:.2f}bp" if part.radius else ""
            yield f"\\fill[{named(part.fill)}{rounded}] {_box(part)};"
        case Lines():
            ways = " ".join(" -- ".join(_at(x, y) for x, y in way) for way in part.ways)
            yield f"\\draw[{named(part.stroke)},line width={part.width * scale:.2f}bp] {ways};"
        case Text():
            yield _text(part, scale, named(part.fill))
        case Gradient():
            yield from _steps(part, named)
        case Image():
            raise AssertionError("a sheet with an image is refused")


def _text(text: Text, scale: float, color: str) -> str:
    size = text.size * scale * (IN_A_CELL if text.anchor == "middle" else 1)
    look = "".join(
        style for style, is_so in ((r"\bfseries", text.bold), (r"\itshape", text.italic)) if is_so
    )
    font = f"font=\\sffamily\\fontsize{{{size:.2f}bp}}{{{size:.2f}bp}}\\selectfont{look}"
    turn = f",rotate={-text.angle:g}" if text.angle else ""
    options = f"anchor={ANCHORS[text.anchor]},{color}{turn},{font}"
    return f"\\node[{options}] at {_at(text.x, text.y)} {{{escaped(text.text)}}};"


def _steps(bar: Gradient, named: Callable[[str], str]) -> Iterator[str]:
    """Colours one above the other; each reaches below the next, so that no gap is seen."""
    shades = shades_of(tuple(bar.stops))
    height = bar.height / STEPS_OF_A_BAR
    for number in range(STEPS_OF_A_BAR):
        color = shades[round((number + 0.5) / STEPS_OF_A_BAR * (SHADES - 1))]
        top = bar.y + bar.height - (number + 1) * height
        below = min(1.5 * height, bar.y + bar.height - top)
        rect = Rect(bar.x, top, bar.width, below, "")
        yield f"\\fill[{named(hex_of(*map(int, color))[0])}] {_box(rect)};"


def _box(rect: Rect) -> str:
    return f"{_at(rect.x, rect.y)} rectangle {_at(rect.x + rect.width, rect.y + rect.height)}"


def _at(x: float, y: float) -> str:
    return f"({x:.2f},{y:.2f})"
