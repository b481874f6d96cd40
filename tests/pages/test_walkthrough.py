"""The walkthrough on its page: screen after screen, and what a person changes on the way.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

from typing import Any

import pytest

from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS, screens_of
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import unmarked
from ui.blocks.cell_entries import take_entries
from ui.blocks.walkthrough import SHORT_TITLES
from ui.plot import Entry

PIZZA = load_example("pizza")


class Walk(PageVisitor):
    """A visitor of the page."""

    def __init__(self, address: str = "") -> None:
        super().__init__("walkthrough.py", address)

    @property
    def screen(self) -> str:
        (title,) = self.at.header
        return next(s.name for s in SCREENS.values() if s.title == unmarked(title.value))

    @property
    def figure(self) -> Any:
        (plot,) = self.plots
        return plot["figure"]

    @property
    def results(self) -> list[str]:
        names: list[str] = self.figure["walk"]["results"]
        return names


def test_every_screen_has_a_short_title() -> None:
    assert SHORT_TITLES.keys() == SCREENS.keys()


def test_next_leads_through_all_screens_and_back_again() -> None:
    page = Walk("example=pizza")
    names = [screen.name for screen in screens_of(PIZZA)]
    seen = [page.screen]
    for _ in names[1:]:
        seen.append(page.press("Next").screen)
    assert seen == names
    assert page.at.button(key="walk-on").disabled
    for _ in names[1:]:
        page.press("Back")
    assert page.screen == "input"
    assert page.at.button(key="walk-back").disabled
    assert page.session.history.last == 0  # to look is no step


def test_the_address_says_which_screen_and_a_link_opens_it() -> None:
    page = Walk("example=pizza").press("Next").press("Next")
    assert page.address == {"example": "pizza", "screen": "keys"}
    assert Walk("example=pizza&screen=keys").screen == "keys"


def test_what_moved_in_the_explorer_is_not_what_a_screen_shows() -> None:
    page = Walk("example=pizza&scale=0.9&screen=scale&moved=example")
    assert [m["name"] for m in page.figure["matrices"] if "before" in m] == []
    assert page.address["moved"] == "example"  # the explorer shows it still


def test_a_screen_that_has_nothing_to_do_gives_way() -> None:
    page = Walk("example=pizza&mask=none&screen=mask")
    assert page.screen == "scale"
    assert "In this layer: " in page.words
    assert "no mask hides anything" in page.words


def test_a_wrong_screen_is_said() -> None:
    page = Walk("example=pizza&screen=nonsense")
    assert unmarked(page.at.error[0].value).startswith("screen in the address must be one of input")
    assert page.screen == "input"


def test_a_head_is_chosen_where_there_is_one_for_each() -> None:
    page = Walk("example=pizza&screen=weights")
    assert page.results == ["weights/0"]
    assert page.enter("view-head", 1).results == ["weights/1"]


def test_a_number_that_is_changed_on_the_way_changes_all_that_follows() -> None:
    page = Walk("example=pizza&screen=output")
    take_entries(page.session, [Entry(1, "w_o", 0, 0, "7")])
    assert page.run().scenario.w_o[0, 0] == 7
    assert page.screen == "output"


# Two sequences, shared keys, three ways to know positions, one head, many numbers, several layers.
OF_EACH_KIND = (
    *("translation", "grouped-query", "positions", "image", "neighbours", "one-head"),
    *("long", "induction"),
)


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_every_kind_of_example_can_be_walked_through(name: str) -> None:
    page = Walk(f"example={name}")
    for screen in screens_of(load_example(name)):
        page.enter("view-screen", screen.name)
        assert page.screen == screen.name


def test_it_walks_through_what_the_explorer_shows() -> None:
    page = Walk("example=pizza&scale=0.5")
    page.press("Next")
    page.at.switch_page("explore.py")
    page.run()
    assert page.session.scenario.scores.scale == 0.5
    assert unmarked(page.at.title[0].value) == "Pizza, a language model, changed"


def test_an_address_says_no_screen_where_none_is_shown() -> None:
    page = Walk("example=pizza&screen=mask")
    session = page.session
    page.at.query_params.clear()  # as a link at the top of the page does
    page.at.switch_page("explore.py")
    page.run()
    assert session.conversation.address.params == {"example": "pizza"}
    page.at.switch_page("walkthrough.py")
    page.run()
    assert page.screen == "mask"
    assert session.conversation.address.params == {"example": "pizza", "screen": "mask"}


def test_the_address_of_a_screen_opens_nothing_new_on_a_page_without_screens() -> None:
    page = Walk("example=pizza&scale=0.5&screen=mask")
    scenario = page.session.scenario
    page.at.switch_page("explore.py")
    page.run()
    assert page.session.scenario is scenario
    assert page.session.view.screen == "mask"
