"""All pages of a site by their files, and the parts of the list that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, NamedTuple

from mha_core import attend
from mha_core.examples import EXAMPLES, EXAMPLES_BY_QUESTION, Example, load_example
from mha_core.guide.tours import TOURS, Tour
from mha_core.language import say, say_number
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.puzzle import Puzzle
from ui.saved.page import saved_page
from ui.saved.puzzle_page import puzzle_page
from ui.site.index import Entry, Part, index_of
from ui.site.stops import stops_of_example, stops_of_tour

HOME: Final = "../index.html"  # from every other page
INDEX: Final = "index.html"


class Page(NamedTuple):
    """A file below the folder of the site, and its bytes."""

    file: str
    content: bytes


class Chosen(NamedTuple):
    """The names of the examples, tours and puzzles that a site has."""

    examples: Iterable[str] = tuple(EXAMPLES)
    tours: Iterable[str] = tuple(TOURS)
    puzzles: Iterable[str] = tuple(PUZZLES)


EVERYTHING: Final = Chosen()


def pages(chosen: Chosen = EVERYTHING) -> Iterator[Page]:
    """One after the other, as each is made; last of all the list of them."""
    for file, make in _makers(chosen):
        yield Page(file, make())
    yield list_of(chosen)


def list_of(chosen: Chosen) -> Page:
    """The list that leads to all pages."""
    return Page(INDEX, index_of(list(_parts(chosen))))


def _makers(chosen: Chosen) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for name in chosen.examples:
        yield _file_of_example(name), partial(_page_of_example, name)
    for name in chosen.tours:
        yield _file_of_tour(name), partial(_page_of_tour, TOURS[name])
    for name in chosen.puzzles:
        yield _file_of_puzzle(name), partial(puzzle_page, PUZZLES[name], home=HOME)


def _file_of_example(name: str) -> str:
    return f"examples/{name}.html"


def _file_of_tour(name: str) -> str:
    return f"tours/{name}.html"


def _file_of_puzzle(name: str) -> str:
    return f"puzzles/{name}.html"


def _page_of_example(name: str) -> bytes:
    return saved_page(EXAMPLES[name].title, stops_of_example(name), home=HOME, may_be_still=True)


def _page_of_tour(tour: Tour) -> bytes:
    return saved_page(tour.title, stops_of_tour(tour), home=HOME, may_be_still=True)


def _parts(chosen: Chosen) -> Iterator[Part]:
    """Tours lead through it, so they come first."""
    if tours := [_entry_of_tour(TOURS[name]) for name in chosen.tours]:
        yield Part(say("Tours"), tours, say("A few stops, each with a sentence and a picture."))
    if puzzles := [_entry_of_puzzle(PUZZLES[name]) for name in chosen.puzzles]:
        says = say("Write the numbers of a head so that it does a job. The page checks it.")
        yield Part(say("Puzzles"), puzzles, says)
    yield from _parts_of_examples(set(chosen.examples))


def _parts_of_examples(wanted: set[str]) -> Iterator[Part]:
    if wanted:
        says = say("Each is a layer with its own numbers. Drag them, and see what follows.")
        yield Part(say("Examples"), [], says)
    for question, examples in EXAMPLES_BY_QUESTION.items():
        if entries := [_entry_of_example(each) for each in examples if each.name in wanted]:
            yield Part(question, entries)


def _entry_of_example(example: Example) -> Entry:
    weights = attend(load_example(example.name)).weights[0]
    return Entry(example.title, example.sentence, _file_of_example(example.name), weights)


def _entry_of_tour(tour: Tour) -> Entry:
    count = len(tour.stops)
    stops = say_number("{count} stop", "{count} stops", count).format(count=count)
    sentence = say("{about} {stops}.").format(about=tour.about, stops=stops)
    return Entry(tour.title, sentence, _file_of_tour(tour.name))


def _entry_of_puzzle(puzzle: Puzzle) -> Entry:
    return Entry(puzzle.title, puzzle.job, _file_of_puzzle(puzzle.name))
