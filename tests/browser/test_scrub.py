"""A number that is dragged: every picture follows, and the server's numbers take over.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import io
import re
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from mha_core import Trace, attend
from mha_core.changing.changes import with_mask_cells_toggled, with_matrix
from tests.browser.dragging import (
    CLOSE,
    PIZZA,
    TALL,
    assert_shows,
    drag_live,
    open_tall_page,
    said,
    show_with_numbers,
    trace_with,
)
from tests.browser.hands import pick, place_of_cell, place_of_matrix, window_of
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, plot_at, x_with
from tests.browser.test_mask_pen import pen, wait_for_weights
from tests.ui.test_strip import decoded
from tests.visitors import PATIENCE
from ui.figures.strip import STAGES, thumbnail

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

    from mha_core.checks.shapes import FloatArray
    from tests.conftest import NewPage

EDGE_OF_A_LETTER = 48  # of 255: letters on another canvas begin at another part of a pixel


@pytest.fixture
def tall_page(new_page: NewPage) -> Page:
    return open_tall_page(new_page)


# The bytes of the small pictures of the strip, by the matrices that they show.
SMALL_PICTURES = """() => {
  const seen = {};
  for (const picture of document.querySelectorAll(".strip img")) {
    const live = picture.hidden ? picture.nextElementSibling : null;
    const { naturalWidth, naturalHeight } = picture;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: naturalWidth, height: naturalHeight });
    const brush = canvas.getContext("2d");
    brush.drawImage(live ?? picture, 0, 0);
    const { data } = brush.getImageData(0, 0, naturalWidth, naturalHeight);
    const opacities = [...data].filter((_, i) => i % 4 === 3);
    seen[picture.dataset.matrix.split("/")[0]] = { isLive: Boolean(live), opacities };
  }
  return seen;
}"""


def test_a_drag_or_alt_with_arrows_is_one_step_for_undo_and_every_picture_and_table_follows(
    tall_page: Page,
) -> None:
    page = tall_page
    address = page.url
    undo = page.get_by_role("button", name="Undo")
    drag_live(page, 0, 0, to=30)
    page.keyboard.press("Escape")
    assert_shows(page, attend(PIZZA))
    page.mouse.up()
    expect(page.locator(".plot-scrubbing")).to_have_count(0)
    assert page.url == address
    drag_live(page, 0, 0, to=30)
    x, y, width, height = place_of_cell(plot_at(page), X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.up()
    assert_shows(page, attend(PIZZA))
    expect(undo).to_be_disabled()
    drag_live(page, 0, 0, to=30)
    page.mouse.up()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3))
    undo.click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)
    assert_shows(page, attend(PIZZA))
    expect(undo).to_be_disabled()

    pick(plot_at(page), X, 2, 1, COLUMNS)
    number = PIZZA.x[2, 1]
    page.keyboard.down("Alt")
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "Shift+ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.up("Alt")
    wait_for_numbers(plot_at(page), "x", x_with(r2c1=round(number + 1.1, 12)))
    undo.click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)
    parts = [page.locator(selector) for selector in ("h1", ".strip", ".st-key-heads", ".readings")]
    place_of_cell(plot_at(page), X, 1, 2, COLUMNS)  # which scrolls there
    before = [each.bounding_box() for each in parts]
    number = exact_numbers(plot_at(page), "x")[1, 2]
    drag_live(page, 1, 2, to=40)
    shown = exact_numbers(plot_at(page), "x")
    assert shown[1, 2] == pytest.approx(number + 0.4)
    trace = trace_with(shown)
    assert_shows(page, trace, CLOSE)
    moved = ["x", "q_heads", "scaled_scores", "weights", "head_outputs", "concat", "output"]
    wait_for_strip(page, trace, live=moved)
    assert [each.bounding_box() for each in parts] == before
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    wait_for_numbers(plot_at(page), "x", shown)
    assert_shows(page, trace)
    wait_for_strip(page, trace, live=[])
    assert said(page) == ""  # the browser's numbers were the server's

    heads = plot_named(page, "Scores")
    heads.get_by_role("button", name="Show as table").click()
    heads.get_by_role("combobox").first.select_option("weights/0")
    table = heads.locator(".plot-table")
    drag_live(page, 0, 0, to=30)
    dragged = shown.copy()
    dragged[0, 0] = 1.3
    for x, follows in ((shown, False), (dragged, True)):
        trace = trace_with(x)
        weights = np.where(trace.mask, trace.weights[0], np.nan)
        close = np.allclose(table.evaluate(IN_TABLE), weights, rtol=0, atol=CLOSE, equal_nan=True)
        assert close == follows
    page.mouse.up()


def wait_for_strip(page: Page, trace: Trace, *, live: list[str]) -> None:
    """Wait until the strip shows this trace, and the browser itself has painted those in `live`."""
    expected = {
        name: decoded(thumbnail(getattr(trace, name), name))[..., 3].ravel()
        for stage in STAGES
        for name in stage.steps[:1]
    }
    give_up = time.monotonic() + PATIENCE
    while True:
        seen = page.evaluate(SMALL_PICTURES)
        differs = [
            name
            for name, opacities in expected.items()
            if seen[name]["isLive"] != (name in live)
            or np.abs(seen[name]["opacities"] - opacities.astype(int)).max() > 1
        ]
        if not differs:
            return
        assert time.monotonic() < give_up, differs
        page.wait_for_timeout(20)


IN_TABLE = """table => [...table.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("td")].map(({ dataset: { number } }) =>
    Number(number.replace("\u2212", "-"))))"""


def test_in_cells_that_are_too_small_for_it_a_number_is_dragged_with_alt(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, "/?tokens=A+B&d_model=64&x=random&weights=random&open=into")
    way_in = plot_at(page)
    before = exact_numbers(way_in, "x")
    x, y, width, height = place_of_cell(way_in, X, 1, 2, 64)
    assert width < 12
    page.mouse.move(x + width / 2, y + height / 2)
    page.keyboard.down("Alt")
    page.mouse.down()
    page.mouse.move(x + width / 2 + 40, y + height / 2, steps=2)
    page.mouse.up()
    page.keyboard.up("Alt")
    expect(page).to_have_url(re.compile(r"x\.cells="))
    moved = exact_numbers(way_in, "x") != before
    assert np.argwhere(moved).tolist() == [[1, 2]]


def test_on_a_board_higher_than_the_window_what_moves_looks_as_it_will(new_page: NewPage) -> None:
    """It is painted on a canvas of its own, over the other one."""
    page = new_page(viewport=TALL)
    open_page(page, "/?example=pizza&heads=8&mask=causal&open=into&page=1")
    heads = plot_named(page, "Scores")
    pick(plot_at(page), X, 2, 1, COLUMNS)
    page.set_viewport_size({"width": 1280, "height": 340})
    window_of(heads, "weights/1").scroll_into_view_if_needed()
    x, y, width, height = place_of_matrix(heads, "weights/1")

    def weights() -> FloatArray:
        clip: FloatRect = {"x": x, "y": y, "width": width, "height": height}
        picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
        return np.asarray(picture, dtype=float)

    def differ(one: FloatArray, other: FloatArray) -> bool:
        return bool(np.abs(one - other).max() > EDGE_OF_A_LETTER)

    before = weights()
    page.keyboard.down("Alt")
    page.keyboard.press("Shift+ArrowUp")
    expect(heads.locator("canvas")).to_have_count(2)
    for _ in range(9):
        page.keyboard.press("Shift+ArrowUp")
    page.evaluate("new Promise(requestAnimationFrame)")  # they have been painted
    moved = weights()
    assert differ(moved, before)
    page.keyboard.up("Alt")
    expect(heads.locator("canvas")).to_have_count(1)
    give_up = time.monotonic() + PATIENCE
    while differ(weights(), moved):
        assert time.monotonic() < give_up, "It looks different."


def test_a_head_that_is_off_and_a_layer_with_everything_follow_too(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, f"{OPEN}&heads=4&off=2&positions=rope&softcap=5&temperature=0.5&mask=causal")
    drag_live(page, 1, 3, to=50)
    shown = exact_numbers(plot_at(page), "x")
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    wait_for_numbers(plot_at(page), "x", shown)
    assert said(page) == ""


def test_by_touch_a_mark_or_the_chosen_cell_is_dragged_and_a_tap_draws_with_the_pen_in_hand(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1180, "height": 820}, has_touch=True, is_mobile=True)
    open_page(page, OPEN)
    way_in = plot_at(page)
    x, y, width, height = place_of_cell(way_in, X, 0, 0, COLUMNS)
    page.touchscreen.tap(x + width / 2, y + height / 2)
    mark = way_in.locator(".plot-mark")
    expect(mark).to_be_visible()
    drag_by_finger(mark, 30)
    wait_for_numbers(way_in, "x", x_with(r0c0=1.3))
    grip = way_in.locator(".plot-grip")
    cell = {"x": x, "y": y, "width": width, "height": height}
    assert grip.bounding_box() == pytest.approx(cell, abs=1)
    expect(grip).to_have_css("touch-action", "none")
    drag_by_finger(grip, 20)
    wait_for_numbers(way_in, "x", x_with(r0c0=1.5))

    heads = plot_named(page, "Scores")
    pen(heads).tap()
    x, y, width, height = place_of_cell(heads, "weights/0", 3, 1, columns=4)
    page.touchscreen.tap(x + width / 2, y + height / 2)
    dragged = with_matrix(PIZZA, "x", x_with(r0c0=1.5))
    wait_for_weights(heads, with_mask_cells_toggled(dragged, [(3, 1)]))


def drag_by_finger(mark: Locator, pixels: int) -> None:
    """Playwright has no finger that moves: so the browser's own events are made."""
    mark.evaluate(
        """async (mark, pixels) => {
          const { x, y, width, height } = mark.getBoundingClientRect();
          const at = { clientX: x + width / 2, clientY: y + height / 2 };
          const finger = { pointerId: 7, pointerType: "touch", bubbles: true, cancelable: true };
          const send = (type, moved) => mark.dispatchEvent(
            new PointerEvent(type, { ...finger, ...at, clientX: at.clientX + moved }));
          send("pointerdown", 0);
          for (let i = 1; i <= 3; i++) {
            send("pointermove", (i * pixels) / 3);
            await new Promise(requestAnimationFrame);
          }
          send("pointerup", pixels);
        }""",
        pixels,
    )


def test_a_number_swings_by_itself_until_it_is_stopped(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    show_with_numbers(page)
    way_in = plot_at(page)
    pick(way_in, X, 1, 1, COLUMNS)
    way_in.get_by_role("button", name="Show as table").click()
    way_in.get_by_role("button", name="Play a number").click()
    player = way_in.get_by_role("group", name="Play a number")
    expect(player).to_contain_text("Input, token LOVE, d_model 2")
    player.get_by_role("button", name="Stop").wait_for()  # it plays at once
    for field, entered in (("from", "-2"), ("to", "2,5"), ("seconds", "x")):
        player.get_by_label(field).fill(entered)
        player.get_by_label(field).press("Tab")
    expect(player).to_contain_text("Enter numbers for from, to and seconds.")
    player.get_by_role("button", name="Stop").click()
    player.get_by_label("seconds").fill("1")
    player.get_by_role("button", name="Play").click()
    seen = page.evaluate(
        """async () => {
          const numbers = new Set();
          while (numbers.size < 8 || Math.max(...numbers) < 2) {
            await new Promise(requestAnimationFrame);
            const cell = document.querySelector('.plot[aria-label^="X, the"] tbody')
              .rows[1].cells[2];
            numbers.add(Number(cell.dataset.number.replace("\u2212", "-")));
          }
          return [...numbers];
        }"""
    )
    assert min(seen) >= -2
    assert max(seen) <= 2.5
    player.get_by_role("button", name="Stop").click()
    assert_shows(page, attend(PIZZA))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
