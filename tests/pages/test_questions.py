"""The questions that people ask first, as a row on a page: each leads to its tour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from mha_core.guide.tours import TOURS
from mha_core.guide.tours.questions import QUESTIONS
from tests.pages.page_visitor import PageVisitor
from ui.blocks.tours.bar import ELSEWHERE
from ui.state.tour_stops import FILES, SESSIONS, first_stop, tour_on_pages

PAGE: Final = """
import streamlit as st
from ui import blocks
from ui.state import keep_address, open_session

def ask():
    session = open_session()
    keep_address(session)
    blocks.questions(session)

st.navigation([st.Page(ask), *map(st.Page, FILES)]).run()
"""
NAMES: Final = [tour.name for tour in QUESTIONS]

Links = dict[str, dict[str, str]]


@pytest.fixture
def links_at(tmp_path: Path) -> Callable[[str], Links]:
    """The links of a page that asks, at an address, with what each says to its page."""
    for file in FILES.values():
        (tmp_path / file).touch()
    page = tmp_path / "asking.py"
    page.write_text(PAGE.replace("FILES", repr([*FILES.values()])), "utf-8")

    def links(address: str) -> Links:
        at = AppTest.from_file(str(page), default_timeout=60)
        at.query_params.update(parse_qsl(address))
        at.run()
        assert not at.exception
        sent = [node.proto for node in at.get("page_link")]
        return {f"{p.page} {p.label}": dict(parse_qsl(p.query_string)) for p in sent}

    return links


def test_each_question_leads_to_the_first_stop_of_its_tour(
    links_at: Callable[[str], Links],
) -> None:
    firsts = {tour.title: tour_on_pages(tour.name).stops[0] for tour in QUESTIONS}
    assert links_at("") == {
        f"{stop.page} {question}": stop.params for question, stop in firsts.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_behind_its_link_a_tour_begins(name: str) -> None:
    stop = first_stop(name)
    page = PageVisitor(FILES[stop.page], urlencode(stop.params), SESSIONS[stop.page][0])
    assert f"{TOURS[name].title} Stop 1 of 4 {TOURS[name].stops[0].sentence}" in page.words
    assert ELSEWHERE not in page.words


def test_the_decimals_of_a_person_stay_on_the_way(links_at: Callable[[str], Links]) -> None:
    assert {link["decimals"] for link in links_at("decimals=4").values()} == {"4"}


def test_in_a_tour_nothing_else_is_asked(links_at: Callable[[str], Links]) -> None:
    assert links_at("example=the-cat&tour=heads&stop=2") == {}


@pytest.mark.parametrize("name", NAMES)
def test_no_tour_begins_on_the_page_that_asks(name: str) -> None:
    """The row only has links. A way to a stop on the same page is a button."""
    assert first_stop(name).page


@pytest.mark.parametrize("name", TOURS)
def test_the_first_stop_is_that_of_the_whole_tour(name: str) -> None:
    assert first_stop(name) == tour_on_pages(name).stops[0]
