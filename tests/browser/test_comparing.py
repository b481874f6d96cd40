"""The comparison of pictures fails for planted changes, and for nothing less."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.album import read, write
from tests.browser.comparing import (
    FORGIVEN,
    LEVELS,
    SOFTENINGS,
    Marks,
    Picture,
    are_alike,
    busiest,
    differences,
    softened,
    without_like,
)

# What the explorer shows, in small: a matrix with values, slanted labels and a colour bar.
SHADES: Final = ["f5f4fb", "dedcf0", "beb9e0", "7463bf", "2e1f8f", "f8e1dd", "e9a9a4", "ab1a29"]
CELLS: Final = "".join(
    f'<b style="background: #{shade}; color: {"white" if i in (3, 4, 7) else "black"}">0.1{i}</b>'
    for i, shade in enumerate(SHADES)
)
LABELS: Final = "".join(
    f'<i style="left:{47 + 33 * i}px">{word}</i>'
    for i, word in enumerate(["I", "LOVE", "PEPPERONI", "PIZZA"])
)
DRAWN: Final = f"""
<style>
  body {{ margin: 0; font: 13px sans-serif; background: white; color: #1c1830 }}
  main {{ position: absolute; left: 30px; top: 20px; width: 330px; height: 210px }}
  i {{ position: absolute; top: 55px; transform: rotate(-45deg); transform-origin: 0 100% }}
  p {{ position: absolute; margin: 0; left: 40px; top: 160px; opacity: 0.75 }}
  div {{ position: absolute; left: 40px; top: 80px; width: 132px }}
  b {{ float: left; width: 32px; height: 32px; margin: 0 1px 1px 0; font: 11px/32px sans-serif;
       text-align: center }}
  u {{ position: absolute; left: 190px; top: 80px; width: 10px; height: 65px;
       background: linear-gradient(#2e1f8f, #f5f4fb) }}
  hr {{ position: absolute; margin: 0; left: 40px; top: 190px; width: 260px; border: 0;
       border-top: 1px solid #d3cfe3 }}
</style>
<main>{LABELS}<div>{CELLS}</div><u></u><p>The causal mask hides 6 of 16 cells.</p><hr></main>"""

# What no person looking at a slide would see.
FORGIVABLE: Final = {
    "all of it a pixel to the right and down": "main.style.translate = '1px 1px'",
    "a label a pixel higher": "i[2].style.translate = '0 -1px'",
    "a sentence a pixel to the left": "p.style.translate = '-1px'",
    "a sentence half a pixel aside, so that its edges are smoothed anew": (
        "p.style.translate = '0.5px 0.5px'"
    ),
    "all of it half a pixel aside": "main.style.translate = '0.5px 0.5px'",
    "letters a little stronger": "main.style.webkitTextStroke = '0.1px'",
    "a cell of a shade that the eye cannot tell": "b[1].style.background = '#d9d6ec'",
    "the colour bar a pixel longer": "u.style.height = '66px'",
}

# What a person would: the script that plants it, and the part of the page that it changes.
CHANGES: Final = {
    "one cell of another colour": ("b[0].style.background = '#dedcf0'", "b[0]"),
    "one cell of the next shade": ("b[5].style.background = '#e9a9a4'", "b[5]"),
    "one cell without its value": ("b[6].textContent = ''", "b[6]"),
    "the longest label missing": ("i[2].remove()", "i[2]"),
    "the shortest label missing": ("i[0].remove()", "i[0]"),
    "a label three pixels lower": ("i[1].style.translate = '0 3px'", "i[1]"),
    "no colour bar": ("u.remove()", "u"),
    "a colour bar upside down": ("u.style.rotate = '180deg'", "u"),
    "a faint line missing": ("hr.remove()", "hr"),
    "a pale sentence missing": ("p.remove()", "p"),
    "another sentence": ("p.textContent = 'The mask hides no cell.'", "p"),
    "all of it 20 pixels lower": ("main.style.translate = '0 20px'", "main"),
    "all of it 2 pixels to the right": ("main.style.translate = '2px'", "main"),
    "a ground of another tint": ("main.style.background = '#f0eef9'", "main"),
}
WITH_NAMES: Final = """script => {
  const [main, p, u, hr] = ["main", "p", "u", "hr"].map((name) => document.querySelector(name));
  const [b, i] = ["b", "i"].map((name) => document.querySelectorAll(name));
  return eval(script);
}"""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 400, "height": 260})
    yield page
    page.close()


@pytest.fixture
def drawing(paper: Page) -> Page:
    paper.set_content(DRAWN)
    return paper


@pytest.fixture(scope="module")
def before(paper: Page) -> Picture:
    paper.set_content(DRAWN)
    return seen(paper)


def seen(drawing: Page) -> Picture:
    return read(drawing.screenshot())


@pytest.mark.parametrize("script", FORGIVABLE.values(), ids=FORGIVABLE)
def test_what_nobody_sees_is_forgiven(before: Picture, drawing: Page, script: str) -> None:
    drawing.evaluate(WITH_NAMES, script)
    after = seen(drawing)
    assert (after != before).any()
    assert busiest(differences(before, after)).marks <= FORGIVEN / 4


@pytest.mark.parametrize(("script", "part"), CHANGES.values(), ids=CHANGES)
def test_a_planted_change_is_caught_where_it_is(
    before: Picture, drawing: Page, script: str, part: str
) -> None:
    box = drawing.evaluate(WITH_NAMES, f"{part}.getBoundingClientRect().toJSON()")
    drawing.evaluate(WITH_NAMES, script)
    marks = differences(before, seen(drawing))
    assert not are_alike(marks)
    rows, columns = np.nonzero(marks)
    room = 24 if part == "main" else 4
    assert rows.min() >= box["top"] - room
    assert rows.max() <= box["bottom"] + room
    assert columns.min() >= box["left"] - room
    assert columns.max() <= box["right"] + room


def test_a_kept_picture_is_like_the_picture(before: Picture, tmp_path: Path) -> None:
    write(tmp_path / "kept.png", before)
    assert not differences(read(tmp_path / "kept.png"), before).any()


# ---- by hand ------------------------------------------------------------------------------------

HEIGHT, WIDTH = 53, 71


def plain(level: int = 200) -> Picture:
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


def with_square(side: int, level: int, left: int = 31) -> Picture:
    picture = plain()
    picture[17 : 17 + side, left : left + side] = level
    return picture


def marks_of(old: Picture, new: Picture) -> Marks:
    """The same whichever of the two came first."""
    marks = differences(old, new)
    np.testing.assert_array_equal(marks, differences(new, old))
    return marks


def test_a_plain_ground_is_compared_to_within_the_levels() -> None:
    assert not marks_of(plain(200), plain(200 + LEVELS)).any()
    assert marks_of(plain(200), plain(200 + LEVELS + 1)).all()


@pytest.mark.parametrize("most", [LEVELS - SOFTENINGS, LEVELS + SOFTENINGS])
def test_the_part_that_is_looked_at_has_every_mark(most: int) -> None:
    """With noise up to these levels, and three squares that come."""
    draw = np.random.default_rng(most)
    for _ in range(20):
        old = draw.integers(most, 256 - most, (HEIGHT, WIDTH, 3)).astype(np.uint8)
        new = (old + draw.integers(-most, most + 1, old.shape)).astype(np.uint8)
        for top, left, side in draw.integers(1, 9, (3, 3)) * (HEIGHT // 9, WIDTH // 9, 1):
            new[top : top + side, left : left + side] = draw.integers(256)
        soft_old, soft_new = softened(old), softened(new)
        expected = without_like(soft_old, soft_new) | without_like(soft_new, soft_old)
        np.testing.assert_array_equal(marks_of(old, new), expected)


def test_one_colour_of_three_is_enough() -> None:
    picture = plain()
    picture[..., 1] -= 2 * LEVELS
    assert marks_of(plain(), picture).all()


@pytest.mark.parametrize(("by", "is_forgiven"), [(1, True), (2, False), (3, False), (20, False)])
def test_one_pixel_aside_is_forgiven_and_no_more(by: int, is_forgiven: bool) -> None:
    marks = marks_of(with_square(11, 40), with_square(11, 40, left=31 + by))
    assert marks.any() != is_forgiven
    assert are_alike(marks) == is_forgiven


def test_a_square_that_comes_is_found_as_one_that_goes() -> None:
    marks = marks_of(plain(), with_square(5, 40))
    assert marks[17:22, 31:36].all()
    marks[15:24, 29:38] = False  # as far as softening carries it
    assert not marks.any()


def test_a_cell_of_five_pixels_in_another_shade_is_seen() -> None:
    assert not are_alike(marks_of(with_square(5, 150), with_square(5, 180)))


def test_scattered_noise_is_forgiven_and_the_same_noise_together_is_not() -> None:
    scattered, together = np.zeros((HEIGHT, WIDTH), bool), np.zeros((HEIGHT, WIDTH), bool)
    scattered[::17, ::7] = True
    together[:4, :11] = True
    assert scattered.sum() == together.sum()
    assert are_alike(scattered)
    assert not are_alike(together)


@pytest.mark.parametrize("place", [(0, 0), (HEIGHT - 3, WIDTH - 3), (20, 30)])
def test_marks_are_counted_up_to_the_edges(place: tuple[int, int]) -> None:
    marks = np.zeros((HEIGHT, WIDTH), bool)
    top, left = place
    marks[top : top + 3, left : left + 3] = True
    assert busiest(marks).marks == FORGIVEN + 1 == 9
    assert not are_alike(marks)


def test_a_picture_smaller_than_a_patch_is_one_patch() -> None:
    assert busiest(np.ones((5, 3), bool)) == (15, 0, 0)
