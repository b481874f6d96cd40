"""A lesson as slides: a frame a step, with its picture or its matrices, and a note to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mha_core.io.latex.lesson import Lesson, meaning
from mha_core.io.latex.matrices import Room, ShownMatrix, places, shown
from mha_core.io.latex.preamble import COMMON, display, document, picture
from mha_core.io.latex.prose import counted, prose
from mha_core.layer.steps import Step

# A slide is 398 points wide between its margins. Numbers of 11 points are made smaller, but not
# smaller than two thirds of that: they are seen from far. Widths are those of 10 points.
ROOM: Final = Room(rows=8, columns=8, width=398 / 1.1 / 0.67)
MOST_HEADS: Final = 4  # side by side
_BETWEEN: Final = 20.0  # points
_HEIGHT: Final = r"0.45\textheight"
_PICTURE: Final = r"0.55\textheight"
_FORMULA: Final = r"0.15\textheight"
_PREAMBLE: Final = rf"""\documentclass[aspectratio=169,11pt,usepdftitle=false]{{beamer}}
\usefonttheme[onlymath]{{serif}}
\setbeamertemplate{{navigation symbols}}{{}}
\setbeamertemplate{{footline}}{{\hfill\scriptsize\insertframenumber\hspace{{8pt}}\vspace{{6pt}}}}
% \setbeameroption{{show notes}} shows what to say beside each slide
{COMMON}"""


def slides(lesson: Lesson) -> str:
    """The whole file."""
    frames = [_title(lesson), *(_frame(lesson, step) for step in lesson.steps)]
    return document(_PREAMBLE, bool(lesson.pictures), "\n\n".join(frames))


def _title(lesson: Lesson) -> str:
    first, second, *setting = lesson.sentences
    words = f"{first}\\par\\medskip {second}\\par\\medskip {{\\scriptsize {lesson.signs}}}"
    return (
        f"\\title{{{prose(lesson.title)}}}\n\\author{{}}\n\\date{{}}\n"
        "\\begin{frame}\n\\centering\n"
        f"{{\\usebeamerfont{{title}}\\usebeamercolor[fg]{{title}}\\inserttitle\\par}}\\bigskip\n"
        f"{words}\n\\note{{{' '.join([first, second, *setting])}}}\n\\end{{frame}}"
    )


def _frame(lesson: Lesson, step: Step[Any]) -> str:
    parts = "\n\n".join(_parts(lesson, step))
    return (
        f"\\begin{{frame}}{{{step.title}}}\n\\centering\n{parts}\n"
        f"\\note{{{meaning(step)}}}\n\\end{{frame}}"
    )


def _parts(lesson: Lesson, step: Step[Any]) -> Iterator[str]:
    if step.name in lesson.pictures:
        yield picture(lesson.pictures[step.name], _PICTURE)
        left_out = ""
    else:
        found, left_out = _matrices(lesson, step)
        yield display("\n\\quad\n".join(each.latex for each in found), _HEIGHT)
    if formula := lesson.formula(step):
        yield display(formula, _FORMULA)
    yield rf"{{\small Shape: ${lesson.shape(step)}$.{left_out}}}\par\medskip"
    yield meaning(step)


def _matrices(lesson: Lesson, step: Step[Any]) -> tuple[list[ShownMatrix], str]:
    """The matrices that there is room for side by side, and a word where there are more."""
    matrices, cell = lesson.matrices(step), lesson.cell_of(step.name)
    most = min(MOST_HEADS, len(matrices))
    while True:
        of_heads = places(len(matrices), most, cell.head or 0)
        found = [
            shown(lesson.trace, matrices[place], lesson.decimals, ROOM, cell) for place in of_heads
        ]
        width = sum(each.width + _BETWEEN for each in found)
        if width <= ROOM.width or most <= 1:
            break
        most -= 1
    said = ""
    if len(found) < len(matrices):
        said = f" {counted(len(found), 'head')} of {len(matrices)} shown."
    if not found[0].is_whole:
        said += " Dots stand for the rest."
    return found, said
