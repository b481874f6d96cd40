"""One visitor's page with a stopwatch inside it, and what the visitor does there."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

STOPWATCH: Final = Path(__file__).parent / "stopwatch.js"
PATIENCE: Final = 120_000  # ms for what a slow machine takes long to show
HELD: Final = 1.0  # seconds that a key is held
REPEAT: Final = 1 / 30  # seconds from one keydown of a held key to the next
CORNERS: Final = ((0, 0), (1, 0), (1, 1), (0, 1))  # cells to click in turn

FIRST_PLOT: Final = ".st-key-heads .plot-stage"
# Left, top and width on the page. Each matrix is an <svg> inside that of the plot.
FIRST_MATRIX: Final = """selector => {
  const stage = document.querySelector(selector);
  const [x, y, width] = ["x", "y", "width"].map((name) =>
    Number(stage.querySelector(":scope > svg > svg").getAttribute(name)));
  const { left, top } = stage.getBoundingClientRect();
  return [left + x, top + y, width];
}"""

WAY_IN: Final = ".st-key-into .plot-stage"
# The middle of the first cell of X, which stands lowest and furthest to the left.
CELL_OF_X: Final = """selector => {
  const stage = document.querySelector(selector);
  const windows = [...stage.querySelectorAll(":scope > svg > svg")].map((window) =>
    ["x", "y"].map((name) => Number(window.getAttribute(name))));
  const [x, y] = windows.sort(([a], [b]) => a - b)[0];
  const { left, top } = stage.getBoundingClientRect();
  return [left + x + 1, top + y + 1];
}"""
# Alt with an arrow key, in every frame, once the browser has what it needs to compute.
SCRUB: Final = """async ([selector, seconds]) => {
  const stage = document.querySelector(selector);
  const heads = document.querySelector(".st-key-heads .plot");
  const frame = () => new Promise(requestAnimationFrame);
  const painted = () => Number(heads.dataset.painted);
  const key = (type, key) => {
    const press = { key, altKey: true, bubbles: true, cancelable: true };
    stage.dispatchEvent(new KeyboardEvent(type, press));
  };
  stage.focus();
  const before = painted();
  for (let turn = 0; painted() === before && turn < 600; turn++) {
    key("keydown", turn % 2 ? "ArrowUp" : "ArrowDown");
    await frame();
  }
  const [first, began] = [painted(), performance.now()];
  for (let turn = 0; performance.now() - began < 1e3 * seconds; turn++) {
    key("keydown", turn % 40 < 20 ? "ArrowUp" : "ArrowDown");
    await frame();
  }
  const repaints = (painted() - first) / ((performance.now() - began) / 1e3);
  key("keyup", "Alt");
  return repaints;
}"""

# What was measured, by name: milliseconds where the name says nothing else; NaN where it could not
# be measured.
Measured = dict[str, float]


@dataclass(frozen=True)
class Place:
    """An address, its control as CSS finds it, the key for one step, its first matrix's columns.

    `opened_by` is the button that shows the control, if one hides it.
    """

    address: str
    control: str
    key: str
    columns: int
    opened_by: str = ""

    def on(self, url: str) -> Place:
        return replace(self, address=url + self.address)


class Visit:
    """A fresh visitor's page, all its heatmaps painted."""

    def __init__(self, browser: Browser, place: Place) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(path=STOPWATCH)
        self.page: Page = context.new_page()
        self.place, self.clicks = place, 0
        self.page.goto(place.address, wait_until="commit")
        notes = self._settled()
        self.opened = last_paint(notes)  # ms since the page was asked for
        self.opening: dict[str, float] = notes["opening"]  # see stopwatch.js
        self.opened_at: float = notes["born"] + self.opened  # ms since 1970

    def leave(self) -> None:
        self.page.context.close()

    def press(self) -> Measured:
        """One step of the control, until the last heatmap is painted."""
        self._open_control()
        self._start("keydown")
        self._control.press(self.place.key)
        return {"answer": answer_time(self._settled())}

    def hold(self) -> Measured:
        """The control's key held down: repaints a second."""
        self._open_control()
        self._control.focus()
        self._start("keydown")
        turns = int(HELD / REPEAT)
        began = time.perf_counter()
        for turn in range(turns):
            time.sleep(max(0.0, began + turn * REPEAT - time.perf_counter()))
            self.page.keyboard.down(self.place.key)
        self.page.keyboard.up(self.place.key)
        notes = self._settled()
        if "entered" not in notes:
            return {"repaints": nan}
        end = notes["entered"] + 1e3 * HELD
        paints = [p for p in notes["paints"] if p["plot"] == "heads" and p["at"] <= end]
        return {"repaints": len(paints) / HELD}

    def scrub(self) -> Measured:
        """A number of X changed in every frame, as a drag does: repaints of the heads a second."""
        if not self.clicks:  # a second click would open the field of the cell
            self.page.locator(WAY_IN).scroll_into_view_if_needed()
            x, y = self.page.evaluate(CELL_OF_X, WAY_IN)
            self._start("pointerup")
            self.page.mouse.click(x, y)
            self.clicks += 1
            self._settled()
        self._start("keydown")
        self.page.locator(FIRST_PLOT).scroll_into_view_if_needed()
        repaints: float = self.page.evaluate(SCRUB, [WAY_IN, HELD])
        self._settled()
        return {"repaints": repaints}

    def click(self) -> Measured:
        """A click on a cell, another one each time: the lights, and the server's answer."""
        x, y = self._next_cell()
        self._start("pointerup")
        self.page.mouse.click(x, y)
        notes = self._settled()
        return {
            "answer": answer_time(notes),
            "lights": notes.get("lit", nan) - notes.get("pointed", nan),
            "frames": notes.get("frames", nan),
        }

    @property
    def _control(self) -> Locator:
        return self.page.locator(self.place.control)

    def _open_control(self) -> None:
        """Show the control, before the clock starts."""
        if self.place.opened_by and not self._control.is_visible():
            self.page.locator(self.place.opened_by).click()
            self._control.wait_for()
            self._settled()

    def _next_cell(self) -> tuple[float, float]:
        """The middle of a cell in the first matrix's upper left corner, another one each time."""
        self.page.locator(FIRST_PLOT).scroll_into_view_if_needed()
        left, top, width = self.page.evaluate(FIRST_MATRIX, FIRST_PLOT)
        across, down = CORNERS[self.clicks % len(CORNERS)]
        self.clicks += 1
        cell = width / self.place.columns
        return left + (across + 0.5) * cell, top + (down + 0.5) * cell

    def _start(self, entry: str) -> None:
        self.page.evaluate("entry => stopwatch.start(entry)", entry)

    def _settled(self) -> dict[str, Any]:
        notes: dict[str, Any] = self.page.evaluate("stopwatch.settled()")
        return notes


def answer_time(notes: Mapping[str, Any]) -> float:
    """Milliseconds from the event to the last heatmap painted; NaN where one was not noted."""
    return last_paint(notes) - float(notes.get("entered", nan))


def last_paint(notes: Mapping[str, Any]) -> float:
    return float(notes["paints"][-1]["at"]) if notes["paints"] else nan
