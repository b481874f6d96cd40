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
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_cell, place_of_matrix
from tests.browser.reading import (
    LOOK_AGAIN,
    exact_numbers,
    exact_numbers_of,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_until,
)
from tests.browser.slow_line import SlowLine
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, plot_at, x_with
from tests.serving import free_port, served
from tests.ui.test_strip import decoded
from tests.visitors import PATIENCE
from ui.figures.strip import STAGES, thumbnail

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, FloatRect, Locator, Page

    from mha_core.checks.shapes import FloatArray
    from tests.conftest import NewPage

PIZZA = load_example("pizza")
CLOSE = 1e-12
EDGE_OF_A_LETTER = 48  # of 255: letters on another canvas begin at another part of a pixel
TALL = {"width": 1280, "height": 2000}  # all pictures are in sight
WHOLE_PAGE = ["X, the projections", "Scores", "Concatenation"]


@pytest.fixture
def tall_page(new_page: NewPage) -> Page:
    return open_tall_page(new_page)


def open_tall_page(new_page: NewPage) -> Page:
    """A page with the example, and its numbers."""
    page = new_page(viewport=TALL)
    show_with_numbers(page)
    return page


def show_with_numbers(page: Page) -> None:
    open_page(page, OPEN)
    plot_at(page)
    assert_shows(page, attend(PIZZA))


@pytest.fixture
def late_page(new_page: NewPage) -> Page:
    return new_page(viewport=TALL)


@pytest.fixture
def line(late_page: Page) -> SlowLine:
    """Taken before the page is opened."""
    return SlowLine(late_page)


def press_and_drag(page: Page, row: int, column: int, *, to: tuple[int, int]) -> None:
    """Press the mouse on a cell of X and move it so far, in pixels, right and down."""
    x, y, width, height = place_of_cell(plot_at(page), X, row, column, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + to[0], y + height / 2 + to[1], steps=10)


def wait_until_live(page: Page) -> None:
    """Wait until the browser has what it needs, so that what is computed has moved too."""
    wait_until(page, IS_PAINTED_AGAIN)


IS_PAINTED_AGAIN = """() => {
  const plot = document.querySelector('.plot[aria-label^="Scores"]');
  return plot.dataset.painted !== window.paintedBefore;
}"""


def drag_live(page: Page, row: int, column: int, *, to: int) -> None:
    """Drag a number by so many pixels, and see the heads follow."""
    page.evaluate(
        "window.paintedBefore = document.querySelector('.plot[aria-label^=Scores]').dataset.painted"
    )
    press_and_drag(page, row, column, to=(to, 0))
    wait_until_live(page)


def trace_with(x: FloatArray) -> Trace:
    return attend(with_matrix(PIZZA, "x", x))


def assert_shows(page: Page, trace: Trace, close: float = 0) -> None:
    """Every matrix of the way from X to the output comes to have the numbers of the trace."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return assert_shows_now(page, trace, close)
        except AssertionError:
            if time.monotonic() > give_up:
                raise
            page.wait_for_timeout(LOOK_AGAIN)


def assert_shows_now(page: Page, trace: Trace, close: float) -> None:
    into, heads, together = (plot_named(page, name) for name in WHOLE_PAGE)
    for plot, names in ((into, "x q k v"), (together, "concat output")):
        for name, shown in exact_numbers_of(plot, names.split()).items():
            np.testing.assert_allclose(shown, getattr(trace, name), rtol=0, atol=close)
    of_heads = {
        f"{name}/{head}": np.where(trace.mask, getattr(trace, name)[head], np.nan)
        for head in range(trace.scenario.n_heads)
        for name in ("masked_scores", "weights")
    }
    for name, shown in exact_numbers_of(heads, list(of_heads)).items():
        np.testing.assert_allclose(shown, of_heads[name], rtol=0, atol=close)


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


def said(page: Page) -> str:
    """What is said of live numbers: that they were wrong, or that there are none."""
    return "".join(each.inner_text() for each in page.locator(".plot-live-note").all())


def test_every_picture_follows_a_drag_and_has_the_cores_numbers_after_it(tall_page: Page) -> None:
    page = tall_page
    number = exact_numbers(plot_at(page), "x")[1, 2]
    drag_live(page, 1, 2, to=40)
    shown = exact_numbers(plot_at(page), "x")
    assert shown[1, 2] == pytest.approx(number + 0.4)
    assert_shows(page, trace_with(shown), CLOSE)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    wait_for_numbers(plot_at(page), "x", shown)
    assert_shows(page, trace_with(shown))
    assert said(page) == ""  # the browser's numbers were the server's


def test_the_small_pictures_of_the_strip_follow_and_are_the_servers_after_it(
    tall_page: Page,
) -> None:
    page = tall_page
    drag_live(page, 1, 2, to=40)
    trace = trace_with(exact_numbers(plot_at(page), "x"))
    moved = ["x", "q_heads", "scaled_scores", "weights", "head_outputs", "concat", "output"]
    wait_for_strip(page, trace, live=moved)
    page.mouse.up()
    wait_for_strip(page, trace, live=[])


def wait_for_strip(page: Page, trace: Trace, *, live: list[str]) -> None:
    """Wait until the strip shows this trace, in pictures of which these are the browser's own."""
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


def test_an_open_table_follows_a_drag(tall_page: Page) -> None:
    page = tall_page
    heads = plot_named(page, "Scores")
    heads.get_by_role("button", name="Show as table").click()
    heads.get_by_role("combobox").first.select_option("weights/0")
    table = heads.locator(".plot-table")
    drag_live(page, 0, 0, to=30)
    for x, follows in ((PIZZA.x, False), (x_with(r0c0=1.3), True)):
        trace = trace_with(x)
        weights = np.where(trace.mask, trace.weights[0], np.nan)
        close = np.allclose(table.evaluate(IN_TABLE), weights, rtol=0, atol=CLOSE, equal_nan=True)
        assert close == follows
    page.mouse.up()


IN_TABLE = """table => [...table.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("td")].map((cell) => Number(cell.title.replace("\u2212", "-"))))"""


def test_one_drag_is_one_step_for_undo(tall_page: Page) -> None:
    page = tall_page
    drag_live(page, 0, 0, to=30)
    page.mouse.up()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3))
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)
    assert_shows(page, attend(PIZZA))


def test_drags_that_follow_quickly_are_all_kept_each_a_step_for_undo(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    show_with_numbers(page)
    for row, column, to in ((0, 0, 30), (0, 0, 20), (1, 1, -40), (0, 0, 10)):
        press_and_drag(page, row, column, to=(to, 0))
        page.mouse.up()
    numbers = [x_with(r0c0=1.5), x_with(r0c0=1.5, r1c1=0.6), x_with(r0c0=1.6, r1c1=0.6)]
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.6"))
    wait_until_answered(page)
    assert_shows(page, trace_with(numbers[-1]))
    assert said(page) == ""
    for x in (*numbers[-2::-1], x_with(r0c0=1.3), PIZZA.x):
        page.get_by_role("button", name="Undo").click()
        wait_for_numbers(plot_at(page), "x", x)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_escape_ends_a_drag_and_everything_is_as_before(tall_page: Page) -> None:
    page = tall_page
    address = page.url
    drag_live(page, 0, 0, to=30)
    page.keyboard.press("Escape")
    assert_shows(page, attend(PIZZA))
    page.mouse.up()
    expect(page.locator(".plot-scrubbing")).to_have_count(0)
    assert page.url == address


def test_in_cells_that_are_too_small_for_it_a_number_is_dragged_with_alt(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=TALL)
    open_page(page, "/?tokens=A+B&d_model=64&x=random&weights=random&open=into")
    way_in = plot_at(page)
    before = exact_numbers(way_in, "x")
    x, y, width, height = place_of_cell(way_in, X, 1, 2, 64)
    assert width < 12
    page.mouse.move(x + width / 2, y + height / 2)
    page.keyboard.down("Alt")
    page.mouse.down()
    page.mouse.move(x + width / 2 + 40, y + height / 2, steps=10)
    page.mouse.up()
    page.keyboard.up("Alt")
    expect(page).to_have_url(re.compile(r"x\.cells="))
    moved = exact_numbers(way_in, "x") != before
    assert np.argwhere(moved).tolist() == [[1, 2]]


def test_a_number_that_is_dragged_back_is_no_step(tall_page: Page) -> None:
    page = tall_page
    drag_live(page, 0, 0, to=30)
    x, y, width, height = place_of_cell(plot_at(page), X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.up()
    assert_shows(page, attend(PIZZA))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_alt_and_arrow_keys_change_a_number_with_shift_ten_times_as_far(tall_page: Page) -> None:
    page = tall_page
    pick(plot_at(page), X, 2, 1, COLUMNS)
    number = PIZZA.x[2, 1]
    page.keyboard.down("Alt")
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "Shift+ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.up("Alt")
    wait_for_numbers(plot_at(page), "x", x_with(r2c1=round(number + 1.1, 12)))
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)


def test_what_was_dragged_stays_in_sight_until_a_late_server_answers(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    line = SlowLine(page)
    open_page(page, OPEN)
    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    line.wait_for_runs(1)
    changed = trace_with(x_with(r0c0=1.3))
    assert_shows(page, changed, CLOSE)
    drag_live(page, 1, 1, to=20)  # on what the server has not told yet
    line.let_go()
    page.mouse.up()
    number = round(PIZZA.x[1, 1] + 0.2, 12)
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3, r1c1=number))
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.3"))
    assert_shows(page, trace_with(x_with(r0c0=1.3, r1c1=number)))


def test_a_second_drag_goes_on_where_the_first_ended_though_nothing_has_come(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    show_with_numbers(page)
    line.hold()
    press_and_drag(page, 0, 0, to=(30, 0))
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    expect(plot_at(page).locator(".plot-entered").last).to_have_text("1.5")
    line.wait_for_runs(2)
    line.let_go()  # with what the browser needs to compute
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.5))
    assert_follows(page, trace_with(x_with(r0c0=1.5)))
    page.mouse.up()
    wait_until_answered(page)
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.5))
    assert_shows(page, trace_with(x_with(r0c0=1.5)))
    assert said(page) == ""
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3))


def assert_follows(page: Page, trace: Trace) -> None:
    """The numbers of the browser's forward pass come within a frame or two."""
    shown = np.where(trace.mask, trace.weights[0], np.nan)
    heads, give_up = plot_named(page, "Scores"), time.monotonic() + PATIENCE
    while not np.allclose(exact_numbers(heads, "weights/0"), shown, 0, CLOSE, equal_nan=True):
        assert time.monotonic() < give_up
    assert_shows(page, trace, CLOSE)


def wait_until_answered(page: Page) -> None:
    """Wait until the server has heard of a drag, so that its own numbers stand in the pictures."""
    expect(page.locator(".strip canvas")).to_have_count(0)


def test_the_answer_to_the_first_drag_comes_during_the_second_of_the_same_number(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    show_with_numbers(page)
    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    assert_follows(page, trace_with(x_with(r0c0=1.5)))
    line.wait_for_runs(1)
    line.let_go()
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.3"))  # the first has come
    assert_follows(page, trace_with(x_with(r0c0=1.5)))
    x, y, width, height = place_of_cell(plot_at(page), X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2 + 50, y + height / 2)
    assert_follows(page, trace_with(x_with(r0c0=1.8)))
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.8"))
    wait_until_answered(page)
    assert_shows(page, trace_with(x_with(r0c0=1.8)))
    assert said(page) == ""  # what was shown was right all the time


def test_a_second_drag_that_is_called_off_leaves_the_first(late_page: Page, line: SlowLine) -> None:
    page = late_page
    show_with_numbers(page)
    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    page.keyboard.press("Escape")
    page.mouse.up()
    assert_follows(page, trace_with(x_with(r0c0=1.3)))
    line.wait_for_runs(1)
    line.let_go()
    wait_until_answered(page)
    assert_shows(page, trace_with(x_with(r0c0=1.3)))
    assert said(page) == ""


def test_a_drag_goes_on_from_what_was_typed_and_not_yet_answered(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    show_with_numbers(page)
    drag_live(page, 1, 1, to=20)
    page.keyboard.press("Escape")  # the browser has what it needs
    page.mouse.up()
    line.hold()
    pick(plot_at(page), X, 0, 0, COLUMNS)
    page.keyboard.type("5/2")
    page.keyboard.press("Tab")
    press_and_drag(page, 0, 0, to=(20, 0))
    assert_follows(page, trace_with(x_with(r0c0=2.7)))
    page.mouse.up()
    line.wait_for_runs(1)
    line.let_go()
    wait_until_answered(page)
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=2.7))
    assert said(page) == ""


def test_what_is_typed_while_a_drag_waits_for_its_answer_is_in_sight(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    show_with_numbers(page)
    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    pick(plot_at(page), X, 1, 1, COLUMNS)
    page.keyboard.type("7")
    page.keyboard.press("Tab")
    expect(plot_at(page).locator(".plot-entered")).to_have_text(["7"])
    line.wait_for_runs(1)
    line.let_go()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3, r1c1=7))


def test_before_the_browser_can_compute_the_number_itself_follows(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    line = SlowLine(page)
    open_page(page, OPEN)
    plot_at(page)
    line.hold()
    press_and_drag(page, 0, 0, to=(30, 0))
    expect(plot_at(page).locator(".plot-entered")).to_have_text(["1.3"])
    expect(plot_at(page).locator(".plot-tip-value")).to_have_text("1.3")
    page.mouse.up()
    line.wait_for_runs(1)
    line.let_go()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3))


def test_a_cell_that_goes_while_it_is_dragged_is_refused_in_words(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    line = SlowLine(page)
    open_page(page, OPEN)
    plot_at(page)
    line.hold()
    count = page.get_by_label("Number of tokens", exact=True)
    count.fill("2")
    count.press("Enter")
    line.wait_for_runs(1)
    press_and_drag(page, 3, 0, to=(30, 0))
    line.let_go()
    page.mouse.up()
    expect(plot_at(page).locator(".plot-refusals")).to_contain_text("which has gone")
    wait_for_numbers(plot_at(page), "x", PIZZA.x[:2])


def test_a_server_that_stops_and_starts_again_loses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    page = browser.new_page(viewport=TALL)
    with served("app.py", tmp_path / "first.log", port=port) as server:
        page.goto(f"{server.url}{OPEN}")
        plot_at(page)
        page.locator(".readings li").first.wait_for()
        assert_shows(page, attend(PIZZA))  # a dialog will lie over what opens the tables
        drag_live(page, 0, 0, to=30)
    page.mouse.move(600, 700, steps=30)  # nobody is there to hear of it
    page.mouse.up()
    shown = exact_numbers(plot_at(page), "x")
    assert shown[0, 0] != PIZZA.x[0, 0]
    assert_shows(page, trace_with(shown), CLOSE)
    with served("app.py", tmp_path / "second.log", port=port):
        expect(page).to_have_url(re.compile(r"x\.cells="), timeout=120_000)
        wait_for_numbers(plot_at(page), "x", shown)
        assert_shows(page, trace_with(shown))
        page.context.close()


def test_on_a_board_higher_than_the_window_what_moves_looks_as_it_will(new_page: NewPage) -> None:
    """It is painted on a canvas of its own, over the other one."""
    page = new_page(viewport=TALL)
    open_page(page, "/?example=pizza&heads=8&mask=causal&open=into")
    heads = plot_named(page, "Scores")
    pick(plot_at(page), X, 2, 1, COLUMNS)
    page.set_viewport_size({"width": 1280, "height": 340})
    heads.locator(".plot-stage > svg > svg").nth(1).scroll_into_view_if_needed()
    x, y, width, height = place_of_matrix(heads, 1)

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


def test_nothing_moves_while_a_number_is_dragged(tall_page: Page) -> None:
    page = tall_page
    parts = [page.locator(selector) for selector in ("h1", ".strip", ".st-key-heads", ".readings")]
    place_of_cell(plot_at(page), X, 0, 0, COLUMNS)  # which scrolls there
    before = [each.bounding_box() for each in parts]
    drag_live(page, 0, 0, to=120)
    page.mouse.move(800, 300, steps=20)
    assert [each.bounding_box() for each in parts] == before


def test_a_head_that_is_off_and_a_layer_with_everything_follow_too(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, f"{OPEN}&heads=4&off=2&positions=rope&softcap=5&temperature=0.5&mask=causal")
    drag_live(page, 1, 3, to=50)
    shown = exact_numbers(plot_at(page), "x")
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    wait_for_numbers(plot_at(page), "x", shown)
    assert said(page) == ""


def test_a_page_without_editors_is_not_dragged(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, f"{OPEN}&hide=editors")
    plot = plot_named(page, "X, the projections")
    x, y, width, height = place_of_cell(plot, X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=5)
    page.mouse.up()
    assert np.array_equal(exact_numbers(plot, "x"), PIZZA.x)


def test_by_touch_the_mark_beside_a_cell_is_dragged(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1180, "height": 1800}, has_touch=True, is_mobile=True)
    open_page(page, OPEN)
    way_in = plot_at(page)
    x, y, width, height = place_of_cell(way_in, X, 0, 0, COLUMNS)
    page.touchscreen.tap(x + width / 2, y + height / 2)
    mark = way_in.locator(".plot-mark")
    expect(mark).to_be_visible()
    drag_by_finger(mark, 30)
    wait_for_numbers(way_in, "x", x_with(r0c0=1.3))


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
          for (let i = 1; i <= 10; i++) {
            send("pointermove", (i * pixels) / 10);
            await new Promise(requestAnimationFrame);
          }
          send("pointerup", pixels);
        }""",
        pixels,
    )


def test_a_number_swings_by_itself_until_it_is_stopped(tall_page: Page) -> None:
    page = tall_page
    page.emulate_media(reduced_motion="no-preference")
    way_in = plot_at(page)
    pick(way_in, X, 1, 1, COLUMNS)
    way_in.get_by_role("button", name="Show as table").click()
    way_in.get_by_role("button", name="Play a number").click()
    player = way_in.get_by_role("group", name="Play a number")
    expect(player).to_contain_text("Input, query LOVE, d_model 2")
    player.get_by_label("from").fill("-2")
    player.get_by_label("to").fill("2,5")
    player.get_by_label("seconds").fill("x")
    player.get_by_role("button", name="Play").click()
    expect(player).to_contain_text("Enter numbers for from, to and seconds.")
    player.get_by_label("seconds").fill("1")
    player.get_by_role("button", name="Play").click()
    seen = page.evaluate(
        """async () => {
          const numbers = new Set();
          while (numbers.size < 8 || Math.max(...numbers) < 2) {
            await new Promise(requestAnimationFrame);
            const cell = document.querySelector('.plot[aria-label^="X, the"] tbody')
              .rows[1].cells[2];
            numbers.add(Number(cell.title.replace("\u2212", "-")));
          }
          return [...numbers];
        }"""
    )
    assert min(seen) >= -2
    assert max(seen) <= 2.5
    player.get_by_role("button", name="Stop").click()
    assert_shows(page, attend(PIZZA))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
