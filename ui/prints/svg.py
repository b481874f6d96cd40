"""A sheet as SVG: text is text, cells are rectangles, the letters of its fonts come with it."""

from __future__ import annotations

import io
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final
from xml.etree import ElementTree as Tree

from PIL import Image as Pillow

from ui.figures.marks import Gradient, Image, Lines, Part, Rect, Sheet, Text
from ui.prints.fonts import Face, runs_of
from ui.prints.sizes import face_of, length_of

NAMESPACE: Final = "http://www.w3.org/2000/svg"
SAFE: Final = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Helvetica, Arial, sans-serif"
USUAL: Final = {*map(chr, range(32, 127)), *"−×÷±√→↓…∞ᵀ₀₁₂₃₄₅₆₇₈₉"}
FAMILY: Final = "pictured"  # the letters that come with the file


def svg_of(sheet: Sheet, *, brings_letters: bool = True) -> bytes:
    """The file. Its texts keep their lengths in whatever font they are shown."""
    width, height = _short(sheet.paper_width), _short(sheet.paper_height)
    box = f"0 0 {_short(sheet.width)} {_short(sheet.height)}"
    root = Tree.Element("svg", xmlns=NAMESPACE, width=width, height=height, viewBox=box)
    root.set("font-family", f"{FAMILY}, {SAFE}")
    root.set("role", "img")
    root.set("xml:space", "preserve")  # words of formulas begin and end with blanks
    Tree.SubElement(root, "title").text = printable(sheet.title)
    if sheet.notes:
        Tree.SubElement(root, "desc").text = printable(" ".join(sheet.notes))
    definitions = Tree.SubElement(root, "defs")
    faces = _faces(sheet) if brings_letters else ()
    Tree.SubElement(definitions, "style").text = "text{white-space:pre}" + "".join(faces)
    if sheet.paper:
        Tree.SubElement(root, "rect", width=box.split()[2], height=box.split()[3], fill=sheet.paper)
    for number, mark in enumerate(sheet.parts):
        root.append(_element(mark, definitions, f"bar{number}"))
    file: bytes = Tree.tostring(root, "utf-8", xml_declaration=True)
    return file


def printable(text: str) -> str:
    """The text without the signs that XML cannot hold."""
    return "".join(letter if _is_of_xml(letter) else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _is_of_xml(letter: str) -> bool:
    is_control = letter < " " and letter not in "\t\n\r"
    return not is_control and not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"


def _element(mark: Part, definitions: Tree.Element, name: str) -> Tree.Element:
    match mark:
        case Rect():
            look = {"rx": _short(mark.radius)} if mark.radius else {}
            return Tree.Element("rect", _box(mark) | {"fill": mark.fill} | look)
        case Lines():
            ways = "".join(
                "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in w) for w in mark.ways
            )
            look = {"stroke": mark.stroke, "stroke-width": _short(mark.width), "fill": "none"}
            return Tree.Element("path", {"d": ways} | look)
        case Text():
            return _text(mark)
        case Image():
            href = f"data:image/png;base64,{b64encode(png_of_pixels(mark.pixels)).decode()}"
            look = {"preserveAspectRatio": "none", "image-rendering": "pixelated"}
            return Tree.Element("image", _box(mark) | look | {"href": href})
        case Gradient():
            made = Tree.SubElement(
                definitions, "linearGradient", id=name, x1="0", x2="0", y1="1", y2="0"
            )
            for offset, color in mark.stops:
                Tree.SubElement(made, "stop", {"offset": _short(offset), "stop-color": color})
            return Tree.Element("rect", _box(mark) | {"fill": f"url(#{name})"})


def _text(text: Text) -> Tree.Element:
    place = {"x": _short(text.x), "y": _short(text.y), "font-size": _short(text.size)}
    look = {"fill": text.fill}
    if text.bold:
        look["font-weight"] = "600"
    if text.italic:
        look["font-style"] = "italic"
    if text.anchor != "start":
        look["text-anchor"] = text.anchor
    if text.angle:
        look["transform"] = f"rotate({_short(text.angle)} {_short(text.x)} {_short(text.y)})"
    length = {"textLength": _short(length_of(text)), "lengthAdjust": "spacingAndGlyphs"}
    element = Tree.Element("text", place | look | length)
    element.text = printable(text.text)
    return element


def _box(mark: Rect | Image | Gradient) -> dict[str, str]:
    names = ("x", "y", "width", "height")
    return {name: _short(getattr(mark, name)) for name in names}


def _short(number: float) -> str:
    """Three decimals, as far as there are any.

    >>> _short(1.50004), _short(-0.0001), _short(12)
    ('1.5', '0', '12')
    """
    text = f"{number:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _faces(sheet: Sheet) -> Iterator[str]:
    """The letters that its texts use, of each font, as CSS."""
    used: defaultdict[tuple[Face, bool, bool], set[str]] = defaultdict(set)
    for mark in sheet.parts:
        if isinstance(mark, Text):
            for face, run in runs_of(mark.text, face_of(mark)):
                used[face, mark.bold, mark.italic] |= set(run)
    for (face, bold, italic), letters in (
        (u, part) for u, every in used.items() for part in _parts(every)
    ):
        font = b64encode(letters_of(face, "".join(letters))).decode()
        look = ("font-weight:600;" if bold else "") + ("font-style:italic;" if italic else "")
        codes = ",".join(f"U+{ord(letter):X}" for letter in letters)
        source = f"src:url(data:font/woff;base64,{font})"
        yield f"@font-face{{font-family:{FAMILY};{look}unicode-range:{codes};{source}}}"


def _parts(letters: set[str]) -> Iterator[list[str]]:
    """All usual letters, then the others in use: so the usual ones are cut out only once."""
    if letters & USUAL:
        yield sorted(USUAL)
    if letters - USUAL:
        yield sorted(letters - USUAL)


@lru_cache(maxsize=64)
def letters_of(
    face: Face,
    letters: str,
    flavor: str = "woff",
    features: tuple[str, ...] = ("*",),
    *,
    hinting: bool = True,
) -> bytes:
    """A font with these letters alone. Without a flavor it is not packed."""
    from fontTools import subset

    options = subset.Options(
        flavor=flavor or None, layout_features=[*features], notdef_outline=True, hinting=hinting
    )
    options.drop_tables += ["DSIG", "FFTM"]
    maker = subset.Subsetter(options)
    maker.populate(text=letters)
    file = io.BytesIO()
    with subset.load_font(str(face.path), options) as font:
        maker.subset(font)
        subset.save_font(font, file, options)
    return file.getvalue()


def png_of_pixels(pixels: Any) -> bytes:
    file = io.BytesIO()
    Pillow.fromarray(pixels).save(file, "PNG")
    return file.getvalue()
