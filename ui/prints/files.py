"""Pictures as the bytes of files."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Final, NamedTuple

from mha_core.checks.errors import OptionError
from ui.figures.marks import Sheet
from ui.prints.pdf import pdf_of, png_of
from ui.prints.svg import svg_of
from ui.prints.tikz import tikz_of, why_no_tikz


class Kind(NamedTuple):
    """A kind of file, what people call it, and the packages that it is made with."""

    ending: str
    title: str
    write: Callable[[Sheet], bytes]
    needs: tuple[str, ...]


KINDS: Final = {
    "svg": Kind(".svg", "SVG", svg_of, ("fontTools",)),
    "pdf": Kind(".pdf", "PDF", lambda sheet: pdf_of([sheet]), ("fpdf", "fontTools")),
    "png": Kind(".png", "PNG", png_of, ("fpdf", "fontTools", "pypdfium2")),
    "png2": Kind("@2x.png", "PNG, 2×", lambda sheet: png_of(sheet, 2), ("fpdf", "pypdfium2")),
    "png4": Kind("@4x.png", "PNG, 4×", lambda sheet: png_of(sheet, 4), ("fpdf", "pypdfium2")),
    "tikz": Kind(".tex", "LaTeX (TikZ)", lambda sheet: tikz_of(sheet).encode(), ()),
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
    return f"It needs {' and '.join(missing)}: pip install {' '.join(missing)}."


def why_no_file(sheet: Sheet, kind: str) -> str:
    """Why there is no file of a kind of this sheet; "" where there is."""
    return why_no_tikz(sheet) if kind == "tikz" else ""


def picture_file(sheet: Sheet, kind: str) -> bytes:
    """The sheet as a file of a kind."""
    reason = why_not(KINDS[kind].needs)
    if reason:
        raise OptionError(
            f"A picture as {KINDS[kind].title}",
            "must be made with packages that are there",
            reason,
            "Install them, or take another kind of file.",
        )
    return KINDS[kind].write(sheet)
