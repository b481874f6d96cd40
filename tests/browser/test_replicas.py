"""A page whose replica dies, and files that come by way of another replica.

Takes long: nginx and two replicas are started, and replicas die under open pages.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core.examples import load_example
from mha_core.io.scenario.files import read_scenario, write_scenario
from tests.browser.hands import pick, saved
from tests.browser.reading import (
    heads_to_look_at,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.test_kept_in_tab import IS_KEPT, open_file, too_large
from tests.fronting import HOMES, Front, fronted
from tests.visitors import Visitors, forget

if TYPE_CHECKING:
    from playwright.sync_api import Page

X, COLUMNS = 3, 8  # the place of X in the picture of "Into the heads", and its width
IS_ENTERED = re.compile(r"x\.cells=0_0_2(&|$)")
BOTH_ARE_ENTERED = re.compile(r"x\.cells=0_0_2.0_1_3(&|$)")


@pytest.fixture(scope="module")
def front(nginx: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """Two replicas: where one dies, the other one is there."""
    with fronted(tmp_path_factory.mktemp("front") / "front.log", replicas=2) as front:
        yield front


@pytest.fixture
def page(open_visitor: Visitors, front: Front) -> Iterator[Page]:
    page = open_visitor(base_url=front.url, viewport={"width": 1280, "height": 720})
    open_page(page, "/?example=pizza&open=into")
    yield page
    forget(page, front.url)


def enter_a_number(page: Page, column: int, text: str) -> None:
    plot = plot_named(page, "X, the projections")
    plot.locator("svg > svg rect[stroke-opacity='0.45']").first.wait_for(state="attached")
    pick(plot, X, 0, column, COLUMNS)
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_a_page_whose_replica_dies_goes_on_as_it_was_and_files_find_it_at_any_replica(
    page: Page, front: Front, tmp_path: Path
) -> None:
    tokens = page.get_by_label("Tokens", exact=True)
    undo = page.get_by_role("button", name="Undo")
    file = page.locator("input[type=file]")
    enter_a_number(page, 0, "2")
    expect(page).to_have_url(IS_ENTERED)

    # It may have come to its replica while the one of its cookie was dead.
    home = HOMES[2 - front.busiest]
    name, _, value = home.partition("=")
    page.context.add_cookies([{"name": name, "value": value, "url": front.url}])
    page.get_by_role("button", name="Download", exact=True).click()
    _, scenario = saved(page, "JSON, readable as text")
    assert read_scenario(scenario, "saved.json").x[0, 0] == 2  # as it was entered
    page.keyboard.press("Escape")
    expect(file).to_have_count(0)  # the tool has closed
    other = tmp_path / "other.json"
    other.write_bytes(write_scenario(load_example("causal"), other.name))
    page.get_by_role("button", name="Open", exact=True).click()
    file.set_input_files(other)
    expect(page).to_have_url(re.compile("example=causal"))
    undo.click()
    expect(page).to_have_url(IS_ENTERED)
    wait_for_the_end_of_the_run(page)

    dying = front.replicas[front.busiest]
    os.kill(dying.pid, signal.SIGSTOP)
    enter_a_number(page, 1, "3")
    tokens.fill("WE LOVE PEPPERONI PIZZA")
    tokens.press("Enter")
    tokens.fill("YOU LOVE PEPPERONI PIZZA")  # and not yet entered
    os.kill(dying.pid, signal.SIGKILL)  # what is on its way arrives at the other one
    expect(page).to_have_url(BOTH_ARE_ENTERED)
    expect(page).to_have_url(re.compile("tokens=WE"))
    wait_for_the_end_of_the_run(page)
    expect(tokens).to_have_value("YOU LOVE PEPPERONI PIZZA")

    scenario = too_large()  # for the address
    open_file(page, scenario)
    front.wait_until_whole()
    receipt = page.get_by_label("Receipt")
    session = receipt.input_value().split()[1]
    front.kill(front.busiest)
    expect(receipt).not_to_have_value(re.compile(session))  # the other replica has answered
    wait_for_numbers(plot_named(page, "X, the projections"), "x", scenario.x)
    expect(page.get_by_text(IS_KEPT)).to_be_visible()
    expect(page.locator(".kept-offer")).to_have_count(0)
    heads_to_look_at(page).nth(1).click()
    expect(page).to_have_url(re.compile("head=2"))
