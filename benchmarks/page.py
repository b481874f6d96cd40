"""Measure a page in one file beside the pages of tools that show attention: `make bench-page`.

python -m benchmarks.page [--rounds 11] [--packages node_modules]

Only tools that are installed take part, all in the same rounds, in turns. A page that asks a host
for scripts gets them at once, from a package that is installed. BertViz's are of npm: `--packages`
is a folder with d3, jquery and requirejs. A page that fails is left out, and the run says why.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.peers import Page, installed, page_of
from benchmarks.run import processor, write
from benchmarks.timing import Spread, ratios
from mha_core import Scenario, Trace, attend
from tools.find_browser import LAUNCH_FLAGS, WAY_OUT, find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route, ViewportSize

RESULTS: Final = Path(__file__).resolve().parent / "results" / "page.json"
ROUNDS: Final = 11
SIZES: Final = ((8, 16, 64), (8, 128, 64), (16, 128, 128))  # heads, tokens, width
CALM: Final = 800  # ms without a new frame
PATIENCE: Final = 30_000  # ms until the first one
WINDOW: Final[ViewportSize] = {"width": 1280, "height": 720}
LINE: Final = "{:<12} {:>9} {:>22} {:>22}"
HEADING: Final = LINE.format("", "kB", "settled, ms", "ours / theirs")
LEGEND: Final = """\
settled: from the beginning of the visit to the last frame in which the window changed, by the
browser's own clock; medians of all rounds, and quartiles. A ratio is the median of all rounds'."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of each page ({ROUNDS})")
    parser.add_argument("--packages", type=Path, help="a folder of npm packages")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the JSON file goes")
    options = parser.parse_args()
    if (executable := find_browser()) is None:
        sys.exit(WAY_OUT)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=LAUNCH_FLAGS)
        run(browser, SIZES, options.rounds, options.packages, options.results)
        browser.close()


def run(
    browser: Browser,
    sizes: tuple[tuple[int, int, int], ...],
    rounds: int,
    packages: Path | None,
    results: Path,
) -> None:
    """Print the table size by size and write the same as JSON."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    setting = {"date": date, "cpu": processor(), "browser": browser.version, "rounds": rounds}
    print(*(f"{name}: {value}" for name, value in setting.items()), sep=", ")
    print(LEGEND)
    rows = []
    for heads, tokens, width in sizes:
        print(f"\n{heads} heads x {tokens} tokens, width {width}", HEADING, sep="\n")
        pages = pages_of(random_layer(heads, tokens, width), packages)
        with tempfile.TemporaryDirectory() as folder:
            taken = measured(browser, pages, rounds, Path(folder))
        size = {"heads": heads, "tokens": tokens, "width": width}
        rows += [size | row(name, pages[name], times, taken) for name, times in taken.items()]
    write(results, {**setting, "rows": rows})
    print(f"Written to {results}")


def random_layer(heads: int, tokens: int, width: int) -> Trace:
    random = np.random.default_rng(0)
    w_q, w_k, w_v, w_o = random.standard_normal((4, width, width)) / width**0.5
    x = random.standard_normal((tokens, width))
    names = tuple(f"t{number + 1}" for number in range(tokens))
    return attend(Scenario(x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, n_heads=heads, tokens=names))


def pages_of(trace: Trace, packages: Path | None) -> dict[str, Page]:
    pages = {}
    for name in installed():
        try:
            pages[name] = page_of(name, trace, packages)
        except Exception as error:
            print(f"{name} is left out: {error}")
    return pages


def measured(
    browser: Browser, pages: Mapping[str, Page], rounds: int, folder: Path
) -> dict[str, list[float]]:
    """Milliseconds of each page in each round. Whoever was first is last in the next round."""
    taken: dict[str, list[float]] = {name: [] for name in pages}
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page.html, "utf-8")
    order = list(pages)
    for _ in range(rounds):
        for name in order:
            file = folder / f"{name}.html"
            taken[name].append(settled(browser, file.as_uri(), pages[name].scripts))
        order.append(order.pop(0))
    return taken


def settled(browser: Browser, address: str, scripts: Mapping[str, str]) -> float:
    """Milliseconds until the window changes no more; NaN where it never changed."""
    page = browser.new_page(viewport=WINDOW)
    for part, script in scripts.items():
        page.route(re.compile(re.escape(part)), partial(_answer, script))
    frames: list[float] = []  # when the window changed
    last = ""
    client = page.context.new_cdp_session(page)

    def note(frame: dict[str, Any]) -> None:
        nonlocal last
        if frame["data"] != last:  # else something changed out of sight
            frames.append(1e3 * frame["metadata"]["timestamp"])
        last = frame["data"]
        client.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    client.on("Page.screencastFrame", note)
    client.send("Page.startScreencast", {"format": "png"})
    page.wait_for_timeout(CALM)
    frames.clear()  # of the empty page
    page.goto(address)
    began = float(page.evaluate("performance.timeOrigin"))
    waited, seen = 0, -1
    while len(frames) != seen or (not frames and waited < PATIENCE):
        seen = len(frames)
        page.wait_for_timeout(CALM)
        waited += CALM
    page.close()
    return frames[-1] - began if frames else nan


def _answer(script: str, route: Route) -> None:
    headers = {"access-control-allow-origin": "*"}
    route.fulfill(body=script, content_type="text/javascript", headers=headers)


def row(
    name: str, page: Page, times: list[float], taken: Mapping[str, list[float]]
) -> dict[str, Any]:
    """Prints what it gives."""
    size = len(page.html.encode()) + sum(len(script.encode()) for script in page.scripts.values())
    took, ratio = Spread.of(times), Spread.of(ratios(taken["explorer"], times))
    said = [
        f"{each.median:{form}} ({each.lower:{form}}-{each.upper:{form}})" if each else "-"
        for each, form in ((took, ".0f"), (ratio, ".2f"))
    ]
    print(LINE.format(name, f"{size / 1e3:.0f}", *said), flush=True)
    return {
        "name": name,
        "bytes": size,
        "settled": took and asdict(took),
        "ratio": ratio and asdict(ratio),
    }


if __name__ == "__main__":
    main()
