"""Pictures as files, opened again with readers of their own kind."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as Tree

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageColor

from mha_core import Trace, attend
from mha_core.checks.errors import NumberError, OptionError
from mha_core.examples import load_example
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.figures.marks import Gradient, Grid, Lines, Sheet
from ui.figures.pictures import heads_figure, mask_figure
from ui.number_format import format_number
from ui.prints import files
from ui.prints.album import album_of
from ui.prints.files import KINDS, picture_file
from ui.prints.pdf import pdf_of, png_of
from ui.prints.sizes import INCH, SIZES, free_size, sheet_of
from ui.prints.svg import svg_of

SVG = "{http://www.w3.org/2000/svg}"
STEPS = ("masked_scores", "weights")
CAUSAL = load_example("causal")
HOSTILE = (
    "<script>alert(1)</script>",
    "\\input{/etc/passwd}",
    '=HYPERLINK("http://x")',
    "שלום",
    "日本 \x00\x07",
)


def sheet(trace: Trace | None = None, size: str = "screen", ground: str = "light") -> Sheet:
    trace = trace or attend(CAUSAL)
    figure = heads_figure(trace, range(min(8, trace.scenario.n_heads)), STEPS, Look())
    return sheet_of(figure, "The heads", SIZES[size], GROUNDS[ground])


def texts_of_svg(svg: bytes) -> list[str]:
    return [text.text or "" for text in Tree.fromstring(svg).iter(f"{SVG}text")]


def text_of_pdf(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        text: str = document[0].get_textpage().get_text_range()
        return text
    finally:
        document.close()


def visible_numbers(trace: Trace) -> Iterator[str]:
    for head in range(trace.scenario.n_heads):
        for step in STEPS:
            for value in getattr(trace, step)[head][trace.mask]:
                yield format_number(value, 2)


@pytest.mark.parametrize("name", ["causal", "two-tokens", "grouped-query", "translation"])
def test_an_svg_has_each_number_once_as_text(name: str) -> None:
    trace = attend(load_example(name))
    found = texts_of_svg(svg_of(sheet(trace)))
    expected = [*visible_numbers(trace)]
    for number in set(expected):
        assert found.count(number) >= expected.count(number)
    assert {"Head 1", "Weights"} <= set(found)


@pytest.mark.parametrize("name", ["causal", "grouped-query"])
def test_a_pdf_has_the_same_numbers_as_text(name: str) -> None:
    trace = attend(load_example(name))
    words = text_of_pdf(pdf_of([sheet(trace)])).split()
    expected = [*visible_numbers(trace)]
    for number in set(expected):
        assert words.count(number) >= expected.count(number)


def test_cells_are_rectangles_and_nothing_is_an_image_where_they_are_few() -> None:
    root = Tree.fromstring(svg_of(sheet()))
    cells = [r for r in root.iter(f"{SVG}rect") if float(r.get("width", 0)) > 20]
    s = CAUSAL
    assert len(cells) - 1 == 2 * s.n_heads * s.n_q * s.n_k  # beside the paper
    assert not [*root.iter(f"{SVG}image")]


def test_many_cells_are_an_image_and_the_file_says_so() -> None:
    root = Tree.fromstring(svg_of(sheet(attend(load_example("long")))))
    assert [*root.iter(f"{SVG}image")]
    assert "196,608 of its cells are an image." in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize(("times", "kind"), [(1, "png"), (2, "png2"), (4, "png4")])
def test_a_png_has_so_many_dots_a_pixel(times: int, kind: str) -> None:
    made = sheet()
    image = Image.open(io.BytesIO(picture_file(made, kind)))
    expected = made.paper_width * times, made.paper_height * times
    assert image.size == pytest.approx(expected, abs=1)
    assert image.info["dpi"] == pytest.approx((INCH * times, INCH * times), abs=0.1)


def test_a_cell_of_a_png_has_the_colour_of_its_number() -> None:
    trace = attend(CAUSAL)
    made = sheet(trace)
    grid = next(mark for mark in made.marks if hasattr(mark, "fills"))
    image = Image.open(io.BytesIO(png_of(made, 2))).convert("RGB")
    for row, column in [(0, 0), (3, 1), (4, 4)]:
        x = 2 * (grid.x + (column + 0.5) * grid.cell_width)
        y = 2 * (grid.y + (row + 0.15) * grid.cell_height)  # above the number
        red, green, blue = image.getpixel((round(x), round(y)))  # type: ignore[misc]
        shown = f"#{red:02x}{green:02x}{blue:02x}"
        assert shown == grid.fills[row][column]


def test_a_colour_bar_goes_from_its_lowest_colour_at_the_bottom_to_its_highest() -> None:
    made = sheet()
    bar = next(mark for mark in made.marks if isinstance(mark, Gradient))
    image = Image.open(io.BytesIO(png_of(made, 2))).convert("RGB")
    for share, (_, expected) in ((0.01, bar.stops[0]), (0.99, bar.stops[-1])):
        place = bar.x + bar.width / 2, bar.y + bar.height * (1 - share)
        shown = image.getpixel((round(2 * place[0]), round(2 * place[1])))
        wanted = ImageColor.getrgb(expected)
        assert np.abs(np.subtract(shown, wanted)).max() < 12  # of 255


def test_hidden_cells_are_hatched_and_no_others() -> None:
    trace = attend(CAUSAL)
    made = sheet(trace)
    grid = next(mark for mark in made.marks if isinstance(mark, Grid))
    lines = [part for part in grid.parts() if isinstance(part, Lines)]
    middles = [np.mean(way, axis=0) for part in lines for way in part.ways]
    hatched = {
        (int((y - grid.y) // grid.cell_height), int((x - grid.x) // grid.cell_width))
        for x, y in middles
    }
    assert hatched == {(int(row), int(column)) for row, column in np.argwhere(~trace.mask)}


def test_a_transparent_ground_is_transparent_between_the_cells_too() -> None:
    image = Image.open(io.BytesIO(png_of(sheet(ground="clear-light"), 2)))
    opacity = np.asarray(image)[..., 3]
    assert opacity[0, 0] == 0
    assert 0.2 < (opacity == 255).mean() < 0.9


@pytest.mark.parametrize(("size", "shape"), [("slide", 16 / 9), ("slide43", 4 / 3)])
def test_a_slide_is_filled(size: str, shape: float) -> None:
    made = sheet(size=size)
    assert made.paper_width / made.paper_height == pytest.approx(shape, rel=1e-3)
    assert made.scale > 1.2  # labels are larger than on the page


def test_a_picture_for_a_column_fits_it_and_can_be_read() -> None:
    trace = attend(load_example("pizza"))
    for name in ("column", "paper"):
        made = sheet(trace, name)
        assert made.paper_width <= SIZES[name].width + 0.1
        assert made.scale * 12 >= 9.3 - 0.01
    wide = sheet_of(mask_figure(trace, Look()), "Mask", free_size(400), GROUNDS["light"])
    assert wide.paper_width <= free_size(400).width


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_takes_hostile_labels(kind: str) -> None:
    made = sheet(attend(replace(CAUSAL, tokens=HOSTILE)))
    assert len(picture_file(made, kind)) > 1000


def test_a_label_stays_text_in_an_svg() -> None:
    s = replace(CAUSAL, tokens=HOSTILE)
    svg = svg_of(sheet(attend(s)))
    assert b"<script" not in svg
    found = texts_of_svg(svg)
    assert "<script>alert…" in found
    assert "שלום" in found
    assert "日本 \ufffd\ufffd" in found  # XML has no such signs


def test_hebrew_is_written_from_right_to_left_in_a_pdf() -> None:
    s = replace(CAUSAL, tokens=("שלום", "a", "b", "c", "d"))
    assert set("שלום") <= set(text_of_pdf(pdf_of([sheet(attend(s))])))


def test_one_token_is_drawn() -> None:
    s = load_example("two-tokens")
    one = replace(s, tokens=s.tokens[:1], x=s.x[:1])
    assert "1.00" in texts_of_svg(svg_of(sheet(attend(one))))


def test_the_same_picture_is_the_same_file() -> None:
    one, other = sheet(), sheet()
    for kind in KINDS:
        assert picture_file(one, kind) == picture_file(other, kind)


def test_what_cannot_be_made_says_which_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None if name == "fpdf" else name)
    with pytest.raises(OptionError, match="needs fpdf2: pip install fpdf2"):
        picture_file(sheet(), "pdf")
    assert picture_file(sheet(), "svg")


def test_every_picture_of_every_kind_of_layer_can_be_drawn() -> None:
    for name in ("translation", "grouped-query", "positions"):
        for picture in album_of(attend(load_example(name)), STEPS, name).values():
            made = sheet_of(picture.figure(Look()), picture.title, SIZES["slide"])
            assert made.marks, picture.name
            assert picture.caption.startswith(f"{picture.title}.")


def test_names_of_pictures_say_what_is_in_them_each_once() -> None:
    names = [*album_of(attend(CAUSAL), STEPS, "Causal")]
    assert names[:5] == ["into-the-heads", "heads", "together", "mask", "head-1"]
    assert len({*names}) == len(names)
    assert "positions" not in names  # there are none
    assert all(name == name.lower() and " " not in name for name in names)


@pytest.mark.parametrize("palette", ["indigo", "teal", "grey", "print"])
def test_weights_survive_a_print_without_colours(palette: str) -> None:
    """The more weight, the darker; no two weights that differ by a tenth look alike."""
    from ui import theme
    from ui.figures.colors import luminance, shades_of

    scale = tuple(theme.PALETTES[palette]["sequential"]["light"])
    light = [luminance([int(c) for c in color]) for color in shades_of(scale)[::100]]
    assert all(one > other for one, other in pairwise(light))


@pytest.mark.parametrize("width", [-3, 0, 2001, float("nan"), float("inf")])
def test_a_picture_of_no_width_is_refused(width: float) -> None:
    with pytest.raises(NumberError, match="must be from 10 to 2000 millimetres, got "):
        free_size(width)
