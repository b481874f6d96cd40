"""Sheets as PDF, and as PNG: a PNG is the page of a PDF, painted.

fpdf2 writes text as text and brings the letters of its fonts; pdfium paints what it wrote. So each
mark is drawn in one way only.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image as Pillow

from ui.figures.colors import rgb
from ui.figures.marks import Gradient, Image, Lines, Part, Rect, Sheet, Text
from ui.prints.fonts import BOLD, ITALIC, REGULAR, SIGNS, Face, of_this_machine, runs_of
from ui.prints.sizes import INCH, face_of, length_of

if TYPE_CHECKING:
    from fpdf import FPDF

POINTS: Final = 72 / INCH  # of a pixel
NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)  # so that the same picture is the same file
STYLES: Final = {REGULAR: "", BOLD: "B", ITALIC: "I"}
FAMILY: Final = "ours"
BASELINE: Final = 0.8  # of a line of text, from its top, as fpdf2 has it


def pdf_of(sheets: Sequence[Sheet]) -> bytes:
    """A page for each sheet, as large as its paper."""
    from fpdf import FPDF  # only who saves a picture waits for it
    from fpdf.fonts import TTFFont

    pdf = FPDF(unit="pt")
    pdf.set_auto_page_break(False)
    pdf.set_creation_date(NO_DATE)
    pdf.set_title(sheets[0].title)
    pdf.set_lang("en")
    pdf.c_margin = 0
    for sheet in sheets:
        size = sheet.paper_width * POINTS, sheet.paper_height * POINTS
        pdf.add_page(format=size)
        _Pen(pdf, sheet.scale * POINTS).draw(sheet)
    made = bytes(pdf.output())
    for font in pdf.fonts.values():
        if isinstance(font, TTFFont):
            font.ttfont.close()  # fpdf2 leaves their files open
    return made


def png_of(sheet: Sheet, times: float = 1) -> bytes:
    """The sheet as pixels; with `times` 1, one for each pixel of its paper."""
    import pypdfium2

    clear = sheet.paper is None
    document = pypdfium2.PdfDocument(pdf_of([sheet]))
    try:
        fill = (0, 0, 0, 0) if clear else (*rgb(sheet.paper or ""), 255)
        page = document[0].render(
            scale=times / POINTS, fill_color=fill, maybe_alpha=clear, rev_byteorder=True
        )
        file = io.BytesIO()
        page.to_pil().save(file, "PNG", dpi=(INCH * times, INCH * times))
        return file.getvalue()
    finally:
        document.close()


class _Pen:
    """Draws marks on the page of a PDF; lengths of marks are `scale` points each."""

    def __init__(self, pdf: FPDF, scale: float) -> None:
        self.pdf, self.scale = pdf, scale

    def draw(self, sheet: Sheet) -> None:
        if sheet.paper:
            self._rect(Rect(0, 0, sheet.width, sheet.height, sheet.paper))
        for mark in sheet.parts:
            self._mark(mark)

    def _mark(self, mark: Part) -> None:
        match mark:
            case Rect():
                self._rect(mark)
            case Lines():
                self._lines(mark)
            case Text():
                self._text(mark)
            case Image():
                self._image(mark)
            case Gradient():
                self._gradient(mark)

    def _rect(self, rect: Rect) -> None:
        self.pdf.set_fill_color(*rgb(rect.fill))
        round_corners = bool(rect.radius)
        radius = rect.radius * self.scale
        box = self._box(rect)
        self.pdf.rect(*box, style="F", round_corners=round_corners, corner_radius=radius)

    def _lines(self, lines: Lines) -> None:
        self.pdf.set_draw_color(*rgb(lines.stroke))
        self.pdf.set_line_width(lines.width * self.scale)
        for way in lines.ways:
            self.pdf.polyline([(x * self.scale, y * self.scale) for x, y in way])

    def _image(self, image: Image) -> None:
        x, y, width, height = self._box(image)
        self.pdf.image(Pillow.fromarray(np.ascontiguousarray(image.pixels)), x, y, width, height)

    def _gradient(self, bar: Gradient) -> None:
        from fpdf.pattern import LinearGradient

        x, y, width, height = self._box(bar)
        stops, colors = zip(*bar.stops, strict=True)
        gradient = LinearGradient(
            x, y + height, x, y, colors=list(colors), bounds=list(stops[1:-1])
        )
        with self.pdf.use_pattern(gradient):
            self.pdf.rect(x, y, width, height, style="F")

    def _text(self, text: Text) -> None:
        size = text.size * self.scale
        x, y = text.x * self.scale, text.y * self.scale
        length = length_of(text) * self.scale
        start = x - {"start": 0, "middle": length / 2, "end": length}[text.anchor]
        self.pdf.set_text_color(*rgb(text.fill))
        if text.angle:
            with self.pdf.rotation(-text.angle, x, y):
                self._write(text, start, y, size)
        else:
            self._write(text, start, y, size)

    def _write(self, text: Text, x: float, y: float, size: float) -> None:
        face = face_of(text)
        self._use(face, size)
        runs = [*runs_of(text.text, face)]
        if [face for face, _ in runs] == [face]:
            self.pdf.text(x, y, text.text)
            return
        for other, _ in runs:
            if other is not face:
                self._add(other)
        others = [_named(each)[0] for each in (SIGNS, *of_this_machine()) if self._has(each)]
        self.pdf.set_fallback_fonts(others, exact_match=False)
        self.pdf.set_text_shaping(True, direction="ltr")  # also a line that begins with Hebrew
        self.pdf.set_xy(x, y - BASELINE * size)
        self.pdf.cell(h=size, text=text.text)
        self.pdf.set_text_shaping(False)
        self.pdf.set_fallback_fonts([])
        # The page now has the last of these fonts. fpdf2 does not know that: it would leave out the
        # change to a font that it takes for the present one.
        self.pdf.set_font(*_named(face), size + 1)

    def _use(self, face: Face, size: float) -> None:
        self._add(face)
        self.pdf.set_font(*_named(face), size)

    def _has(self, face: Face) -> bool:
        family, style = _named(face)
        return family + style in self.pdf.fonts

    def _add(self, face: Face) -> None:
        if not self._has(face):
            self.pdf.add_font(*_named(face), face.path)

    def _box(self, mark: Rect | Image | Gradient) -> tuple[float, float, float, float]:
        x, y, width, height = mark.x, mark.y, mark.width, mark.height
        return x * self.scale, y * self.scale, width * self.scale, height * self.scale


def _named(face: Face) -> tuple[str, str]:
    """Family and style of a face, as fpdf2 names fonts: in small letters, without blanks."""
    if face in STYLES:
        return FAMILY, STYLES[face]
    return face.name.lower().replace(" ", ""), ""
