"""A connection that is cut in the middle of a run and comes back leaves a page that is whole.

Takes long: a page that shares nothing with others, two seconds of the processor, is cut off.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.reading import number_of_heads, wait_until
from tests.cutting_proxy import CuttingProxy, cutting_proxy
from tests.visitors import forget

if TYPE_CHECKING:
    from tests.serving import AppServer
    from tests.visitors import Visitors

PATIENCE = 60_000  # milliseconds; a slow machine with other work

# What the fields, the pictures, the words and the address each say, where they can disagree.
SAID = """() => {
  // "Heads 1, 3 to 5" are four: equal heads are said once.
  const named = ({ textContent }) => textContent.match(/\\d+( to \\d+)?/g).flatMap((run) => {
    const [first, last = first] = run.split(" to ").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  const field = key => document.querySelector(`[data-field="${key}"] input`)?.value;
  const group = label => [...document.querySelectorAll('[data-testid="stButtonGroup"]')]
    .find(each => each.innerText.startsWith(label));
  const chosen = label => [...group(label)?.querySelectorAll("button") ?? []].filter(
    each => each.ariaChecked === "true" || each.ariaPressed === "true"
  ).map(each => each.innerText);
  return {
    tokens: field("tokens"),
    count: field("n-tokens"),
    width: field("d-model"),
    scale: field("scale"),
    heads: document.querySelector('[data-field="heads"] :checked + span')?.innerText,
    on: chosen("Include heads").length,
    words: [...document.querySelectorAll(".readings strong")].flatMap(named).length,
    strip: document.querySelector(".strip")?.innerText.match(/\\d+×4×4/)?.[0],
    address: new URLSearchParams(location.search).get("heads") ?? "2",
    isOff: new URLSearchParams(location.search).has("off"),
    alerts: document.querySelectorAll("[role=alert]:not([hidden])").length,
  };
}"""
IS_WHOLE = f"""() => {{
  const said = ({SAID})();
  const n = Number(said.heads);
  return said.tokens === "I LOVE PEPPERONI PIZZA" && said.count === "4" && said.width === "8"
    && said.scale === "1/sqrt(d_k)" && (n === 2 || n === 4) && said.on === n && said.words === n
    && said.strip === `${{n}}×4×4` && said.address === String(n) && !said.isOff && !said.alerts;
}}"""


@pytest.fixture(scope="module")
def proxy(app_server: AppServer) -> Iterator[CuttingProxy]:
    with cutting_proxy(app_server.url) as proxy:
        yield proxy


def test_after_a_cut_fields_pictures_and_address_agree_and_the_page_lives(
    open_visitor: Visitors, app_server: AppServer, proxy: CuttingProxy
) -> None:
    logged_before = len(app_server.log())
    page = open_visitor(base_url=proxy.url, viewport={"width": 1280, "height": 720})
    page.goto("/?example=pizza")
    wait_until(page, IS_WHOLE)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible(timeout=PATIENCE)

    for milliseconds, heads in ((0, 4), (40, 2), (100, 4)):
        opened = proxy.opened
        number_of_heads(page, heads).click()
        time.sleep(milliseconds / 1000)  # the test: a cut this long after the click
        proxy.cut()
        proxy.wait_for_websocket(opened + 1)
        try:
            wait_until(page, IS_WHOLE)
        except Exception as error:
            raise AssertionError(milliseconds, page.evaluate(SAID)) from error

    page.get_by_label("Number of tokens", exact=True).fill("3")
    page.get_by_label("Number of tokens", exact=True).press("Enter")
    tokens = page.get_by_label("Tokens", exact=True)
    expect(tokens).to_have_value("I LOVE PEPPERONI", timeout=PATIENCE)
    page.get_by_role("button", name="Undo").click()
    expect(tokens).to_have_value("I LOVE PEPPERONI PIZZA", timeout=PATIENCE)
    wait_until(page, IS_WHOLE)
    forget(page, proxy.url)
    assert "Traceback" not in app_server.log()[logged_before:]
