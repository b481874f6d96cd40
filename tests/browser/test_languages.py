"""A server in another language: what its page and the scripts of the browser say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.marked_language import marked_language
from tests.pages.test_languages import in_english
from tests.serving import AppServer, served

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS_IN = """plots => plots.flatMap(plot => [...plot.querySelectorAll("*")])
  .flatMap(each => [
    each.getAttribute("aria-label"), each.getAttribute("title"),
    ...[...each.childNodes].filter(each => each instanceof Text).map(each => each.data)])
  .filter(text => text?.trim()).join("\\n")"""


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    folder = tmp_path_factory.mktemp("abroad")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in marked_language(folder).items():
            patch.setenv(name, value)
        with served("app.py", folder / "server.log") as server:
            yield server


def test_the_page_its_buttons_and_its_pictures_speak_it(
    browser: Browser, abroad: AppServer
) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(abroad.url)
    expect(page.get_by_role("button", name="«Undo»")).to_be_visible()
    expect(page.get_by_text("«Each row shows how much a word looks").first).to_be_visible()
    picture = page.locator(".plot[data-painted]").first
    expect(picture.get_by_role("button", name="«Copy or save»")).to_be_attached()
    expect(picture.locator("svg.plot-ink text", has_text="«Concatenation»")).to_be_visible()
    picture.locator(".plot-stage").press("ArrowRight")  # on the first cell of X
    expect(picture.locator(".plot-tip")).to_contain_text("«Input»")
    said = page.locator(".plot").evaluate_all(WORDS_IN)
    assert said.count("«") > 100
    assert {*in_english(said)} == {"Plotly"}  # a program
    page.close()
