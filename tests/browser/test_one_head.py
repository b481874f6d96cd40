"""One head, looked at closely: large numbers, in the arrangement of its equations.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.browser.dragging import TALL, drag_live, said
from tests.browser.hands import Box, place_of, place_of_matrix
from tests.browser.reading import exact_numbers, open_page, outlined, plot_named
from tests.browser.test_editing_in_place import OPEN
from tests.browser.test_editing_in_place import plot_at as way_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

PIZZA = load_example("pizza")
KEYS, VALUES, QUERIES, RAW, SCALED, MASKED, EXP, SUMS, WEIGHTS, OUTPUT = range(10)
LONG = (  # scores of two digits and a minus
    "tokens=A+B+C+D+E+F+G+H&d_model=16&heads=2&x=random&weights=random&mask=causal&scale=10"
)

# Notes the size of every number that is written on a canvas, and forgets those of the paint before.
NOTE_SIZES = """() => {
  const pen = CanvasRenderingContext2D.prototype;
  const { fillText, scale } = pen;
  pen.fillText = function (text, ...place) {
    (this.canvas.sizes ??= []).push(parseFloat(this.font));
    fillText.call(this, text, ...place);
  };
  pen.scale = function (...by) {
    this.canvas.sizes = [];
    scale.apply(this, by);
  };
  window.forgetSizes = () => {
    Object.assign(pen, { fillText, scale });
    delete window.forgetSizes;
  };
}"""


@pytest.fixture
def page(new_page: NewPage) -> Iterator[Page]:
    """A page that notes them. The next visitor's does not."""
    page = new_page(waits=True)
    page.evaluate(NOTE_SIZES)
    yield page
    page.evaluate("window.forgetSizes()")


def head_at(page: Page, address: str) -> Locator:
    open_page(page, address)
    head = plot_named(page, "Head ")
    head.locator("canvas").first.wait_for()
    return head


def sizes_of(head: Locator) -> list[float]:
    """The sizes of the numbers in its cells, in pixels."""
    place_of(head.locator(".plot-stage"))  # it stands still
    sizes: list[float] = head.locator("canvas").evaluate("canvas => canvas.sizes ?? []")
    return sizes


def places(head: Locator) -> list[Box]:
    return [place_of_matrix(head, number) for number in range(10)]


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("example=eight-tokens&heads=1", 4 * 32 + 4 * 64 + 8),
        (f"{LONG}&head=2", 6 * 64 + 3 * 36 + 8),
    ],
)
def test_numbers_of_up_to_eight_columns_are_large(page: Page, address: str, written: int) -> None:
    are_large(head_at(page, f"/?{address}"), written)


def are_large(head: Locator, written: int) -> None:
    sizes = sizes_of(head)
    assert len(sizes) == written
    assert min(sizes) >= 14
    room, drawn = place_of(head), place_of(head.locator(".plot-stage"))
    assert drawn.width <= room.width


def test_rows_meet_columns_and_a_cell_of_the_transposed_keys_is_the_cell_of_the_keys(
    page: Page,
) -> None:
    head = head_at(page, "/?example=pizza&head=1")
    are_large(head, 6 * 16 + 3 * 10 + 4)
    at = places(head)
    for factor, above, product in ((QUERIES, KEYS, RAW), (WEIGHTS, VALUES, OUTPUT)):
        assert at[factor].y == at[product].y
        assert at[factor].x + at[factor].width < at[product].x
        assert (at[above].x, at[above].width) == (at[product].x, at[product].width)
        assert at[above].y + at[above].height < at[product].y
    x, y, width, height = at[KEYS]
    page.mouse.click(x + width * 1.5 / 4, y + height * 3.5 / 4)  # d_k 4, key LOVE
    expect(page).to_have_url(re.compile(r"cell=k_rotated(/|%2F)0(:|%3A)2\.4"))
    frame = outlined(head)
    expect(frame).to_have_count(1)
    box = frame.bounding_box()
    assert box is not None
    assert box["x"] < x + width * 1.5 / 4 < box["x"] + box["width"]
    assert box["y"] < y + height * 3.5 / 4 < box["y"] + box["height"]
    expect(head.locator(".plot-tip")).to_contain_text("\N{MINUS SIGN}3.2188")


def test_on_a_phone_matrices_stand_below_each_other(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    head = head_at(page, "/?example=pizza&head=1")
    at = places(head)
    assert len({box.x for box in at}) == 1
    order = [QUERIES, KEYS, RAW, SCALED, MASKED, EXP, SUMS, WEIGHTS, VALUES, OUTPUT]
    assert sorted(order, key=lambda number: at[number].y) == order
    assert min(sizes_of(head)) >= 9
    room = head.locator(".plot-scroll")
    assert room.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_it_follows_a_number_that_is_dragged(new_page: NewPage) -> None:
    page = new_page(viewport={**TALL, "height": 3000})
    open_page(page, f"{OPEN}&head=1")
    head = plot_named(page, "Head 1")
    drag_live(page, 1, 2, to=40)
    x = exact_numbers(way_in(page), "x")
    trace = attend(with_matrix(PIZZA, "x", x))
    for name in ("q_rotated", "raw_scores", "row_sums", "head_outputs"):
        np.testing.assert_allclose(
            exact_numbers(head, f"{name}/0"), getattr(trace, name)[0], rtol=0, atol=1e-12
        )
    keys = exact_numbers(head, "k_rotated/0")
    np.testing.assert_allclose(keys, trace.k_rotated[0].T, rtol=0, atol=1e-12)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    assert said(page) == ""
