"""What comes before a late server has answered a drag: another drag, typing, its own end.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend, decode_link
from tests.browser.dragging import (
    CLOSE,
    PIZZA,
    TALL,
    assert_follows,
    assert_shows,
    drag_live,
    press_and_drag,
    said,
    show_with_numbers,
    trace_with,
    wait_until_answered,
)
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import (
    exact_numbers,
    open_page,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.slow_line import SlowLine, on_a_slow_line
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, plot_at, x_with
from tests.serving import free_port, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.conftest import NewPage


@pytest.fixture
def late_page(new_page: NewPage) -> Page:
    return new_page(prepared=on_a_slow_line, viewport=TALL)


def test_what_was_dragged_stays_in_sight_until_a_late_server_answers_through_other_drags(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    open_page(page, OPEN)
    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    line.wait_for_runs(1)
    assert_shows(page, trace_with(x_with(r0c0=1.3)), CLOSE)
    drag_live(page, 1, 1, to=20)  # on what the server has not told yet
    line.let_go()
    page.mouse.up()
    other = {"r1c1": 1.2}
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3, **other))
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.3"))
    wait_until_answered(page)
    assert_shows(page, trace_with(x_with(r0c0=1.3, **other)))

    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    assert_follows(page, trace_with(x_with(r0c0=1.8, **other)))
    line.wait_for_runs(1)
    line.let_go()
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.6"))  # the first has come
    assert_follows(page, trace_with(x_with(r0c0=1.8, **other)))
    x, y, width, height = place_of_cell(plot_at(page), X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2 + 50, y + height / 2)
    assert_follows(page, trace_with(x_with(r0c0=2.1, **other)))
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells=.*_2\.1"))
    wait_until_answered(page)
    assert_shows(page, trace_with(x_with(r0c0=2.1, **other)))

    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    page.keyboard.press("Escape")  # which calls off the second drag
    page.mouse.up()
    assert_follows(page, trace_with(x_with(r0c0=2.4, **other)))
    line.wait_for_runs(1)
    line.let_go()
    wait_until_answered(page)
    assert_shows(page, trace_with(x_with(r0c0=2.4, **other)))
    assert said(page) == ""  # what was shown was right all the time


def test_before_the_browser_can_compute_the_number_follows_and_a_second_drag_goes_on_from_it(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    show_with_numbers(page)
    line.hold()
    press_and_drag(page, 0, 0, to=(30, 0))
    expect(plot_at(page).locator(".plot-entered")).to_have_text(["1.3"])
    expect(plot_at(page).locator(".plot-tip-value")).to_have_text("1.3")
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


def test_a_cell_that_goes_is_refused_and_what_is_typed_around_a_drag_is_in_sight_at_once(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
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
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)
    wait_for_the_end_of_the_run(page)  # until then the picture may move

    drag_live(page, 0, 0, to=30)
    line.hold()
    page.mouse.up()
    pick(plot_at(page), X, 1, 1, COLUMNS)
    page.keyboard.type("1.5")
    page.keyboard.press("Tab")
    expect(plot_at(page).locator(".plot-entered")).to_have_text(["1.5"])
    line.wait_for_runs(1)
    line.let_go()
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=1.3, r1c1=1.5))
    wait_until_answered(page)

    drag_live(page, 1, 1, to=20)
    page.keyboard.press("Escape")  # the browser has what it needs
    page.mouse.up()
    line.hold()
    pick(plot_at(page), X, 0, 0, COLUMNS)
    page.keyboard.type("5/2")
    page.keyboard.press("Tab")
    press_and_drag(page, 0, 0, to=(20, 0))  # from what was typed
    assert_follows(page, trace_with(x_with(r0c0=2.7, r1c1=1.5)))
    page.mouse.up()
    line.wait_for_runs(1)
    line.let_go()
    wait_until_answered(page)
    wait_for_numbers(plot_at(page), "x", x_with(r0c0=2.7, r1c1=1.5))
    assert said(page) == ""


def test_a_server_that_is_killed_and_started_again_loses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    page = browser.new_page(viewport=TALL, reduced_motion="reduce")
    with served("app.py", tmp_path / "first.log", port=port) as server:
        page.goto(f"{server.url}{OPEN}")
        plot_at(page)
        page.locator(".readings li").first.wait_for()
        assert_shows(page, attend(PIZZA))  # a dialog will lie over what opens the tables
        drag_live(page, 0, 0, to=30)
        os.kill(server.pid, signal.SIGKILL)
    page.mouse.move(600, 700, steps=2)  # nobody is there to hear of it
    page.mouse.up()
    lost = page.get_by_role("dialog").filter(has_text="Connection error")
    expect(lost).to_be_visible()
    shown = exact_numbers(plot_at(page), "x")
    assert shown[0, 0] != PIZZA.x[0, 0]
    assert_shows(page, trace_with(shown), CLOSE)
    with served("app.py", tmp_path / "second.log", port=port) as server:
        expect(page).to_have_url(re.compile(r"x\.cells="), timeout=120_000)
        wait_for_numbers(plot_at(page), "x", shown)
        assert_shows(page, trace_with(shown))
        np.testing.assert_array_equal(decode_link(urlsplit(page.url).query).x, shown)
        assert "Traceback" not in server.log()
        page.context.close()
