"""Sheets as PowerPoint slides, with notes. All can be edited: a cell is a shape with its number.

In a wider font, tables would break a number into two lines, and then no row would stand beside its
label. So a matrix is a group of shapes. python-pptx makes the file; the shapes are written here as
XML, which takes a tenth of the time.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import count
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ui.figures.colors import shades_of
from ui.figures.marks import Gradient, Grid, Image, Lines, Rect, Sheet, Text
from ui.prints.sizes import ASCENT, DESCENT, INCH, length_of
from ui.prints.svg import png_of_pixels, printable

if TYPE_CHECKING:
    from pptx.slide import Slide as PowerPointSlide

EMU: Final = 914400 / INCH  # of a pixel
HUNDREDTHS: Final = 7200 / INCH  # of a point, of a pixel
FONT: Final = "Calibri"  # nearly as wide as the font of the page, and on most machines
BLANK: Final = 6  # the layout without places
ALIGNED: Final = {"start": "l", "middle": "ctr", "end": "r"}
NAMESPACES: Final = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)

Box = tuple[float, float, float, float]  # left, top, width, height in pixels of the slide


def pptx_of(sheets: Sequence[Sheet], notes: Sequence[str]) -> bytes:
    """A slide for each sheet."""
    from pptx import Presentation  # only who saves slides waits for it
    from pptx.util import Emu

    deck = Presentation()
    deck.slide_width = Emu(_emu(sheets[0].paper_width))
    deck.slide_height = Emu(_emu(sheets[0].paper_height))
    deck.core_properties.title = printable(sheets[0].title)
    for sheet, said in zip(sheets, notes, strict=True):
        slide = deck.slides.add_slide(deck.slide_layouts[BLANK])
        _draw(slide, sheet)
        slide.notes_slide.notes_text_frame.text = printable(said)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _draw(slide: PowerPointSlide, sheet: Sheet) -> None:
    from pptx.dml.color import RGBColor
    from pptx.oxml import parse_xml
    from pptx.util import Emu

    if sheet.paper:
        slide.background.fill.solid()
        color: Any = RGBColor.from_string(sheet.paper[1:])  # type: ignore[no-untyped-call]
        slide.background.fill.fore_color.rgb = color
    pen = _Pen(sheet)
    for mark in sheet.marks:
        if isinstance(mark, Image | Gradient):
            image = mark if isinstance(mark, Image) else _as_image(mark)
            picture = io.BytesIO(png_of_pixels(image.pixels))
            slide.shapes.add_picture(picture, *(Emu(_emu(length)) for length in pen.box(mark)))
        else:
            slide.shapes._spTree.append(parse_xml(pen.xml(mark)))


def _title_of(sheet: Sheet) -> Text | None:
    """What PowerPoint lists as the title, and reads aloud first. Of a long one, its first line."""
    texts = (mark for mark in sheet.marks if isinstance(mark, Text) and mark.bold)
    return next((text for text in texts if sheet.title.startswith(text.text)), None)


class _Pen:
    """Writes marks as the XML of shapes; each has a number of its own on its slide."""

    def __init__(self, sheet: Sheet) -> None:
        self.scale, self.paper, self.width = sheet.scale, sheet.paper, sheet.width
        self.title = _title_of(sheet)
        self.numbers = count(1000)  # beyond those of python-pptx

    def xml(self, mark: Rect | Lines | Text | Grid) -> str:
        match mark:
            case Rect():
                shape = "roundRect" if mark.radius else "rect"
                return self._shape(self.box(mark), _filled(mark.fill), shape=shape)
            case Lines():
                return self._lines(mark)
            case Text():
                return self._text(mark)
            case Grid():
                return self._grid(mark)

    def box(self, mark: Rect | Image | Gradient | Grid) -> Box:
        scale = self.scale
        return mark.x * scale, mark.y * scale, mark.width * scale, mark.height * scale

    def _grid(self, grid: Grid) -> str:
        """A group of cells, each with its number."""
        cells = "".join(self._cells(grid))
        place = _place(self.box(grid), child=True)
        name = f'<p:cNvPr id="{next(self.numbers)}" name="Matrix"/><p:cNvGrpSpPr/><p:nvPr/>'
        return (
            f"<p:grpSp {NAMESPACES}><p:nvGrpSpPr>{name}</p:nvGrpSpPr>"
            f"<p:grpSpPr>{place}</p:grpSpPr>{cells}</p:grpSp>"
        )

    def _cells(self, grid: Grid) -> Iterator[str]:
        width, height, gap = grid.cell_width, grid.cell_height, grid.gap
        for i, fills in enumerate(grid.fills):
            for j, fill in enumerate(fills):
                place = grid.x + j * width + gap / 2, grid.y + i * height + gap / 2
                box = self.box(Rect(*place, width - gap, height - gap, ""))
                text = grid.texts[i][j] if grid.texts else ""
                written = self._written(text, grid.size, grid.inks[i][j], "middle") if text else ""
                look = self._fill_of_cell(grid, fill, bool(grid.hatched[i, j]))
                yield self._shape(box, look, written)

    def _fill_of_cell(self, grid: Grid, fill: str, is_hatched: bool) -> str:
        if not is_hatched:
            return _filled(fill) if fill else "<a:noFill/>"
        ground = fill or self.paper or "#ffffff"
        colors = f"<a:fgClr>{_color(grid.hatch)}</a:fgClr><a:bgClr>{_color(ground)}</a:bgClr>"
        return f'<a:pattFill prst="wdUpDiag">{colors}</a:pattFill>'

    def _text(self, text: Text) -> str:
        """A box around the text, turned about its middle as PowerPoint turns."""
        length, height = length_of(text), (ASCENT + DESCENT) * text.size
        if text is self.title:  # a place for a title breaks lines: so it has all the width
            length = max(length, self.width - 2 * text.x)
        left = {"start": 0.0, "middle": -length / 2, "end": -length}[text.anchor]
        turn = radians(text.angle)
        a, b = left + length / 2, DESCENT * text.size - height / 2  # of the middle, unturned
        x = text.x + a * cos(turn) - b * sin(turn) - length / 2
        y = text.y + a * sin(turn) + b * cos(turn) - height / 2
        box = self.box(Rect(x, y, length, height, ""))
        look = {"bold": text.bold, "italic": text.italic}
        written = self._written(text.text, text.size, text.fill, text.anchor, **look)
        place = '<p:ph type="title"/>' if text is self.title else ""
        return self._shape(box, "<a:noFill/>", written, angle=text.angle, place=place)

    def _written(self, text: str, size: float, fill: str, anchor: str, **look: bool) -> str:
        """One line, which is never broken, whatever the font."""
        bold, italic = (int(look.get(name, False)) for name in ("bold", "italic"))
        hundredths = max(100, round(size * self.scale * HUNDREDTHS))
        return (
            '<p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"/>'
            f'<a:p><a:pPr algn="{ALIGNED[anchor]}"/>'
            f'<a:r><a:rPr lang="en-GB" sz="{hundredths}" b="{bold}" i="{italic}">{_filled(fill)}'
            f'<a:latin typeface="{FONT}"/><a:cs typeface="{FONT}"/></a:rPr>'
            f"<a:t>{escape(printable(text))}</a:t></a:r></a:p></p:txBody>"
        )

    def _lines(self, lines: Lines) -> str:
        """All of them as one shape, in its own units."""
        xs = [x * self.scale for way in lines.ways for x, _ in way]
        ys = [y * self.scale for way in lines.ways for _, y in way]
        left, top = min(xs), min(ys)
        box = left, top, max(xs) - left, max(ys) - top
        way = "".join(self._way(way, left, top) for way in lines.ways)
        size = f'w="{_emu(box[2])}" h="{_emu(box[3])}"'
        path = f'<a:pathLst><a:path {size} fill="none">{way}</a:path></a:pathLst>'
        shape = f"<a:custGeom>{path}</a:custGeom>"
        line = f'<a:ln w="{_emu(lines.width * self.scale)}">{_filled(lines.stroke)}</a:ln>'
        return self._shape(box, "<a:noFill/>", drawn=shape, line=line)

    def _way(self, way: Sequence[tuple[float, float]], left: float, top: float) -> str:
        points = [
            f'<a:pt x="{_emu(x * self.scale - left)}" y="{_emu(y * self.scale - top)}"/>'
            for x, y in way
        ]
        first, *others = points
        return f"<a:moveTo>{first}</a:moveTo>" + "".join(f"<a:lnTo>{p}</a:lnTo>" for p in others)

    def _shape(
        self,
        box: Box,
        fill: str,
        text: str = "",
        *,
        shape: str = "rect",
        drawn: str = "",
        line: str = "<a:ln><a:noFill/></a:ln>",
        angle: float = 0,
        place: str = "",
    ) -> str:
        number = next(self.numbers)
        form = drawn or f'<a:prstGeom prst="{shape}"><a:avLst/></a:prstGeom>'
        name = f"<p:cNvPr id={quoteattr(str(number))} name={quoteattr(f'Shape {number}')}/>"
        kind = f"<p:cNvSpPr/><p:nvPr>{place}</p:nvPr>"
        return (
            f"<p:sp {NAMESPACES}><p:nvSpPr>{name}{kind}</p:nvSpPr>"
            f"<p:spPr>{_place(box, angle)}{form}{fill}{line}</p:spPr>{text}</p:sp>"
        )


def _place(box: Box, angle: float = 0, *, child: bool = False) -> str:
    left, top, width, height = map(_emu, box)
    off, size = f'x="{left}" y="{top}"', f'cx="{width}" cy="{height}"'
    its_own = f"<a:chOff {off}/><a:chExt {size}/>" if child else ""
    turn = f' rot="{round(angle * 60_000) % 21_600_000}"' if angle else ""
    return f"<a:xfrm{turn}><a:off {off}/><a:ext {size}/>{its_own}</a:xfrm>"


def _as_image(bar: Gradient) -> Image:
    """Not every program shows a gradient of more than two colours."""
    column = shades_of(tuple(bar.stops))[::-1]
    opaque = np.full((len(column), 1), 255, np.uint8)
    pixels = np.concatenate([column, opaque], axis=-1)[:, None]
    return Image(bar.x, bar.y, bar.width, bar.height, pixels)


def _filled(color: str) -> str:
    return f"<a:solidFill>{_color(color)}</a:solidFill>"


def _color(color: str) -> str:
    return f'<a:srgbClr val="{color[1:]}"/>'


def _emu(pixels: float) -> int:
    return round(pixels * EMU)
