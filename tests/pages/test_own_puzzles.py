"""A teacher makes a puzzle on the page, gives it away, and a student solves it.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest

from mha_core.puzzles.own import pack_puzzle, unpack_puzzle
from tests.pages.test_build import Builder
from ui.blocks.building.choice import WHAT_TO_MAKE
from ui.edits.own_puzzle_form import FIRST, MAKE, PuzzleForm, own_puzzle_named, to_be_changed
from ui.state.view import View

OWN = pack_puzzle(FIRST)


def key(name: str, made_from: str = MAKE) -> str:
    return f"h-make {name} {crc32(made_from.encode())}"


def at_the_form(**state: Any) -> Builder:
    return Builder(f"h.puzzle={MAKE}", **state)


def test_a_form_says_the_puzzle_that_it_was_filled_from() -> None:
    assert PuzzleForm.of(FIRST).puzzle() == FIRST


def test_the_way_to_the_form_is_the_last_of_the_list() -> None:
    page = Builder()
    assert page.at.selectbox(key="h-puzzle").options[-1] == "Make a puzzle of your own"
    assert page.choose(MAKE).view.puzzle == MAKE
    page = Builder().click("h-make-own")
    assert WHAT_TO_MAKE in page.words
    assert "It shows 2 sentences, and checks 2 more." in page.words
    assert not page.plots


def test_one_sentence_is_one_sentence() -> None:
    page = at_the_form().enter(key("seen"), "no yes : \u2013 1")
    assert "It shows 1 sentence, and checks 2 more." in page.words


def test_a_puzzle_is_made_opened_and_solved() -> None:
    page = at_the_form()
    page.enter(key("title"), "The word after").enter(key("words"), "hot cold")
    assert "must be made of the words hot cold" in page.at.error[0].value
    page.enter(key("seen"), "hot cold hot : 2 3 -\ncold hot : 2 -").enter(key("hidden"), "")
    assert not page.at.error
    page.click("h-open-own")
    assert "The word after" in page.at.selectbox(key="h-puzzle").options
    assert "0 of 2 sentences pass." in page.words
    page.fill("w_q", "places", "6*shift(1)").fill("w_k", "places", "6*I")
    assert "All 2 sentences pass. ★★★" in page.words
    assert unpack_puzzle(page.view.puzzle).title == "The word after"
    again = Builder(page.address_now)
    assert "All 2 sentences pass." in again.words


def test_what_is_wrong_is_said_where_it_is_made_and_nothing_opens() -> None:
    page = at_the_form().enter(key("seen"), "yes no : - 7")
    (error,) = page.at.error
    assert "must let word 2 look at words from 1 to 2" in error.value
    assert not [button for button in page.at.button if button.key == "h-open-own"]


def test_words_may_be_wanted_and_matrices_given() -> None:
    page = at_the_form().enter(key("predicts"), True)
    assert "dashes alone" not in page.words
    page.enter(key("seen"), "yes no : - yes").enter(key("hidden"), "")
    page.enter(key("given w_v"), "3*I").enter(key("given w_o"), "3*I")
    page.enter(key("layers"), 2).click("h-open-own")
    own = own_puzzle_named(page.view.puzzle)
    assert own.predicts
    assert own.layers == 2
    assert own.given == {"w_v": "3*I", "w_o": "3*I"}
    assert page.session.stack.words == FIRST.words
    assert page.session.stack.first.w_v[0, 0] == 3


def test_a_puzzle_is_changed_and_becomes_another() -> None:
    page = Builder(f"h.puzzle={OWN}")
    assert FIRST.job in page.words
    page.click("h-make-own")
    assert page.view.puzzle == to_be_changed(OWN)
    page.enter(key("job", to_be_changed(OWN)), "Do it.").click("h-open-own")
    assert "Do it." in page.words
    assert own_puzzle_named(page.view.puzzle).title == FIRST.title


def test_an_answer_that_is_right_becomes_its_solution() -> None:
    page = Builder(f"h.puzzle={OWN}", **{"h-to-keep": True})
    names = [button.key for button in page.at.button]
    assert "h-solve" not in names
    assert "h-solution" not in names
    page.fill("w_q", "places", "6*shift(-1)").fill("w_k", "places", "6*I").click("h-solution")
    assert set(own_puzzle_named(page.view.puzzle).solution) == {"w_q", "w_k"}
    assert "h-solve" in [button.key for button in page.at.button]
    student = Builder(f"h.puzzle={page.view.puzzle}").click("h-solve")
    assert "All 4 sentences pass." in student.words


def test_of_one_sentence_the_page_says_whether_it_passes() -> None:
    one = replace(FIRST, seen=FIRST.seen[:1], hidden=())
    page = Builder(f"h.puzzle={pack_puzzle(one)}")
    assert "The sentence does not pass." in page.words
    page.fill("w_q", "places", "6*shift(-1)").fill("w_k", "places", "6*I")
    assert "The sentence passes. ★★★" in page.words


def test_a_student_gets_no_help_by_a_bare_link() -> None:
    own = pack_puzzle(replace(FIRST, hints=("Places.",)))
    assert "h-hint" in [button.key for button in Builder(f"h.puzzle={own}").at.button]
    bare = Builder(f"h.puzzle={own}&h.hide=hints")
    assert not {"h-hint", "h-make-own"} & {button.key for button in bare.at.button}


def test_its_stars_are_kept_beside_ours() -> None:
    page = Builder(f"h.puzzle={OWN}")
    page.fill("w_q", "places", "6*shift(-1)").fill("w_k", "places", "6*I")
    assert page.best[OWN].stars == 3


@pytest.mark.parametrize("name", ["~", "~abc", "make~abc", "making", "make2"])
def test_an_address_of_no_puzzle_says_so_and_shows_the_first(name: str) -> None:
    page = Builder(f"h.puzzle={name}")
    assert page.view.puzzle == View().puzzle
    assert page.at.error
