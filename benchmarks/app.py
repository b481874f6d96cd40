"""Measure the explorer in a real browser beside the least that the same server can show.

python -m benchmarks.app [--rounds 20] [--quick] [--before ../older-checkout]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.run import processor, write
from benchmarks.timing import Spread, ratios
from benchmarks.visit import Measured, Place, Visit
from tests.serving import ROOT, AppServer, served
from tools.find_browser import LAUNCH_FLAGS, WAY_OUT, find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RESULTS: Final = Path(__file__).resolve().parent / "results" / "app.json"
ROUNDS: Final = 20
COMPARE: Final = "pages/compare.py"
FLOOR_SCRIPT: Final = "benchmarks/floor_app.py"
RIVALS: Final = ("floor", "stock")
FLOOR_PLACE: Final = Place("/", "input[type=range]", "ArrowRight", columns=2)
LINE: Final = "{:<42} {:>7} {:>7} {:>7} {:>10} {:>22} {:>28}"
HEADING: Final = LINE.format("", "app", "floor", "stock", "app/stock", "app/floor", "aim")
LEGEND: Final = """\
Medians, in ms where nothing else is said, from the event to the last heatmap painted in sight, by
the page's own clock; a ratio is the median of all rounds' ratios (and their quartiles). floor: one
figure of 2 x 2 cells and one slider on the same kind of server. stock: the floor as Streamlit
comes, which collects garbage after each run; the aims were set beside it. before: the app of an
older checkout, where one is given. All take turns."""


Act = Callable[[], Measured]


@dataclass(frozen=True)
class Contestant:
    """A server to measure: a script of a checkout, with its own settings."""

    script: str
    flags: tuple[str, ...] = ()
    folder: Path = ROOT

    def start(self, log: Path) -> AbstractContextManager[AppServer]:
        return served(self.script, log, "", *self.flags, folder=self.folder)

    def has(self, page: str) -> bool:
        """Whether it has a page, which an older checkout may not."""
        return self.script == "app.py" and (self.folder / page).exists()


@dataclass(frozen=True)
class Aim:
    """The most or the least that the ratio to the floor, or the app's own number, may be."""

    number: float
    of: str = "of the floor"
    at_least: bool = False

    @property
    def is_of_the_floor(self) -> bool:
        return self.of == Aim.of

    def is_met(self, value: float) -> bool:
        return value >= self.number if self.at_least else value <= self.number

    def __str__(self) -> str:
        return f"{'least' if self.at_least else 'most'} {self.number:g} {self.of}"


@dataclass(frozen=True)
class Row:
    """One thing measured in each round, in the app and its rivals; NaN where that failed."""

    name: str
    app: list[float]
    floor: list[float]
    stock: list[float]
    aim: Aim | None = None
    before: list[float] = field(default_factory=list)
    zero_means: str = "took no time"  # said of a rival whose number is 0

    @property
    def ratio(self) -> Spread | None:
        return Spread.of(ratios(self.app, self.floor)) if self.floor else None

    @property
    def ratio_to_stock(self) -> Spread | None:
        return Spread.of(ratios(self.app, self.stock)) if self.stock else None

    @property
    def ratio_to_before(self) -> Spread | None:
        return Spread.of(ratios(self.app, self.before)) if self.before else None

    @property
    def is_met(self) -> bool | None:
        """None where there is no aim, or nothing to judge by it."""
        app, of = Spread.of(self.app), self.ratio
        if self.aim is None or app is None:
            return None
        if self.aim.is_of_the_floor:
            return self.aim.is_met(of.median) if of else None
        return self.aim.is_met(app.median)

    def lines(self) -> list[str]:
        """The row of the table, and below it a note on each ratio that is not of all rounds."""
        medians = (Spread.of(taken) for taken in (self.app, self.floor, self.stock))
        of, of_stock = self.ratio, self.ratio_to_stock
        verdict = {True: "met", False: "missed", None: "unknown"}[self.is_met]
        cells = (
            self.name,
            *(f"{spread.median:.1f}" if spread else "-" for spread in medians),
            f"{of_stock.median:.2f}" if of_stock else "no ratio",
            f"{of.median:.2f} ({of.lower:.2f}-{of.upper:.2f})" if of else "no ratio",
            f"{self.aim} {verdict}" if self.aim else "-",
        )
        return [
            LINE.format(*cells),
            *self.beside_before(),
            *self.notes("floor"),
            *self.notes("stock"),
        ]

    def beside_before(self) -> Iterator[str]:
        """The older checkout's number, and the ratio of the app's to it."""
        if not self.before:
            return
        number, of = Spread.of(self.before), self.ratio_to_before
        ratio = f"{of.median:.2f} ({of.lower:.2f}-{of.upper:.2f})" if of else "no ratio"
        yield f"  before: {f'{number.median:.1f}' if number else '-'}, app/before: {ratio}"

    def notes(self, rival: str) -> Iterator[str]:
        """How many rounds lack a ratio to a rival, and why."""
        theirs: list[float] = getattr(self, rival)
        if not theirs:  # it has nothing of the kind
            return
        rounds, found = len(theirs), len(ratios(self.app, theirs))
        zeros = sum(number == 0 for number in theirs)
        if found == rounds:
            return
        beginning = f"ratio of {found} of {rounds} rounds" if found else "no ratio"
        if zeros:
            yield f"  {beginning}: the {rival} {self.zero_means}"
        if zeros + found < rounds:
            yield f"  {beginning}: the app or the {rival} did not answer in time"

    def data(self) -> dict[str, Any]:
        spreads = {
            "app": Spread.of(self.app),
            "floor": Spread.of(self.floor),
            "stock": Spread.of(self.stock),
            "ratio": self.ratio,
            "ratio_to_stock": self.ratio_to_stock,
            "before": Spread.of(self.before) if self.before else None,
            "ratio_to_before": self.ratio_to_before,
        }
        return {
            "name": self.name,
            "rounds": len(self.app),
            **{name: spread and asdict(spread) for name, spread in spreads.items()},
            "aim": self.aim and str(self.aim),
            "met": self.is_met,
        }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"of each measurement ({ROUNDS})"
    )
    parser.add_argument("--quick", action="store_true", help="a smoke run: one round")
    parser.add_argument("--before", type=Path, help="an older checkout, to compare with")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the JSON file goes")
    options = parser.parse_args()
    if (executable := find_browser()) is None:
        sys.exit(WAY_OUT)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=LAUNCH_FLAGS)
        rounds = 1 if options.quick else options.rounds
        run(browser, contestants(options.before), rounds, options.results)
        browser.close()


def contestants(before: Path | None) -> dict[str, Contestant]:
    """The app, its floors, and the older app where its checkout is given, by name."""
    those = {
        "app": Contestant("app.py"),
        "floor": Contestant(FLOOR_SCRIPT),
        "stock": Contestant(FLOOR_SCRIPT, ("--runner.postScriptGC=true",)),
    }
    if before:
        those["before"] = Contestant("app.py", folder=before.resolve())
    return those


def run(browser: Browser, those: Mapping[str, Contestant], rounds: int, results: Path) -> None:
    """Print the table line by line and write the same as JSON."""
    setting = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": processor(),
        "browser": browser.version,
        "streamlit": version("streamlit"),
        "plotly": version("plotly"),
        "rounds": rounds,
    }
    print(*(f"{name}: {value}" for name, value in setting.items()), sep=", ")
    print(LEGEND, HEADING, sep="\n")
    rows = [row.data() for row in print_each(measured(browser, those, rounds))]
    write(results, {**setting, "rows": rows})
    print(f"Written to {results}")


def measured(browser: Browser, those: Mapping[str, Contestant], rounds: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        logs = {name: Path(folder) / f"{name}.log" for name in those}
        with ExitStack() as servers:
            urls = {
                name: servers.enter_context(one.start(logs[name])).url
                for name, one in those.items()
            }
            comparing = [name for name, one in those.items() if one.has(COMPARE)]
            yield from measured_warm(browser, urls, comparing, rounds)
        acts = {name: cold_start(browser, one, logs[name]) for name, one in those.items()}
        cold = take_turns(acts, rounds)
        yield row("First heatmaps, cold server", cold, "seconds", Aim(3.5, "seconds"))


def measured_warm(
    browser: Browser, urls: Mapping[str, str], comparing: Sequence[str], rounds: int
) -> Iterator[Row]:
    """All that is measured on servers that have run for a while.

    Those in `comparing` have the page that compares.
    """
    floors = {name: Visit(browser, FLOOR_PLACE.on(urls[name])) for name in RIVALS}
    apps = [name for name in urls if name not in RIVALS]

    def visits(place: Place, names: Sequence[str] = apps) -> dict[str, Visit]:
        return {name: Visit(browser, place.on(urls[name])) for name in names}

    for tokens, heads, width, aim in ((16, 8, 64, 2.0), (128, 16, 128, 6.0)):
        of_this_size = visits(layer(tokens, heads, width))
        size = f"{heads} heads x {tokens} tokens"
        taken = take_turns(each({**of_this_size, **floors}, Visit.press), rounds)
        yield row(f"Control change, {size}", taken, "answer", Aim(aim))
        if tokens == 16:
            taken = take_turns(each({**of_this_size, **floors}, Visit.click), rounds)
            yield row(f"Click on a cell, {size}: lights", taken, "lights")
            yield row("  the same in frames", taken, "frames", Aim(1, "frame"))
            yield row("  the server's answer", taken, "answer", Aim(1.5))
        leave(of_this_size)
    compared = visits(comparison(128, 16, 64), comparing)
    taken = take_turns(each({**compared, **floors}, Visit.press), rounds)
    yield row("Change in B of two, 16 heads x 128 tokens", taken, "answer")
    leave(compared)
    small = visits(layer(4, 2, 8))
    taken = take_turns(each({**small, **floors}, Visit.hold), rounds)
    repaints = row("Key held, 4 tokens x 8: repaints a second", taken, "repaints")
    yield replace(
        repaints, aim=Aim(10, "a second", at_least=True), zero_means="painted nothing in its window"
    )
    leave({**small, **floors})
    places = {name: FLOOR_PLACE if name in RIVALS else layer(4, 2, 8) for name in urls}
    yield from measured_scrubs(browser, urls["app"], rounds)
    acts = {name: opening(browser, place.on(urls[name])) for name, place in places.items()}
    taken = take_turns(acts, rounds)
    yield row("First heatmaps, warm server", taken, "opening", Aim(1.5))
    yield row("  the live page is seen", taken, "seen")
    yield row("  something to read", taken, "readable", Aim(300, "ms"))
    yield row("  layout shift, in thousandths", taken, "shift", Aim(20, "thousandths"))


def measured_scrubs(browser: Browser, url: str, rounds: int) -> Iterator[Row]:
    """A number that is dragged, beside a control of the same page that the server answers."""
    sizes = ((4, 2, 8, 50), (16, 8, 64, 30), (128, 16, 128, 30), (16, 4, 64, 30))
    for more, (tokens, heads, width, least) in zip(("", "", "", TWO_LAYERS), sizes, strict=True):
        place = layer(tokens, heads, width)
        visit = Visit(browser, replace(place, address=f"{place.address}&open=into{more}").on(url))
        scrubs = take_turns({"app": visit.scrub}, rounds)
        held = take_turns({"app": visit.hold}, rounds)
        size = f"{heads} heads x {tokens} x {width}{', two layers' if more else ''}"
        aim = Aim(least, "a second", at_least=True)
        yield row(f"Scrub, {size}: repaints a second", scrubs, "repaints", aim)
        yield row("  the same page's control, held", held, "repaints")
        visit.leave()


TWO_LAYERS: Final = "&layers=2&2.heads=4&2.weights=random&2.weights_seed=1"


def leave(visits: Mapping[str, Visit]) -> None:
    for visit in visits.values():
        visit.leave()


# In the form of the sidebar; in older checkouts, each field was its own widget.
SEED: Final = '[data-field="weights-seed"] input, [class*="enter-weights-seed"] input'
MORE: Final = '[data-section="weights"] .form-more, [class*="more-weights"] button'


def layer(tokens: int, heads: int, width: int) -> Place:
    """Random self-attention, its heads large, its control the seed of the weights."""
    return Place(
        f"/?{in_link(tokens, heads, width)}&page=1", SEED, "ArrowUp", columns=tokens, opened_by=MORE
    )


def comparison(tokens: int, heads: int, width: int) -> Place:
    """This layer as A and, at another temperature, as B; its control the seed of B's weights."""
    a, b = (in_link(tokens, heads, width, of=side) for side in ("a.", "b."))
    return Place(
        f"/compare?{a}&{b}&b.temperature=2", SEED, "ArrowUp", columns=tokens, opened_by=MORE
    )


def in_link(tokens: int, heads: int, width: int, of: str = "") -> str:
    params = {
        "tokens": "+".join(f"t{i + 1}" for i in range(tokens)),
        **{"d_model": width, "heads": heads},
        **{"x": "random", "weights": "random"},
    }
    return "&".join(f"{of}{name}={value}" for name, value in params.items())


def each(visits: Mapping[str, Visit], act: Callable[[Visit], Measured]) -> dict[str, Act]:
    """The same act for each visitor."""
    return {name: partial(act, visit) for name, visit in visits.items()}


def opening(browser: Browser, place: Place) -> Act:
    """A visitor who was never here before: nothing is in the browser's cache."""

    def act() -> Measured:
        visit = Visit(browser, place)
        visit.leave()
        return {
            "opening": visit.opened,
            "seen": max(visit.opened, visit.opening["uncovered"]),
            "readable": visit.opening["readable"],
            "shift": 1e3 * visit.opening["shift"],
        }

    return act


def cold_start(browser: Browser, one: Contestant, log: Path) -> Act:
    """From the start of the server's process to the last heatmap of its first visitor."""

    def act() -> Measured:
        began = time.time()
        with one.start(log) as server:
            visit = Visit(browser, Place(server.url, "", "", columns=0))
            visit.leave()
        return {"seconds": visit.opened_at / 1e3 - began}

    return act


def take_turns(acts: Mapping[str, Act], rounds: int) -> dict[str, list[Measured]]:
    """Run each once a round, after a round to warm up. The one that starts changes each round."""
    names = list(acts)
    taken: dict[str, list[Measured]] = {name: [] for name in names}
    for number in range(rounds + 1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(measured_or_nothing(acts[name]))
    return {name: of_one[1:] for name, of_one in taken.items()}


def measured_or_nothing(act: Act) -> Measured:
    """What was measured; nothing where the machine was too slow for it."""
    from playwright.sync_api import TimeoutError as TooSlow

    try:
        return act()
    except TooSlow as trouble:
        print(f"  not measured: {str(trouble).splitlines()[0]}", flush=True)
        return {}


def row(name: str, taken: Mapping[str, list[Measured]], what: str, aim: Aim | None = None) -> Row:
    numbers = {who: [one.get(what, nan) for one in of_one] for who, of_one in taken.items()}
    app, floor, stock = (numbers.get(name, []) for name in ("app", *RIVALS))
    return Row(name, app, floor, stock, aim, before=numbers.get("before", []))


def print_each(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        print(*row.lines(), sep="\n", flush=True)
        yield row


if __name__ == "__main__":
    main()
