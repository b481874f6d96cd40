"""What the guide and the README name is there: buttons, keys, addresses, pictures, programs."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import pytest

from mha_core.io.scenario.link_names import OF_THE_PAGE, PARAMETERS
from tests.pages.pressed import all_keys, all_names, in_help, keys_in
from tests.serving import ROOT
from ui.edits.exercise_params import exercise_from
from ui.state import View, opened_at, parts_of
from ui.state.tour_stops import SESSIONS

FOLDER: Final = ROOT / "docs" / "guide"
INDEX: Final = FOLDER / "README.md"
README: Final = ROOT / "README.md"
PAGES: Final = (README, *sorted(FOLDER.glob("*.md")))
MOST_BYTES: Final = 120_000
MOST_BYTES_MOVING: Final = 2_000_000

FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BOLD: Final = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
KEY: Final = re.compile(r"<kbd>(.+?)</kbd>")
CODE: Final = re.compile(r"`([^`]+)`")
LINK: Final = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
ADDRESS: Final = re.compile(r"/\w*\?\S+=\S*")
ASSIGNED: Final = re.compile(r"(\w+)=(\S+)")
SIDES: Final = ("a.", "b.")


def text_of(page: Path) -> str:
    """Its text without code fences."""
    return FENCED.sub("", page.read_text("utf-8"))


def unknown_buttons(text: str) -> set[str]:
    return {" ".join(name.split()) for name in BOLD.findall(text)} - all_names()


def unknown_keys(text: str) -> set[str]:
    return set(KEY.findall(text)) - all_keys()


def wrong_addresses(text: str) -> list[str]:
    """What the product says of the addresses that are named, and of parameters that stand alone."""
    wrong = []
    for code in CODE.findall(text):
        if ADDRESS.fullmatch(code):
            place = urlsplit(code)
            page, params = place.path.strip("/"), dict(parse_qsl(place.query, True))
            wrong += [f"{code}: {why}" for why in wrong_with(page, params)]
        elif is_set := ASSIGNED.fullmatch(code):
            wrong += [f"{code}: {why}" for why in wrong_parameter(*is_set.groups())]
        elif code.startswith(SIDES) and "=" in code:
            wrong += [f"{code}: {why}" for why in wrong_parameter(*code[2:].split("=", 1))]
    return wrong


def wrong_with(page: str, params: Mapping[str, str]) -> list[str]:
    if page == "exercise":
        return [str(error) for error in exercise_from(params)[1]]
    if page not in SESSIONS:
        return [f"There is no page {page}."]
    parts = parts_of(dict(params), SESSIONS[page])
    return [each.reason for part in parts.values() for each in opened_at(part).refusals.values()]


def wrong_parameter(name: str, value: str) -> list[str]:
    if name not in {*PARAMETERS, *OF_THE_PAGE}:
        return ["there is no such parameter"]
    text = dict(parse_qsl(f"{name}={value}", keep_blank_values=True))[name]
    if name in PARAMETERS:
        return wrong_with("", {name: text})
    _, wrong = View.from_params({name: text})
    return [str(error) for error in wrong]


def targets(page: Path, *, pictures: bool) -> set[Path]:
    """The files that a page shows, or leads to."""
    found = LINK.findall(text_of(page))
    inside = [target for is_picture, target in found if bool(is_picture) == pictures]
    files = (target.partition("#")[0] for target in inside if "://" not in target)
    return {(page.parent / file).resolve() for file in files if file}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_it_names_is_there(page: Path) -> None:
    text = text_of(page)
    assert unknown_buttons(text) == set()
    assert unknown_keys(text) == set()
    assert wrong_addresses(text) == []


def test_the_page_about_presenting_names_every_key_of_a_presentation() -> None:
    named = KEY.findall(text_of(FOLDER / "present.md"))
    assert keys_in(in_help("PRESENTING")) - {*named, *"2345678"} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_its_links_lead_somewhere_and_its_pictures_are_there_and_small(page: Path) -> None:
    assert [file for file in targets(page, pictures=False) if not file.exists()] == []
    for picture in targets(page, pictures=True):
        is_moving = picture.suffix != ".png"
        if picture.parent != ROOT / "docs" / "pictures" or is_moving:
            most = MOST_BYTES_MOVING if is_moving else MOST_BYTES
            assert picture.stat().st_size < most, picture


def test_the_index_leads_to_every_page_and_no_picture_is_left_over() -> None:
    led_to = targets(INDEX, pictures=False)
    assert set(FOLDER.glob("*.md")) - led_to == {INDEX}
    assert INDEX in targets(README, pictures=False)
    shown = {picture for page in PAGES for picture in targets(page, pictures=True)}
    assert set((FOLDER / "pictures").iterdir()) <= shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_its_programs_give_what_it_says(page: Path) -> None:
    """On one page, each program goes on from the one before."""
    fenced = FENCED.findall(page.read_text("utf-8"))
    assert [kind for kind, _ in fenced if kind not in ("", "pycon")] == [], "it would not be run"
    assert failures_of("\n".join(program for kind, program in fenced if kind == "pycon")) == ""


def failures_of(programs: str) -> str:
    test = doctest.DocTestParser().get_doctest(programs, {}, "programs", None, 0)
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    return "".join(said)


@pytest.mark.parametrize(
    ("finds", "wrong"),
    [
        (unknown_buttons, "Press **Presents**."),
        (unknown_keys, "Press <kbd>J</kbd> or <kbd>F9</kbd>."),
        (wrong_addresses, "Add `presents=1`."),
        (wrong_addresses, "Add `part=wights`."),
        (wrong_addresses, "Open `/?example=pizzas`."),
        (wrong_addresses, "Open `/walk?screen=weights`."),
        (wrong_addresses, "Open `/exercise?level=hard`."),
        (wrong_addresses, "Add `a.steps=output`."),
    ],
)
def test_a_wrong_name_is_noticed(finds: Callable[[str], object], wrong: str) -> None:
    assert finds(wrong)


def test_a_program_that_gives_something_else_is_noticed() -> None:
    assert "Got:" in failures_of(">>> 1 + 1\n3\n")
