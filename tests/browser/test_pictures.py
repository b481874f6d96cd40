"""The page's main states look as they did when somebody last looked at them and said yes.

Takes long: each state is drawn until two pictures in a row are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.album import Album, PictureError, read
from tests.browser.hands import cell, place_of
from tests.browser.reading import wait_until
from tests.browser.test_accessibility import wear
from tests.serving import ROOT
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import NewPage

FOLDER: Final = ROOT / "tests" / "browser" / "pictures"
ALBUM: Final = Album(FOLDER / "taken_by.json", failures=ROOT / "test-results")
MOST_BYTES: Final = 80_000

SIXTEEN: Final = "The+quick+brown+fox+jumps+over+the+lazy+dog+and+runs+away+from+the+angry+bear"
PHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def scroll_to(words: str) -> Callable[[Page], None]:
    def scroll(page: Page) -> None:
        place = page.get_by_text(words, exact=True)
        place.evaluate("place => place.scrollIntoView({behavior: 'instant'})")

    return scroll


def put_on_dark(page: Page) -> None:
    wear(page, "dark")


def enlarge(page: Page) -> None:
    wear(page, "light")
    page.set_viewport_size({"width": 1442, "height": 780})
    wait_until(page, "innerWidth === 1442")


def scroll_up(page: Page) -> None:
    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 0, behavior: 'instant' })")


def open_editor(page: Page) -> None:
    scroll_up(page)
    page.get_by_text("Edit the numbers").click()
    page.get_by_test_id("stDataFrame").wait_for()
    cell(page, 0, 0).wait_for(state="attached")


def open_sidebar(page: Page) -> None:
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_label("Tokens", exact=True)).to_be_in_viewport()


def enter_too_many_tokens(page: Page) -> None:
    scroll_up(page)
    count = page.get_by_label("Number of tokens", exact=True)
    count.fill("9999")
    count.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("got 9999")


def rewind_steps(page: Page) -> None:
    """Streamlit scrolls to the chosen step at once. While the font is on its way, all are wider."""
    steps = page.get_by_test_id("stButtonGroup").locator("*")
    steps.evaluate_all("parts => parts.forEach((part) => { part.scrollLeft = 0; })")


@dataclass(frozen=True)
class State:
    """Where it is, how the visitor sees it, and what is done before the picture is taken."""

    address: str
    visitor: Mapping[str, Any] = field(default_factory=dict)
    then: Callable[[Page], None] = lambda page: None
    goes_on: Mapping[str, Callable[[Page], None]] = field(default_factory=dict)  # further pictures


STATES: Final[Mapping[str, State]] = {
    "first": State("/", goes_on={"first-dark": put_on_dark, "first-large": enlarge}),
    "first-phone": State("/", PHONE, goes_on={"sidebar-phone": open_sidebar}),
    "compare": State("/compare"),
    "compare-dark": State(
        "/compare?a.example=pizza&b.example=pizza&b.mask=none&a.step=output",
        {"color_scheme": "dark"},
    ),
    "compare-phone": State("/compare", PHONE),
    "patterns": State("/patterns"),
    "build": State("/build?h.puzzle=before&h.hints=1"),
    "walkthrough": State("/walkthrough?example=pizza&screen=scores"),
    "walkthrough-dark": State(
        "/walkthrough?example=pizza&screen=exponentials", {"color_scheme": "dark"}
    ),
    "walkthrough-phone": State(
        "/walkthrough?example=pizza&screen=queries", PHONE, then=rewind_steps
    ),
    "tour": State("/walkthrough?example=split-only&screen=weights&tour=000&stop=7"),
    "tour-phone": State(
        "/walkthrough?example=three-tokens&screen=scores&tour=001&stop=4",
        {**PHONE, "color_scheme": "dark"},
        then=rewind_steps,
    ),
    "masks": State(
        f"/?tokens={SIXTEEN}&d_model=64&heads=8&x=random&weights=random"
        "&mask=causal+sliding_window~left.3"
    ),
    "head": State(
        "/?example=eight-tokens&heads=4&head=2&cell=weights/1:5.3",
        then=scroll_to("Look at one head"),
    ),
    "into-the-heads": State(
        "/?example=pizza&open=into",
        then=scroll_to("Into the heads"),
        goes_on={"refused": enter_too_many_tokens},
    ),
    "into-the-heads-phone": State("/?example=pizza&open=into", PHONE, scroll_to("Into the heads")),
    "second-sequence-into": State(
        "/?example=translation&open=into",
        {"viewport": {"width": 1600, "height": 900}, "color_scheme": "dark"},
        scroll_to("Into the heads"),
    ),
    "together": State(
        "/?example=pizza", then=scroll_to("Together"), goes_on={"editor": open_editor}
    ),
    "long": State(
        "/?example=long&heads=16&d_model=208&d_k=128&d_v=13&weights=all_patterns&x=one_hot_position"
    ),
    "one-token": State("/?tokens=Hello&d_model=4&heads=2&x=random&weights=random"),
    "two-sequences": State("/?example=translation"),
}


def reference_of(state: str) -> Path:
    return FOLDER / f"{state}.png"


REFERENCES: Final = {
    reference_of(name) for first, state in STATES.items() for name in (first, *state.goes_on)
}


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("name", STATES)
def test_it_looks_as_it_did(browser: Browser, new_page: NewPage, renewing: bool, name: str) -> None:
    state = STATES[name]
    page = new_page(**state.visitor)
    taken_by = f"Chromium {browser.version}"
    for each, reach in {name: lambda page: open_state(page, state), **state.goes_on}.items():
        reach(page)
        reference = reference_of(each)
        if renewing:
            ALBUM.renew(reference, read(picture_at_rest(page)), taken_by)
        picture = picture_at_rest(page, is_right=partial(ALBUM.shows, reference))
        ALBUM.check(reference, read(picture), taken_by)


def test_a_label_that_goes_missing_is_noticed(page: Page, tmp_path: Path) -> None:
    """In the part of the picture around it: a whole one takes seconds to write."""
    open_state(page, STATES["first"])
    label = page.locator(".plot svg text", has_text="sees").first
    place = place_of(label)
    left, top = int(place.x) - 60, int(place.y) - 30
    around = slice(top, top + 120), slice(left, left + 240)
    album, reference = Album(tmp_path / "taken_by.json", tmp_path), tmp_path / "first.png"
    album.renew(reference, read(picture_at_rest(page))[around], "this browser")
    album.check(reference, read(page.screenshot(caret="hide"))[around], "this browser")
    label.evaluate("label => label.remove()")
    with pytest.raises(PictureError, match="no longer looks like its reference picture"):
        album.check(reference, read(page.screenshot())[around], "this browser")


def test_no_picture_is_large_or_left_over(renewing: bool) -> None:
    if renewing:
        ALBUM.remove_others(REFERENCES)
    assert ALBUM.left_over(REFERENCES) == []
    assert set(ALBUM.browser_of) == {reference.name for reference in REFERENCES}
    assert [picture.name for picture in REFERENCES if picture.stat().st_size > MOST_BYTES] == []


def open_state(page: Page, state: State) -> None:
    visit(page, state.address)
    wait_until(page, IS_PAINTED)
    expect(page.get_by_role("alert")).to_have_count(0)  # else it is another state than it says
    state.then(page)


# Every part has come, with its letters.
IS_PAINTED: Final = """() => {
  const plots = [...document.querySelectorAll(".plot")];
  const isPainted = (plot) => plot.dataset.painted;
  return plots.length && plots.every(isPainted) && document.fonts.status === "loaded"
    && !document.querySelector("[data-testid=stSkeleton]")
    && document.querySelector("[data-test-script-state=notRunning]");
}"""
# A browser without a window may never be idle again once the mouse has moved, so we do not wait for
# that without end. We need two equal pictures anyway.
HAS_NOTHING_TO_DO: Final = """() => new Promise((done) => {
  const whenIdle = (then) => requestIdleCallback(then, { timeout: 500 });
  whenIdle(() => requestAnimationFrame(() => whenIdle(() => done())));
})"""
MOST_LOOKS: Final = 30


def move_the_mouse_aside(page: Page) -> None:
    """To the corner where nothing is; a browser may begin at the other, in the sidebar."""
    size = page.viewport_size
    assert size
    page.mouse.move(size["width"] - 1, size["height"] - 1)


def picture_at_rest(
    page: Page,
    is_painted: str = IS_PAINTED,
    *,
    is_right: Callable[[bytes], bool] = lambda png: False,
) -> bytes:
    """The picture, once two in a row are the same and the page has nothing left to do.

    One that is right is taken at once.
    """
    move_the_mouse_aside(page)
    last = b""
    for _ in range(MOST_LOOKS):
        wait_until(page, is_painted)
        page.evaluate(HAS_NOTHING_TO_DO)
        picture = page.screenshot(caret="hide")  # with animations: by one, links scroll away
        if picture == last or is_right(picture):
            return picture
        last = picture
    pytest.fail(f"The page does not come to rest: no two of {MOST_LOOKS} pictures are the same.")
