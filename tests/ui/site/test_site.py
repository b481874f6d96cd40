"""A site is one folder: all its addresses lead to files of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from posixpath import normpath

import pytest

from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.tours import TOURS
from mha_core.puzzles.ladder import PUZZLES
from tests.unpacking import in_the_open
from tools.site import main
from ui.site import stops
from ui.site.pages import EVERYTHING, INDEX, Chosen, list_of, pages

# Names of kinds of XML, which nobody asks a server for.
NO_ADDRESSES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML")
ADDRESS = re.compile(r"""(?:https?:)?//[\w-]+(?:\.[\w-]+)+[^\s"'`<>)\\]*""")


class Links(HTMLParser):
    """What a page asks for, or leads to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src", "action")]


# Several layers, one that is too large to be dragged, many heads, two sequences, a prediction.
SOME = Chosen(
    examples=("pizza", "induction", "pizza-1024", "four-heads", "translation"),
    puzzles=("first", "two-back", "induction-word"),
)


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    return {page.file: page.content.decode() for page in pages(SOME)}


def files_of(chosen: Chosen) -> set[str]:
    own = {f"examples/{name}.html" for name in chosen.examples}
    own |= {f"tours/{name}.html" for name in chosen.tours}
    return own | {f"puzzles/{name}.html" for name in chosen.puzzles}


def test_what_is_chosen_has_a_page_and_every_example_tour_and_puzzle_stands_in_the_whole_list(
    site: dict[str, str],
) -> None:
    assert set(site) == files_of(SOME) | {INDEX}
    whole = list_of(EVERYTHING).content.decode()
    all_there = Chosen(examples=EXAMPLES, tours=TOURS, puzzles=PUZZLES)
    assert sorted(Links(whole).found) == sorted(files_of(all_there))
    for example in EXAMPLES.values():
        assert example.sentence.replace("'", "&#x27;") in whole


def test_the_list_leads_to_every_page_and_every_page_to_the_list(site: dict[str, str]) -> None:
    assert sorted(Links(site[INDEX]).found) == sorted(set(site) - {INDEX})
    for file in set(site) - {INDEX}:
        assert normpath(PurePosixPath(file).parent / "../index.html") == INDEX


def test_there_is_no_address_outside_of_the_folder(site: dict[str, str]) -> None:
    for file, packed in site.items():
        text = in_the_open(packed)
        assert set(ADDRESS.findall(text)) <= set(NO_ADDRESSES), file
        assert all(not each.startswith(("/", "http")) for each in Links(text).found), file
        # "#" begins a part of the same page.
        assert set(re.findall(r"url\(\s*['\"]?(\w+:|#|[^)]{,9})", text)) <= {"data:", "#"}, file


def test_of_several_layers_each_has_a_stop_and_the_first_a_picture_of_all() -> None:
    first, second = stops.stops_of_example("induction")
    assert (first.layer, second.layer) == (0, 1)
    assert first.sentence == EXAMPLES["induction"].sentence
    assert second.sentence.endswith("On this page it is given.")
    assert [len(stop.inputs["above"]) for stop in (first, second)] == [1, 0]
    names = [[picture.name for picture in stop.pictures] for stop in (first, second)]
    assert names[0] == [*names[1], "layers"]


def test_the_command_writes_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Chosen(examples=("pizza",), tours=("heads",), puzzles=("copy",))
    monkeypatch.setattr("tools.site.pages", lambda _: pages(few))
    assert main([str(tmp_path / "new" / "course")]) == 0
    files = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.html"))
    assert files == [
        "new/course/examples/pizza.html",
        "new/course/index.html",
        "new/course/puzzles/copy.html",
        "new/course/tours/heads.html",
    ]


def test_a_comparison_has_a_page_for_each_side() -> None:
    tour = TOURS["root"]
    titles = [each.pictures[0].title for each in stops.stops_of_tour(tour) if each.pictures]
    assert titles[0].startswith("A: ")
    assert titles[1].startswith("B: ")


def test_a_scenario_of_no_example_has_a_title() -> None:
    own = replace(load_example("pizza"), origin=replace(load_example("pizza").origin, example=""))
    stop = replace(TOURS["heads"].stops[0], scenario=lambda: own, against=None, title="")
    made = stops.stops_of_tour(replace(TOURS["heads"], stops=(stop,)))
    assert made[0].title == "Own numbers"
