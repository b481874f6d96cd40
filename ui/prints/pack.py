"""The lecture pack: pictures, slides, numbers and programs of a scenario, as a ZIP."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy.typing as npt

from mha_core import StackTrace, Trace
from mha_core.io.latex import LATEX_FILES, latex_file, why_no_latex
from mha_core.io.matrix.files import write_matrix
from mha_core.io.program import PROGRAM_FILES, program_file, why_no_program
from mha_core.io.scenario.files import why_not_held, write_stack
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import heads_in
from mha_core.stack.cells import in_layer
from mha_core.stack.named_arrays import arrays_beside_layers
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.marks import Sheet, Text
from ui.figures.pictures import step_figure
from ui.prints.album import AlbumPicture, steps_in_use
from ui.prints.files import KINDS, NEEDS_OF_SLIDES, picture_file, why_no_file, why_not
from ui.prints.from_far import ReadFromFar
from ui.prints.handout import handout_sheets
from ui.prints.pdf import pdf_of
from ui.prints.powerpoint import pptx_of
from ui.prints.sizes import SIZES, Size, free_size, sheet_of
from ui.prints.slides import Slide, sheets_of, slides_of_layers
from ui.prints.tikz import tikz_of, why_no_tikz

TEXT_WIDTH: Final = 150  # millimetres of a picture in LaTeX
FRAME: Final = Size("A picture on a frame of Beamer", 520, 160)
LEAST_ON_FRAME: Final = 13.8  # pixels of a letter: 8.5 points, in TeX's wider letters
PICTURED: Final = ("masked_scores", "weights", "head_outputs", "output")
MOST_IN_CSV: Final = 2**16  # numbers of one matrix
NO_DATE: Final = (2000, 1, 1, 0, 0, 0)  # so that the same pack is the same file
LICENCE: Final = say(
    "The numbers and the pictures are yours to use and to change. The Attention Explorer, which\n"
    "made them, is under the MIT licence. The letters in SVG and PDF files are of Source Sans 3\n"
    "(SIL Open Font License 1.1) and DejaVu Sans (free to embed).\n"
)
OF_LAYERS: Final = say(
    "Each picture of layer 2 has a name that begins with layer-2, and matrices/layer-2/ has its\n"
    "matrices. matrices/stream_0.csv is X, stream_1.csv the same after layer 1."
)
PASTING: Final = say(
    "pictures/NAME.tex is a document of its own, of the class standalone: pdflatex NAME.tex.\n"
    "NAME-to-paste.tex has the picture alone, for a document with \\usepackage{tikz}:\n"
    "\\input{NAME-to-paste}."
)


class FileToMake(NamedTuple):
    """A file of the pack, and how its bytes are made."""

    name: str
    make: Callable[[], bytes]


@dataclass(frozen=True)
class PackWish:
    """What the pack shall hold, and how its pictures look."""

    traces: StackTrace
    layer: int  # that the pictures show, counted from 0
    title: str
    link: str
    pictures: Sequence[AlbumPicture]
    kinds: Sequence[str]
    size: Size
    ground: Ground
    look: Look
    head: int

    @property
    def trace(self) -> Trace:
        return self.traces.layers[self.layer]


def picture_entries(wish: PackWish, left_out: list[str]) -> Iterator[FileToMake]:
    """Each picture in each kind. It is laid out once, when the first of its files is made."""
    for picture in wish.pictures:
        sheet = cache(partial(_sheet, wish, picture))
        for kind in wish.kinds:
            names = {f"{picture.name}{ending}": ending for ending in KINDS[kind].files}
            if kind == "tikz" and (reason := why_no_file(sheet(), kind)):
                left_out.append(f"{next(iter(names))}: {reason}")
                continue
            for name, ending in names.items():
                yield FileToMake(name, partial(_written, sheet, kind, ending))


def pack_entries(wish: PackWish) -> Iterator[FileToMake]:
    """Everything of a lecture. What cannot be made is left out, and the text says so."""
    left_out: list[str] = []
    pictures = picture_entries(wish, left_out)
    yield from (FileToMake(f"pictures/{entry.name}", entry.make) for entry in pictures)
    for entry, reason in _documents(wish):
        if reason:
            left_out.append(f"{entry.name}: {reason}")
        else:
            yield entry
    yield from _scenario(wish, left_out)
    yield from _matrices(wish.traces, left_out)
    for name in PROGRAM_FILES:
        if reason := why_no_program(wish.traces, name):
            left_out.append(f"{name}: {reason}")
        else:
            yield FileToMake(f"programs/{name}", partial(_program, wish.traces, name))
    yield FileToMake("captions.txt", lambda: _captions(wish).encode())
    yield FileToMake("read-me.txt", lambda: _read_me(wish, left_out).encode())


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of these files."""
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as pack:
        for name, content in files.items():
            entry = ZipInfo(name, NO_DATE)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            pack.writestr(entry, content)
    return made.getvalue()


def slides_file(wish: PackWish, kind: str) -> bytes:
    """The slides of the scenario."""
    size = wish.size if wish.size.height else SIZES["slide"]
    slides = slides_of_layers(wish.traces, wish.title, wish.link, wish.head, wish.look)
    return deck_file(slides, size, wish.ground, kind)


def deck_file(slides: Sequence[Slide], size: Size, ground: Ground, kind: str) -> bytes:
    """Slides as PowerPoint ("pptx") or as PDF ("pdf")."""
    sheets = sheets_of(slides, size, ground)
    return pdf_of(sheets) if kind == "pdf" else pptx_of(sheets, [each.notes for each in slides])


def handout_file(wish: PackWish, paper: str = "A4") -> bytes:
    """The handout as PDF."""
    return pdf_of(sheets_of_handout(wish, paper))


def sheets_of_handout(wish: PackWish, paper: str = "A4") -> list[Sheet]:
    """Of several layers, those of each, one after the other."""
    if len(wish.traces.layers) == 1:
        return handout_sheets(wish.trace, wish.title, wish.link, wish.look, paper)
    sheets: list[Sheet] = []
    for number, trace in enumerate(wish.traces.layers, 1):
        title = say("{title}, layer {layer}").format(title=wish.title, layer=number)
        sheets += handout_sheets(trace, title, wish.link, wish.look, paper)
    return sheets


def latex_of(wish: PackWish, name: str) -> bytes:
    """A file of LATEX_FILES, of all layers, with pictures of the steps that people look at."""
    pictures = {
        in_layer(Cell(step, None, 0, 0), layer).step: tikz_of(sheet)
        for layer, trace in enumerate(wish.traces.layers)
        for step, sheet in _pictures_in_latex(trace, wish.look, on_slides=name == "slides.tex")
    }
    made = latex_file(
        wish.traces, name, decimals=wish.look.decimals, title=wish.title, pictures=pictures
    )
    return made.encode()


def _pictures_in_latex(trace: Trace, look: Look, *, on_slides: bool) -> Iterator[tuple[str, Sheet]]:
    n_heads = trace.scenario.n_heads
    heads = range(n_heads if on_slides else min(2, n_heads))
    for step in PICTURED:
        figure = step_figure(trace, step, heads, look)
        sheet = _on_frame(figure, step) if on_slides else _in_text(figure, step)
        has_letters = any(isinstance(mark, Text) for mark in sheet.marks)  # else it had no room
        if has_letters and not why_no_tikz(sheet):
            yield step, sheet


def _in_text(figure: Figure, title: str) -> Sheet:
    return sheet_of(figure, title, free_size(TEXT_WIDTH), GROUNDS["light"])


def _on_frame(figure: Figure, title: str) -> Sheet:
    """A picture that is read from the back of a room."""
    width, height, ground = FRAME.width, FRAME.height or 0, GROUNDS["light"]
    marks = ReadFromFar(figure, ground, LEAST_ON_FRAME).in_room(width, height)
    return Sheet(width, height, marks, ground.paper, title)


def _written(sheet: Callable[[], Sheet], kind: str, ending: str) -> bytes:
    return picture_file(sheet(), kind, ending)


def _sheet(wish: PackWish, picture: AlbumPicture) -> Sheet:
    return sheet_of(picture.figure(wish.look), picture.title, wish.size, wish.ground)


def _documents(wish: PackWish) -> Iterator[tuple[FileToMake, str]]:
    """Slides, handout and LaTeX; beside each, why it cannot be made, or ""."""
    for kind, needs in NEEDS_OF_SLIDES.items():
        yield FileToMake(f"slides.{kind}", partial(slides_file, wish, kind)), why_not(needs)
    yield FileToMake("handout.pdf", partial(handout_file, wish)), why_not(KINDS["pdf"].needs)
    for name in LATEX_FILES:
        reason = why_no_latex(wish.traces, name)
        yield FileToMake(f"latex/{name}", partial(latex_of, wish, name)), reason


def _scenario(wish: PackWish, left_out: list[str]) -> Iterator[FileToMake]:
    stack = wish.traces.stack
    for name in ("scenario.json", "scenario.npz"):
        reason = why_not_held(stack, name)
        if not reason:
            yield FileToMake(name, partial(write_stack, stack, name))
            return
        left_out.append(f"{name}: {reason}")


def _matrices(traces: StackTrace, left_out: list[str]) -> Iterator[FileToMake]:
    """Every given array and every matrix of the forward pass, of each head, with all digits.

    Of several layers, each has a folder; beside them stands what belongs to no layer alone.
    """
    has_several = len(traces.layers) > 1
    for number, trace in enumerate(traces.layers, 1):
        folder = f"layer-{number}/" if has_several else ""
        yield from _matrices_of_layer(trace, folder, left_out)
    for name, array in arrays_beside_layers(traces).items():
        yield from _matrix(name, array, left_out)


def _matrices_of_layer(trace: Trace, folder: str, left_out: list[str]) -> Iterator[FileToMake]:
    s = trace.scenario
    names = [*s.given(), *(step.name for step in steps_in_use(s))]
    for name in dict.fromkeys(names):
        dims = None if name in GIVEN and name in s.given() else getattr(type(trace), name).dims
        heads: Sequence[int | None] = [None]
        if dims is not None and len(dims.axes) > 2:
            heads = range(s.sizes[heads_in(dims)])
        for head in heads:
            file = name if head is None else f"{name}-head-{head + 1}"
            values = labelled_matrix(trace, name, head).values
            yield from _matrix(f"{folder}{file}", values, left_out)


def _matrix(file: str, values: npt.NDArray[Any], left_out: list[str]) -> Iterator[FileToMake]:
    if values.size > MOST_IN_CSV:
        too_many = say("{file}: it has {count:,} numbers")
        left_out.append(too_many.format(file=f"{file}.csv", count=values.size))
    else:
        yield FileToMake(f"matrices/{file}.csv", partial(write_matrix, values, "m.csv"))


def _captions(wish: PackWish) -> str:
    lines = [f"{picture.name}: {picture.caption}" for picture in wish.pictures]
    return "\n\n".join(lines) + "\n"


def _read_me(wish: PackWish, left_out: Sequence[str]) -> str:
    parts = [
        wish.title,
        say("Open the same page again: {link}").format(link=wish.link) if wish.link else "",
        say("pictures/ has the pictures; captions.txt says what each shows."),
        OF_LAYERS if len(wish.traces.layers) > 1 else "",
        PASTING if "tikz" in wish.kinds else "",
        say(
            "slides.pptx can be edited: each cell is a shape. slides.pdf has the same slides.\n"
            "handout.pdf is to be printed: each operation with its matrices.\n"
            "latex/ has a document and slides to typeset: pdflatex steps.tex.\n"
            "matrices/ has every matrix with all digits. programs/ make the numbers anew:\n"
            "python programs/with-numpy.py.\n"
            "scenario.* opens the page again: press Open there, or drop the file on the page."
        ),
        "\n".join([say("Left out:"), *left_out]) if left_out else "",
        LICENCE.strip(),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _program(trace: StackTrace, name: str) -> bytes:
    return program_file(trace, name).encode()
