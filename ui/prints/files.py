"""Pictures as the bytes of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Final, NamedTuple

from mha_core.checks.errors import OptionError
from mha_core.language import say
from ui.figures.marks import Sheet
from ui.prints.pdf import pdf_of, png_of
from ui.prints.svg import svg_of
from ui.prints.tikz import tikz_document, tikz_of, why_no_tikz


class Kind(NamedTuple):
    """What people call a kind of file, the packages that it is made with, and how it is written.

    `files` are written of each picture, by the ending of their names.
    """

    title: str
    needs: tuple[str, ...]
    files: Mapping[str, Callable[[Sheet], bytes]]


PAINTED: Final = ("fpdf", "fontTools", "pypdfium2")
KINDS: Final = {
    "svg": Kind("SVG", ("fontTools",), {".svg": svg_of}),
    "pdf": Kind("PDF", ("fpdf", "fontTools"), {".pdf": lambda sheet: pdf_of([sheet])}),
    "png": Kind("PNG", PAINTED, {".png": png_of}),
    "png2": Kind("PNG, 2×", PAINTED, {"@2x.png": lambda sheet: png_of(sheet, 2)}),
    "png4": Kind("PNG, 4×", PAINTED, {"@4x.png": lambda sheet: png_of(sheet, 4)}),
    "tikz": Kind(
        "LaTeX (TikZ)",
        (),
        {
            ".tex": lambda sheet: tikz_document(sheet).encode(),
            "-to-paste.tex": lambda sheet: tikz_of(sheet).encode(),
        },
    ),
}
NEEDS_OF_SLIDES: Final = {"pptx": ("pptx", "fontTools"), "pdf": KINDS["pdf"].needs}
PACKAGES: Final = {
    "fpdf": "fpdf2",
    "fontTools": "fonttools",
    "pypdfium2": "pypdfium2",
    "pptx": "python-pptx",
    "uharfbuzz": "uharfbuzz",
}


def why_not(needs: tuple[str, ...]) -> str:
    """Why files that need these modules cannot be made here; "" if they can."""
    missing = [PACKAGES[name] for name in needs if find_spec(name) is None]
    if not missing:
        return ""
    packages = say(" and ").join(missing)
    says = say("It needs {packages}: pip install {names}.")
    return says.format(packages=packages, names=" ".join(missing))


def why_no_file(sheet: Sheet, kind: str) -> str:
    """Why this sheet has no file of a kind; "" if it has one."""
    return why_no_tikz(sheet) if kind == "tikz" else ""


def picture_file(sheet: Sheet, kind: str, ending: str = "") -> bytes:
    """The sheet as a file of a kind; without an ending, as the first of its files."""
    wanted = KINDS[kind]
    if reason := why_not(wanted.needs):
        raise OptionError(
            say("A picture as {kind}").format(kind=wanted.title),
            say("must be made with packages that are there"),
            reason,
            say("Install them, or take another kind of file."),
        )
    return wanted.files[ending or next(iter(wanted.files))](sheet)
