"""Take the pictures of the guide, and the moving one of the README, from the running app.

    .venv/bin/python -m tests.browser.guide_pictures [name ...]

Without names it takes all. `first-minute` is the moving one. Look at each that changes.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw
from playwright.sync_api import expect

from tests.browser.album import differ_by_palette_alone, read, write
from tests.browser.comparing import Picture
from tests.browser.hands import Box, place_of_cell
from tests.browser.reading import open_page, plot_named, wait_until
from tests.browser.test_pictures import IS_PAINTED, State, open_editor, picture_at_rest
from tests.chromium import chromium
from tests.serving import ROOT, served
from tests.visitors import PATIENCE, visit
from tools.find_browser import get_browser
from tools.shell import say

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER: Final = ROOT / "docs" / "guide" / "pictures"
WINDOW: Final = {"width": 1280, "height": 720}
HEADS: Final = "Scores and weights of the heads"


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_text(name, exact=True).first.click()


def show_the_answer(page: Page) -> None:
    """What is said of the number, at the lower edge of the window."""
    answer = page.locator(".st-key-asked-heads")
    answer.evaluate("answer => answer.scrollIntoView({ block: 'end', behavior: 'instant' })")


def type_into_x(page: Page) -> None:
    heads = plot_named(page, HEADS)
    at = place_of_cell(heads, "x", 1, 0, 6)
    page.mouse.click(*middle(at))
    page.keyboard.type("1/3")


def choose(kind: str, then_see: str) -> Callable[[Page], None]:
    """What to take away, on the page for class."""

    def choose_it(page: Page) -> None:
        page.get_by_role("radio", name=kind, exact=True).click()
        expect(page.get_by_text(then_see).first).to_be_visible()

    return choose_it


def solve(page: Page) -> None:
    page.get_by_role("button", name="Show a solution").click()
    expect(page.get_by_text("All 43 sentences pass.")).to_be_visible()


PICTURES: Final[Mapping[str, State]] = {
    "look": State("/"),
    "edit": State("/", then=type_into_x),
    "ask": State("/?example=the-cat&cell=weights/0:2.1", then=show_the_answer),
    "walk": State("/walkthrough?example=the-cat&screen=weights"),
    "tour": State("/walkthrough?example=split-only&screen=weights&tour=000&stop=7"),
    "present": State("/?example=the-cat&present=1&part=weights"),
    "worksheet": State("/for_class", then=choose("Worksheets", "Fill it in on a page")),
    "slides": State("/for_class", then=choose("Slides", "Save as PowerPoint")),
    "exercise": State("/exercise"),
    "build": State("/build?h.puzzle=before", then=solve),
    "compare": State("/compare"),
    "patterns": State("/patterns"),
    "own-numbers": State("/?example=pizza", then=open_editor),
    "real-layers": State("/real_layers"),
    "share": State("/", then=press("Share")),
    "many-heads": State(
        "/?example=long&heads=16&d_model=208&d_k=128&d_v=13&weights=all_patterns&x=one_hot_position"
    ),
}


# ---- the first minute ---------------------------------------------------------------------------

FIRST_MINUTE: Final = ROOT / "docs" / "pictures" / "first-minute.webp"
WIDTH: Final = 1000  # pixels
POINTER: Final = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (13, 12))
TYPED: Final = "the dog chases the small cat"
QUESTION: Final = "What does the causal mask do?"


@dataclass
class Film:
    """Frames of a page, each with how long it is seen, and where the pointer is meanwhile."""

    page: Page
    frames: list[Image.Image] = field(default_factory=list)
    durations: list[int] = field(default_factory=list)
    pointer: tuple[float, float] = (700, 690)

    def look(self, milliseconds: int) -> None:
        frame = Image.open(io.BytesIO(self.page.screenshot(caret="initial"))).convert("RGB")
        x, y = self.pointer
        arrow = [(x + right, y + down) for right, down in POINTER]
        ImageDraw.Draw(frame).polygon(arrow, fill="black", outline="white")
        height = round(WIDTH * frame.height / frame.width)
        self.frames.append(frame.resize((WIDTH, height), Image.Resampling.LANCZOS))
        self.durations.append(milliseconds)

    def glide(self, to: tuple[float, float], steps: int = 8) -> None:
        """Move the pointer there, first fast, then slowly, as a hand does."""
        (x, y), (to_x, to_y) = self.pointer, to
        for step in range(1, steps + 1):
            share = 1 - (1 - step / steps) ** 2
            self.pointer = (x + share * (to_x - x), y + share * (to_y - y))
            self.page.mouse.move(*self.pointer)
            self.look(60)

    def save(self, path: Path) -> None:
        first, *others = self.frames
        options = {"duration": self.durations, "loop": 0, "quality": 75, "method": 6}
        first.save(path, save_all=True, append_images=others, **options)


def cell_at(page: Page, matrix: str, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of the first picture, with the page at its top."""
    box = place_of_cell(plot_named(page, HEADS), matrix, row, column, columns=6)
    x, y = middle(box)
    return x, y + page.evaluate(TO_THE_TOP)


# By how much the page had been scrolled.
TO_THE_TOP: Final = """() => {
  const page = document.querySelector(".stMain");
  const y = page.scrollTop;
  page.scrollTop = 0;
  return y;
}"""


def film_the_first_minute(page: Page) -> None:
    """Point at a weight, type a sentence, drag a number, press a question."""
    open_page(page, "/")
    film = Film(page)
    film.look(1500)

    heads = plot_named(page, HEADS)
    film.glide(cell_at(page, "weights/0", 1, 0))
    expect(heads.locator(".plot-tip")).to_be_visible()
    film.look(2500)

    box = page.get_by_placeholder("Type any sentence")
    film.glide(middle(Box(**box.bounding_box())))
    box.click(click_count=3)
    film.look(500)
    for at, letter in enumerate(TYPED):
        page.keyboard.type(letter)
        if at % 2:
            film.look(110)
    page.keyboard.press("Enter")
    expect(heads.locator("svg text", has_text="chases").first).to_be_visible()
    film.look(2500)

    film.glide(start := cell_at(page, "x", 1, 0))
    page.mouse.down()
    for turn in (90, -60):
        film.glide((start[0] + turn, start[1]), steps=12)
        film.look(600)
    page.mouse.up()
    film.look(1200)

    question = page.get_by_text(QUESTION, exact=True)
    film.glide(middle(Box(**question.bounding_box())))
    film.look(600)
    question.click()
    expect(page.get_by_text("Stop 1 of")).to_be_visible()
    wait_until(page, IS_PAINTED)
    film.look(3000)
    film.save(FIRST_MINUTE)


def middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


# ---- taking them --------------------------------------------------------------------------------


# As for the reference pictures, but also on a page that has none of our plots.
IS_THERE: Final = IS_PAINTED.replace("plots.length && ", "")


def open_there(page: Page, state: State) -> None:
    visit(page, state.address)
    page.get_by_role("heading", level=1).first.wait_for()
    expect(page.locator("#first-sight")).to_have_count(0)
    wait_until(page, IS_THERE)
    state.then(page)


def take(name: str, browser: Browser, url: str) -> None:
    look = {"viewport": WINDOW, "reduced_motion": "reduce", "color_scheme": "light"}
    with browser.new_context(base_url=url, **look) as context:
        context.set_default_timeout(1e3 * PATIENCE)
        page = context.new_page()
        if name == FIRST_MINUTE.stem:
            film_the_first_minute(page)
        else:
            open_there(page, PICTURES[name])
            keep(FOLDER / f"{name}.png", read(picture_at_rest(page, IS_THERE)))


def keep(path: Path, picture: Picture) -> None:
    """Keep the picture, unless the present one shows the same."""
    if not (path.exists() and differ_by_palette_alone(read(path), picture)):
        write(path, picture)


def main() -> None:
    names = [*PICTURES, FIRST_MINUTE.stem]
    parser = argparse.ArgumentParser(prog="python -m tests.browser.guide_pictures")
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(names))
    asked = parser.parse_args().names
    if unknown := set(asked) - set(names):
        parser.error(f"there is no {', '.join(sorted(unknown))}, only {', '.join(names)}")
    with (
        TemporaryDirectory() as folder,
        served("app.py", Path(folder) / "server.log") as server,
        chromium(get_browser()) as browser,
    ):
        for name in asked or names:
            say(name)
            take(name, browser, server.url)


if __name__ == "__main__":
    main()
