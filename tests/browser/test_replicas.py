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
from tests.browser.hands import pick
from tests.browser.reading import (
    heads_to_look_at,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.test_kept_in_tab import IS_KEPT, open_file, too_large
from tests.fronting import HOMES, Front, fronted, wait_for
from tests.serving import AppServer
from tests.visitors import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

X, COLUMNS = 3, 8  # the place of X in the picture of "Into the heads", and its width
ONE_IS_ENTERED = re.compile(r"x\.cells=0_0_2(&|$)")


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
    open_visitor.leave(page, AppServer(front.url, front.log_file))
    front.wait_until_whole()
    wait_for(lambda: not any(process.n_sessions for process in front.replicas.values()))


def enter_a_number(page: Page) -> None:
    plot = plot_named(page, "X, the projections")
    plot.locator("svg > svg rect[stroke-opacity='0.45']").first.wait_for(state="attached")
    pick(plot, X, 0, 0, COLUMNS)
    page.keyboard.type("2")
    page.keyboard.press("Enter")


def test_a_page_goes_on_as_it_was_when_its_replica_dies_and_what_is_on_its_way_arrives_at_another(
    page: Page, front: Front
) -> None:
    tokens = page.get_by_label("Tokens", exact=True)

    def enter_a_word() -> None:
        tokens.fill("WE LOVE PEPPERONI PIZZA")
        tokens.press("Enter")

    for enter, arrived in (
        (lambda: enter_a_number(page), ONE_IS_ENTERED),
        (enter_a_word, re.compile("tokens=WE")),
    ):
        front.wait_until_whole()
        dying = front.replicas[front.busiest]
        os.kill(dying.pid, signal.SIGSTOP)
        enter()
        os.kill(dying.pid, signal.SIGKILL)
        expect(page).to_have_url(arrived)
        wait_for_the_end_of_the_run(page)

    front.wait_until_whole()
    tokens.fill("YOU LOVE PEPPERONI PIZZA")  # and not yet entered
    with page.expect_websocket():
        front.kill(front.busiest)
    page.get_by_label("Number of heads").get_by_role("radio", name="4", exact=True).click()
    expect(page).to_have_url(re.compile("heads=4"))
    expect(page).to_have_url(ONE_IS_ENTERED)
    expect(tokens).to_have_value("YOU LOVE PEPPERONI PIZZA")


def test_files_go_both_ways_whichever_replica_the_cookie_leads_to_and_their_numbers_outlive_it(
    page: Page, front: Front, tmp_path: Path
) -> None:
    """A page may have come to its replica while the one of its cookie was dead."""
    undo = page.get_by_role("button", name="Undo")
    file = page.locator("input[type=file]")
    other = tmp_path / "other.json"
    other.write_bytes(write_scenario(load_example("causal"), other.name))
    enter_a_number(page)
    expect(page).to_have_url(ONE_IS_ENTERED)
    for home in HOMES[: len(front.replicas)]:
        name, _, value = home.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": front.url}])
        page.get_by_role("button", name="Download", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="JSON, readable as text").click()
        saved = read_scenario(download.value.path().read_bytes(), "saved.json")
        assert saved.x[0, 0] == 2  # as it was entered
        page.keyboard.press("Escape")
        expect(file).to_have_count(0)  # the tool has closed
        page.get_by_role("button", name="Open", exact=True).click()
        file.set_input_files(other)
        expect(page).to_have_url(re.compile("example=causal"))
        undo.click()
        expect(page).to_have_url(ONE_IS_ENTERED)

    wait_for_the_end_of_the_run(page)
    scenario = too_large()  # for the address
    open_file(page, scenario)
    with page.expect_websocket():
        front.kill(front.busiest)
    heads_to_look_at(page).nth(1).click()
    expect(page).to_have_url(re.compile("head=2"))  # the other replica has answered
    expect(page.get_by_text(IS_KEPT)).to_be_visible()
    expect(page.locator(".kept-offer")).to_have_count(0)
    wait_for_numbers(plot_named(page, "X, the projections"), "x", scenario.x)
