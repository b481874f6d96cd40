"""A lesson as a document to print: each step's formula, its matrices, and one of its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mha_core.io.latex.derivations import align, words_of
from mha_core.io.latex.layers import LayersTold
from mha_core.io.latex.lesson import GIVEN, Lesson
from mha_core.io.latex.matrices import MOST_COLUMNS, Room, ShownMatrix, has_words, places, shown
from mha_core.io.latex.preamble import COMMON, display, document, picture
from mha_core.io.latex.prose import counted, prose, tokens_in_words
from mha_core.io.latex.widths import LINE
from mha_core.layer.matrices import LabelledMatrix
from mha_core.layer.steps import Step
from mha_core.reading.words import listed

# LaTeX shrinks what is wider than the page. Numbers of 10 points can still be read at four fifths
# of their size: then 16 columns of small numbers fit. There are as many rows, so that a matrix and
# its words fit into a third of a page.
ROOM: Final = Room(rows=MOST_COLUMNS, columns=MOST_COLUMNS, width=LINE / 0.8)
MOST_HEADS: Final = 8  # of a step; all are computed alike
_BETWEEN: Final = 20.0  # points, between matrices that stand side by side
_CLOSER: Final = 1.1  # times the line: two heads a little smaller, rather than one below the other
_HEIGHT: Final = r"0.45\textheight"  # of what stands in one piece
_PREAMBLE: Final = rf"""\documentclass[10pt,a4paper]{{article}}
\usepackage[margin=22mm]{{geometry}}
{COMMON}
\setlength{{\parindent}}{{0pt}}
\setlength{{\parskip}}{{6pt plus 2pt}}
\sloppy
\allowdisplaybreaks
\newcommand{{\fresh}}{{% a step begins on a new page where little of this one is left
  \par\vskip 0pt plus 0.25\textheight\penalty-200\vskip 0pt plus -0.25\textheight\relax}}"""


def article(told: LayersTold) -> str:
    """The whole document."""
    has_pictures = any(lesson.pictures for lesson in told.lessons)
    return document(_PREAMBLE, has_pictures, "\n\n".join(_parts(told)))


def _parts(told: LayersTold) -> Iterator[str]:
    first = told.lessons[0]
    yield rf"\begin{{center}}\LARGE {prose(first.title)}\end{{center}}"
    if told.are_several:
        yield told.how_they_are_joined
    for number, lesson in enumerate(told.lessons):
        if told.are_several:
            yield _heading(f"Layer {number + 1}", told.x_of(number) if number else "")
        yield from _layer(lesson)
    if told.end:
        yield _heading("After the last layer" if told.are_several else "After the layer", "")
        last = told.lessons[-1]
        for matrix in told.end:
            yield _in_lines([shown(last.trace, matrix, last.decimals, ROOM, None)], 0)


def _heading(title: str, words: str) -> str:
    """Sections are counted anew below it."""
    return (
        rf"\clearpage\begin{{center}}\Large {title}\end{{center}}\setcounter{{section}}{{0}}{words}"
    )


def _layer(lesson: Lesson) -> Iterator[str]:
    yield " ".join(lesson.sentences)
    letters = r"In the formulas $i$ is the head, $q$ a query and $k$ a key."
    yield f"{letters} Numbers have {counted(lesson.decimals, 'decimal')}. {lesson.signs}".rstrip()
    yield r"\section{What the layer is given}"
    for matrix in lesson.given():
        yield _matrices(lesson, [matrix])
        if matrix.step in lesson.pictures:
            yield picture(lesson.pictures[matrix.step], _HEIGHT)
    for step in lesson.steps:
        if step.name not in GIVEN:
            yield from _step(lesson, step)


def _step(lesson: Lesson, step: Step[Any]) -> Iterator[str]:
    yield rf"\fresh\section{{{step.title}}}"
    formula = display(lesson.formula(step), _HEIGHT)
    yield f"{lesson.meaning(step)} Its shape is ${lesson.shape(step)}$.\n{formula}"
    if step.name in lesson.pictures:
        yield picture(lesson.pictures[step.name], _HEIGHT)
    yield _matrices(lesson, lesson.matrices(step))
    found = lesson.derivation(step)
    words = words_of(found, lesson.decimals)
    yield f"One number of it:\n{align(found, lesson.decimals)}"
    if words:
        yield words


def _matrices(lesson: Lesson, matrices: Sequence[LabelledMatrix]) -> str:
    """Matrices of one shape, as many side by side as there is room for, and what they leave out."""
    cell = lesson.cell_of(matrices[0].step)
    of_heads = places(len(matrices), MOST_HEADS, cell.head or 0)
    found = [
        shown(lesson.trace, matrices[place], lesson.decimals, ROOM, cell) for place in of_heads
    ]
    return _in_lines(found, len(matrices) - len(found))


def _in_lines(found: Sequence[ShownMatrix], left_out: int) -> str:
    said = _words(found[0], left_out)
    lines = [
        display("\n\\qquad\n".join(each.latex for each in line), _HEIGHT) for line in _lines(found)
    ]
    # In one paragraph, so that no page ends between the words and their matrix.
    return "\n".join([*said, *lines])


def _lines(found: Sequence[ShownMatrix]) -> list[list[ShownMatrix]]:
    lines: list[list[ShownMatrix]] = [[]]
    for each in found:
        width = sum(other.width + _BETWEEN for other in lines[-1]) + each.width
        if lines[-1] and width > LINE * _CLOSER:
            lines.append([])
        lines[-1].append(each)
    return lines


def _words(found: ShownMatrix, heads_left_out: int) -> list[str]:
    """What the columns are, where they are words, and what is left out."""
    matrix, said = found.matrix, []
    if has_words(matrix.columns):
        names = [matrix.columns.names[place] for place in found.columns]
        said.append(f"The columns are {tokens_in_words(names)}.")
    counts = zip(("row", "column"), (found.rows, found.columns), matrix.values.shape, strict=True)
    cut = [
        f"{len(shown)} of {counted(count, what)}"
        for what, shown, count in counts
        if len(shown) < count
    ]
    if cut:
        said.append(f"There is room for {listed(cut)}; dots stand for the others.")
    if heads_left_out:
        verb = "is" if heads_left_out == 1 else "are"
        said.append(f"{counted(heads_left_out, 'head')} {verb} left out, computed alike.")
    return said
