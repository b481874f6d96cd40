"""A run may take an element off the page before the script that works in it has come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.serving import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPTS: Final = sorted(
    script
    for folder in ("controls", "blocks")
    for script in (ROOT / "ui" / folder).rglob("*.js")
    if "export default" in script.read_text("utf-8")
)
# What any of them is given. Some get a list, or words as JSON, under the same name.
GIVEN: Final = {
    **dict.fromkeys(("rows", "columns", "taken", "run", "at", "last", "shift", "heard"), 1),
    **dict.fromkeys(("dots", "tiles", "legend"), "[]"),
    **dict.fromkeys(("html", "text", "editor", "kind"), ""),
    **{"sentences": "a", "lines": "[]", "said": "{}", "words": '{"kinds": {}}'},
}
OF_BYTES: Final = "hand_over"
CALL: Final = """async ([text, given, isOfBytes]) => {
  const script = new Blob([text], { type: "text/javascript" });
  const { default: component } = await import(URL.createObjectURL(script));
  const parentElement = document.createElement("div");
  parentElement.innerHTML = "<div class='formulas'></div>";
  const data = isOfBytes ? new Uint8Array([1, 0, 10]) : given;
  component({ parentElement, data, setStateValue() {}, setTriggerValue() {} })?.();
}"""


def call(page: Page, text: str, *, is_of_bytes: bool = False) -> None:
    page.evaluate(CALL, [text, GIVEN, is_of_bytes])


def test_no_script_fails_where_its_element_has_left_the_page(bare_page: Page) -> None:
    bare_page.goto(Path(__file__).as_uri())
    assert len(SCRIPTS) > 15
    for script in SCRIPTS:
        call(bare_page, script.read_text("utf-8"), is_of_bytes=script.stem == OF_BYTES)


def test_one_that_looks_around_itself_without_asking_is_caught(bare_page: Page) -> None:
    bare_page.goto(Path(__file__).as_uri())
    around = "export default ({ parentElement }) => parentElement.closest('section').click();"
    with pytest.raises(Exception, match="reading 'click'"):
        call(bare_page, around)
