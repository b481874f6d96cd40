"""The stops of a tour, ours or somebody's own, as pages and what their addresses say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from mha_core import Scenario, Stack
from mha_core.changing.layers import as_stack
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.guide.field_guide import FIRST_ENTRY, SENTENCE
from mha_core.guide.tours import TOURS, Stop
from mha_core.io.packed_text import PACKED
from mha_core.io.scenario.link_names import ADDED_BY_OTHERS
from ui.edits.puzzle_entries import begun
from ui.edits.tour_text import PAGES, LinkedStop, unpack_tour
from ui.state.in_words import params_of_stack
from ui.state.view import View
from ui.state.view_params import FIRST_PUZZLE, STEP_OF_ROW

# The files of the pages that stops lead to. Each page has its file's name, except the explorer.
FILES: Final[Mapping[str, str]] = {"": "explore.py", **{page: f"{page}.py" for page in PAGES}}
SESSIONS: Final[Mapping[str, tuple[str, ...]]] = {  # of these pages, by their names
    "": ("",),
    "walkthrough": ("",),
    "compare": ("a", "b"),
    "patterns": ("p",),
    "build": ("h",),
}
# What the sessions of a page show if its address says nothing. All others show the first example.
FIRST: Final[Mapping[str, Mapping[str, Callable[[], Scenario | Stack]]]] = {
    "compare": {
        "a": lambda: READY_QUESTIONS["causal"].sides[0],
        "b": lambda: READY_QUESTIONS["causal"].sides[1],
    },
    "patterns": {"p": lambda: FIRST_ENTRY.on(SENTENCE)},
    "build": {"h": lambda: begun(FIRST_PUZZLE)},
}
ROW_OF_STEP: Final = {step: row for row, step in STEP_OF_ROW.items()}
SEVERAL: Final = 32  # tours that are kept ready


class StopOnPage(NamedTuple):
    """What is said at a stop, on which page, and what the page's address says there.

    `ours` is the stop of one of our tours, with what it compares. `notes` are for the speaker.
    """

    sentence: str
    page: str
    params: dict[str, str]
    ours: Stop | None = None
    notes: str = ""


class TourOnPages(NamedTuple):
    """A title and stops. The `name` is what an address says of the tour."""

    name: str
    title: str
    stops: tuple[StopOnPage, ...]


@lru_cache(SEVERAL)
def tour_on_pages(name: str) -> TourOnPages:
    """The tour of this name, or the one that is packed into it."""
    if name.startswith(PACKED):
        own = unpack_tour(name)
        title, stops = own.title, [_linked(stop) for stop in own.stops]
    else:
        tour = TOURS[name]
        title, stops = tour.title, [_ours(stop) for stop in tour.stops]
    return TourOnPages(
        name, title, tuple(_numbered(stop, name, number) for number, stop in enumerate(stops, 1))
    )


@cache
def first_stop(name: str) -> StopOnPage:
    """Where one of our tours begins. It does not make what the other stops show."""
    return _numbered(_ours(TOURS[name].stops[0]), name, 1)


def _numbered(stop: StopOnPage, tour: str, number: int) -> StopOnPage:
    return stop._replace(params={**stop.params, "tour": tour, "stop": str(number)})


def _linked(stop: LinkedStop) -> StopOnPage:
    """A link that says nothing shows what its page shows then: a tour may come from elsewhere."""
    params = dict(parse_qsl(stop.query, keep_blank_values=True))
    if not params:
        first = {name: make() for name, make in FIRST.get(stop.page, {}).items()}
        params = {f"{n}.{p}": text for n, s in first.items() for p, text in _words(s).items()}
    return StopOnPage(stop.sentence, stop.page, params, notes=stop.notes)


def _ours(stop: Stop) -> StopOnPage:
    head = stop.head or None
    if stop.against:
        in_a = View(step=stop.screen, layer=stop.layer, head=head, title=stop.title_of_a)
        a = _described(stop.against(), in_a)
        b = _described(stop.scenario(), View(layer=stop.layer, title=stop.title))
        sides = {f"a.{param}": text for param, text in a.items()}
        sides |= {f"b.{param}": text for param, text in b.items()}
        return StopOnPage(stop.sentence, "compare", sides, stop)
    if stop.all_heads:
        row = ROW_OF_STEP.get(stop.screen, stop.screen)
        view = View(part=stop.screen, rows=(row,), layer=stop.layer, title=stop.title)
        return StopOnPage(stop.sentence, "", _described(stop.scenario(), view), stop)
    view = View(screen=stop.screen, layer=stop.layer, head=head, title=stop.title)
    return StopOnPage(stop.sentence, "walkthrough", _described(stop.scenario(), view), stop)


def _described(document: Scenario | Stack, view: View) -> dict[str, str]:
    return {**_words(document), **view.to_params()}


def _words(document: Scenario | Stack) -> dict[str, str]:
    return params_of_stack(as_stack(document)) or {}


def stop_alone(params: Mapping[str, str]) -> StopOnPage | None:
    """The stop that an address names, if it says nothing else of what to show.

    It may be presented.
    """
    names = {name for name in params if not name.startswith(ADDED_BY_OTHERS)}
    if "tour" not in names or not names <= {"tour", "stop", "present"}:
        return None
    view, wrong = View.from_params(params)
    if wrong:
        return None
    stop = tour_on_pages(view.tour).stops[view.stop - 1]
    return stop._replace(params={**View(present=view.present).to_params(), **stop.params})
