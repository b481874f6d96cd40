"""A lesson as slides: a frame a step, with its picture or its matrices, and a note to say.

Scores, weights and outputs are shown for all heads, on several frames if one is too small. On a
screen, a frame is about twice as wide as on paper: letters of 8.5 points look like 18.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mha_core.io.latex.layers import LayersTold
from mha_core.io.latex.lesson import Lesson
from mha_core.io.latex.matrices import Room, ShownMatrix, places, shown
from mha_core.io.latex.preamble import COMMON, display, document, picture
from mha_core.io.latex.prose import prose
from mha_core.layer.matrices import LabelledMatrix
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from mha_core.reading.head_orders import grouped, listed_heads
from mha_core.reading.sentences import all_readings

# A slide is 398 points wide between its margins. Numbers of 11 points may shrink to nine tenths of
# that, but no further: people see them from far. Widths are those of 10 points.
ROOM: Final = Room(rows=7, columns=8, width=398 / 1.1 / 0.9)
MOST_HEADS: Final = 4  # side by side
MOST_READINGS: Final = 4  # on the first slide
OF_ALL_HEADS: Final = ("masked_scores", "weights", "head_outputs")
_BETWEEN: Final = 20.0  # points
_HEIGHT: Final = r"0.45\textheight"
_PICTURE: Final = r"0.55\textheight"
_FORMULA: Final = r"0.15\textheight"
_PREAMBLE: Final = rf"""\documentclass[aspectratio=169,11pt,usepdftitle=false]{{beamer}}
\usefonttheme[onlymath]{{serif}}
\setbeamertemplate{{navigation symbols}}{{}}
\setbeamertemplate{{footline}}{{\hfill\footnotesize\insertframenumber\hspace{{8pt}}\vspace{{6pt}}}}
% \setbeameroption{{show notes}} shows what to say beside each slide
{COMMON}
\renewcommand{{\rowname}}[1]{{\text{{\small\color{{black!60}}#1}}}}
% indices too are read from the back of a room
\DeclareMathSizes{{10}}{{10}}{{9}}{{9}}
\DeclareMathSizes{{10.95}}{{10.95}}{{9.5}}{{9.5}}"""


def slides(told: LayersTold) -> str:
    """The whole file."""
    has_pictures = any(lesson.pictures for lesson in told.lessons)
    return document(_PREAMBLE, has_pictures, "\n\n".join(_all_frames(told)))


def _all_frames(told: LayersTold) -> Iterator[str]:
    yield _title(told.lessons[0])
    for number, lesson in enumerate(told.lessons):
        if told.are_several:
            words = told.x_of(number) if number else told.how_they_are_joined
            yield _plain_frame(f"Layer {number + 1}", words)
        for step in lesson.steps:
            yield from _frames(lesson, step)
    last = told.lessons[-1]
    for matrix in told.end:
        found = shown(last.trace, matrix, last.decimals, ROOM, None)
        yield _plain_frame(matrix.title, display(found.latex, _HEIGHT))


def _plain_frame(title: str, body: str) -> str:
    return f"\\begin{{frame}}{{{prose(title)}}}\n\\centering\n{body}\n\\end{{frame}}"


def _title(lesson: Lesson) -> str:
    first, second, *setting = lesson.sentences
    heads = range(lesson.trace.scenario.n_heads)
    readings = grouped(heads, all_readings(lesson.trace))[:MOST_READINGS]
    look = " ".join(
        f"\\par {listed_heads(alike)}: {prose(reading.sentence)}" for reading, alike in readings
    )
    words = (
        f"{first}\\par {second}\\par\\medskip\\raggedright\\small "
        f"A step a slide. What to look for:{look}\\par\\medskip {lesson.signs}"
    )
    return (
        f"\\title{{{prose(lesson.title)}}}\n\\author{{}}\n\\date{{}}\n"
        "\\begin{frame}\n\\centering\n"
        f"{{\\usebeamerfont{{title}}\\usebeamercolor[fg]{{title}}\\inserttitle\\par}}\\bigskip\n"
        f"{words}\n\\note{{{' '.join([first, second, *setting])}}}\n\\end{{frame}}"
    )


def _frames(lesson: Lesson, step: Step[Any]) -> Iterator[str]:
    """One frame; for a step with all heads, as many as they take."""
    if step.name in lesson.pictures:
        yield _frame(lesson, step, picture(lesson.pictures[step.name], _PICTURE), "")
        return
    s, matrices = lesson.trace.scenario, lesson.matrices(step)
    is_of_all = step.name in {getattr(Trace, name).computed_by(s).name for name in OF_ALL_HEADS}
    start, count = 0, len(matrices)
    while start < count:
        found = _beside(lesson, step, matrices[start:], in_order=is_of_all)
        body = display("\n\\quad\n".join(each.latex for each in found), _HEIGHT)
        yield _frame(lesson, step, body, _left_out(found, count))
        start = start + len(found) if is_of_all else count


def _frame(lesson: Lesson, step: Step[Any], body: str, left_out: str) -> str:
    parts = "\n\n".join([body, *_words(lesson, step, left_out)])
    return (
        f"\\begin{{frame}}{{{step.title}}}\n\\centering\n{parts}\n"
        f"\\note{{{lesson.meaning(step)}}}\n\\end{{frame}}"
    )


def _words(lesson: Lesson, step: Step[Any], left_out: str) -> Iterator[str]:
    if formula := lesson.formula(step):
        yield display(formula, _FORMULA)
    yield rf"{{\small Shape: ${lesson.shape(step)}$.{left_out}}}\par\medskip"
    yield lesson.meaning(step)


def _beside(
    lesson: Lesson, step: Step[Any], matrices: Sequence[LabelledMatrix], *, in_order: bool
) -> list[ShownMatrix]:
    """As many of the matrices as there is room for side by side: the first ones, or good ones."""
    cell = lesson.cell_of(step.name)
    most = min(MOST_HEADS, len(matrices))
    while True:
        of_heads = range(most) if in_order else places(len(matrices), most, cell.head or 0)
        found = [
            shown(lesson.trace, matrices[place], lesson.decimals, ROOM, cell) for place in of_heads
        ]
        width = sum(each.width + _BETWEEN for each in found)
        if width <= ROOM.width or most <= 1:
            return found
        most -= 1


def _left_out(found: Sequence[ShownMatrix], count: int) -> str:
    """Which heads are shown, if there are more, and what the dots stand for."""
    heads = [each.matrix.head for each in found if each.matrix.head is not None]
    said = f" {listed_heads(heads)} of {count}." if len(found) < count else ""
    return said if found[0].is_whole else f"{said} Dots stand for the rest."
