"""Every state of the page, in both themes and on a phone: no violation of WCAG 2.2 A and AA,
and none of what axe calls best practice.

Takes long: axe reads the page in each state, many of them in two themes. Most of it is the contrast
of colors, and half of that is the sidebar: it is left out where another state has its fields.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.hands import pick
from tests.browser.reading import open_page, plot_named
from tests.visitors import visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from tests.conftest import NewPage

AXE: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# By rule, what we cannot mend. Streamlit's grid has an empty cell above the numbers of its rows.
# HTML gives math only its own role, which may hold no buttons: but symbols are buttons.
NOT_TO_BE_MENDED: Final = (
    ("empty-table-header", '<th role="columnheader" aria-selected="false" aria-colindex="1"'),
    ("aria-allowed-role", '<math role="group"'),
)
OF_COLORS: Final = ["color-contrast", "link-in-text-block"]
# What depends on the width of a window, where all else was looked at in another one.
OF_PLACES: Final = ["target-size", "scrollable-region-focusable", "avoid-inline-spacing"]
IN_BOTH_THEMES: Final = {"light": RULES, "dark": OF_COLORS}

Where = dict[str, list[str]]
SIDEBAR: Final = "[data-testid=stSidebar]"
WHOLE_PAGE: Final = {"include": ["html"]}
IN_THE_SIDEBAR: Final = {"include": [SIDEBAR]}
# Where the sidebar has the fields of another state.
BESIDE_THE_SIDEBAR: Final = {"include": ["html"], "exclude": [SIDEBAR]}
IN_THE_POPOVER: Final = {"include": ["[data-testid=stPopoverBody]"]}
IN_THE_PICTURES: Final = {"include": [".plot"]}
BELOW_THE_PICTURES: Final = {"include": [".plot-tools"]}
IN_THE_HEADS: Final = {"include": [".st-key-heads"]}


class Colors(NamedTuple):
    """What a page is drawn with."""

    paper: str  # as the browser says it
    ink: str  # of a picture


COLORS: Final = {
    "light": Colors("rgb(255, 255, 255)", "#1c1830"),
    "dark": Colors("rgb(20, 18, 31)", "#eceaf6"),
}
WIDE: Final = "/?tokens=I+LOVE+PEPPERONI+PIZZA&d_model=16&heads=2&x=random&weights=random"
PROJECTOR: Final = {"width": 1280, "height": 720}
HIGH: Final = {"width": 1280, "height": 1400}  # where the strip lies over nothing that was scrolled
PHONE: Final = {"width": 390, "height": 844}
# An example alone is looked at with all that opens open, and on a phone. So is a comparison.
STATES: Final = {
    "two sequences, one head looked at": (
        "/?example=translation&heads=3&head=2&cell=weights/0:2.1&open=into"
    ),
    "one token": "/?tokens=a&d_model=1&heads=1&x=random&weights=random",
    "a comparison of other sizes": "/compare?a.example=one-head&b.example=four-heads",
    "a pattern": "/patterns",
    "a stop of a tour": "/walkthrough?example=three-tokens&screen=scores&tour=001&stop=4",
    "a refused address, on a bare page": (
        "/?example=nope&embed=true&hide=example,input,heads,weights,mask,scores,view,editors"
    ),
}
STATES_BESIDE_THE_SIDEBAR: Final = dict.fromkeys(
    ("one token", "a comparison of other sizes"), BESIDE_THE_SIDEBAR
)
# What opens over a page is the same over a small one, of which axe reads every element each time.
SMALL: Final = (
    "/?example=two-tokens&hide=input,heads,weights,mask,scores,editors&fold=heads+together"
)
OPEN_OVER_THE_PAGE: Final = (
    ("Share", "Title of the page"),
    ("Download", "Notebook"),
    ("Moved", "From the example"),
    ("Open", "Three tokens"),
)


# What keeps the rules is not sent: it would be every element of the page, for each rule. Style
# sheets are not fetched and read beforehand, a quarter of the time: no rule of ours looks there.
FOUND: Final = """async ([where, runOnly]) => {
  const options = { runOnly, resultTypes: ["violations"], preload: false };
  const { violations } = await axe.run(where, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]));
}"""


def violations(page: Page, rules: Sequence[str] = RULES, where: Where = WHOLE_PAGE) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return [
        f"{rule}: {html[:200]}"
        for rule, html in page.evaluate(FOUND, [where, rules])
        if not any(rule == each and html.startswith(begin) for each, begin in NOT_TO_BE_MENDED)
    ]


def violations_in_both_themes(page: Page, where: Where = WHOLE_PAGE) -> list[str]:
    """All in the theme that the page wears; in the other one only what depends on colors.

    All else is the same. The page keeps the other theme: to draw it costs as much as to look at it.
    """
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = violations(page, RULES, where)
    wear(page, "light" if is_dark else "dark")
    return found + violations(page, OF_COLORS, where)


def wear(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Draw the open page in a theme, and wait until it and its pictures are drawn."""
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", COLORS[scheme].paper)
    for other in COLORS.keys() - {scheme}:
        ink = page.locator(f"svg.plot-ink[fill='{COLORS[other].ink}']:visible")
        expect(ink).to_have_count(0)


@pytest.mark.parametrize("state", STATES)
def test_no_violation_on_a_projector(new_page: NewPage, state: str) -> None:
    page = new_page(viewport=PROJECTOR)
    open_page(page, STATES[state])
    expect(page.get_by_role("alert")).to_have_count(1 if "refused" in state else 0)
    assert violations(page, where=STATES_BESIDE_THE_SIDEBAR.get(state, WHOLE_PAGE)) == []


def test_no_violation_in_the_list_of_tours(new_page: NewPage) -> None:
    page = new_page(viewport=PROJECTOR)
    visit(page, "/tours")
    page.get_by_role("heading", name="A tour of your own").wait_for()
    page.get_by_label("Open a tour that was saved").wait_for(state="attached")
    assert violations(page) == []


def test_no_violation_in_a_comparison_with_all_that_opens_open(new_page: NewPage) -> None:
    page = new_page(viewport=PROJECTOR)
    open_page(page, "/compare?a.example=pizza&b.example=pizza&b.mask=none&b.cell=weights/0:2.1")
    page.get_by_text("Every step in numbers").click()
    page.get_by_role("columnheader", name="Largest difference").nth(1).wait_for()
    page.get_by_text("Edit the numbers of B").click()
    page.get_by_role("tab", name="Grid").wait_for()
    page.locator(".plot-where-from:visible").wait_for()
    assert violations_in_both_themes(page) == []


def test_no_violation_with_all_that_opens_open_and_a_refused_number(new_page: NewPage) -> None:
    page = new_page(viewport=PROJECTOR)
    open_page(page, f"{WIDE}&cell=output:4.3&influence=x")
    count = page.get_by_label("Number of tokens", exact=True)
    count.fill("9999")
    count.press("Tab")
    page.get_by_role("alert").wait_for()
    for label, holds in (
        ("Edit the numbers", page.get_by_role("tab", name="Grid")),
        ("Draw the mask", plot_named(page, "The mask")),
        ("What each head adds to the output", plot_named(page, "What each head adds")),
    ):
        page.get_by_text(label).click()
        holds.wait_for()
    panel = page.locator(".plot-where-from:visible")
    panel.locator("summary").first.click()  # more operands
    panel.locator(".cells button").first.click()
    panel.get_by_role("navigation").wait_for()
    plot_named(page, "How much the picked number moves").wait_for()
    page.get_by_text("Check my numbers").click()
    page.get_by_label("Your numbers for").fill(";".join(["1 " * 16] * 4))
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator(".checked").wait_for()
    assert violations_in_both_themes(page) == []


def test_no_violation_while_a_cell_is_edited_below_one_that_was_refused_or_a_number_is_played(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=HIGH)
    open_page(page, "/?example=two-tokens&open=into")
    way_in = plot_named(page, "X, the projections")
    way_in.locator("svg > svg rect[stroke-opacity='0.45']").first.wait_for(state="attached")
    for _ in range(2):  # the second one opens the cell
        pick(way_in, "x", 0, 0, columns=4)
    page.keyboard.type("abc")
    page.keyboard.press("Enter")  # and the cursor goes on to the cell below
    way_in.locator(".plot-entered").wait_for()
    page.keyboard.type("12")
    expect(way_in.locator("input:visible")).to_have_value("12")
    assert violations_in_both_themes(page, IN_THE_PICTURES) == []
    page.keyboard.press("Escape")
    page.emulate_media(reduced_motion="no-preference")
    way_in.get_by_role("button", name="Play a number").click()
    way_in.get_by_role("button", name="Stop").wait_for()
    assert violations_in_both_themes(page, BELOW_THE_PICTURES) == []


def test_no_violation_in_what_opens_over_the_page(new_page: NewPage) -> None:
    page = new_page(viewport=PROJECTOR)
    open_page(page, SMALL)
    for opens, holds in OPEN_OVER_THE_PAGE:
        page.get_by_role("button", name=opens, exact=True).click()
        page.get_by_text(holds, exact=True).wait_for()
        assert violations_in_both_themes(page, IN_THE_POPOVER) == []
        page.keyboard.press("Escape")


def test_no_violation_and_no_sideways_scroll_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    open_page(page, "/?example=pizza")
    assert violations(page) == []
    widths = (
        "[document.scrollingElement, document.querySelector('.stMain')].map(e => e.scrollWidth)"
    )
    assert max(page.evaluate(widths)) <= PHONE["width"]


# The least that keeps all rules, with the parts and the themes of a page of the app.
BARE: Final = """<!doctype html><html lang="en"><title>Bare</title><style>
  [data-testid=stApp] { background: %s; color: %s; }
  @media (prefers-color-scheme: dark) { [data-testid=stApp] { background: %s; color: %s; } }
  </style><main data-testid="stApp"><h1>Bare</h1><div data-testid="stSidebar"></div>
  <div data-testid="stPopoverBody"></div><p>Words</p></main></html>"""


@pytest.fixture
def bare(bare_page: Page) -> Page:
    bare_page.set_content(BARE % (*COLORS["light"], *COLORS["dark"]))
    return bare_page


PLANT: Final = """part => {
  part.append(Object.assign(document.createElement("img"), { src: "" }));
}"""


def test_a_planted_violation_is_found_and_in_its_part_alone(bare: Page) -> None:
    assert violations_in_both_themes(bare) == []
    parts = (IN_THE_SIDEBAR, IN_THE_POPOVER)
    for where, other in (parts, parts[::-1]):
        part = bare.locator(where["include"][0])
        part.evaluate(PLANT)
        for looked_at in (where, WHOLE_PAGE):
            (found,) = violations(bare, RULES, looked_at)
            assert found.startswith("image-alt")
        assert violations(bare, RULES, other) == []
        part.evaluate("part => part.replaceChildren()")


def test_a_planted_violation_in_one_theme_alone_is_found_whichever_is_worn(bare: Page) -> None:
    for colors in COLORS.values():
        bare.locator("p").evaluate("(words, ink) => { words.style.color = ink; }", colors.ink)
        for _ in COLORS:
            (found,) = violations_in_both_themes(bare)
            assert found.startswith("color-contrast")
