"""The plot in a real browser: it stays, it answers, and text stays text.

What runs and reports do is seen in a small app (`demo`), all else without one (`bare`).

Takes long: each test opens a page in a browser, and files are drawn and saved there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.bare import reports
from tests.browser.plot.on_plots import (
    TOKENS,
    cell_at,
    choose,
    lit,
    next_seed,
    on_stage,
    open_menu,
    painted_at,
    picked,
    picks,
    plot,
    save,
    show_heads,
    stage,
    window_of,
)
from tests.browser.reading import wait_until
from tests.browser.test_accessibility import violations_in_both_themes
from ui.plot import VERSION

# ---- staying ---------------------------------------------------------------------------------


def test_of_equal_labels_the_old_ones_stay_where_they_are(bare: Page) -> None:
    ink = plot(bare).locator("svg.plot-ink").first
    labels, bars = ink.locator("> text"), ink.locator(".plot-ranges")
    words, ends = labels.all_text_contents(), bars.text_content()
    labels.evaluate_all("labels => labels.forEach((label) => { label.isOld = true; })")
    before = painted_cells(bare)
    show_heads(bare, seed=4)
    wait_until(bare, f"before => {CELLS} !== before", arg=before)
    now = labels.evaluate_all("labels => labels.map((label) => [label.textContent, label.isOld])")
    assert now == [[text, True] for text in words]
    assert bars.text_content() != ends


CELLS = "document.querySelector('.plot canvas').toDataURL()"  # of the first plot


def painted_cells(page: Page) -> str:
    return str(page.evaluate(CELLS))


def test_one_script_is_fetched_once_however_many_plots_and_reruns(
    browser: Browser, demo_url: str
) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(demo_url)
    page.locator(".plot[data-painted]").nth(1).wait_for()
    next_seed(page)
    (fetched,) = [url for url in asked if "/plot/" in url]
    assert fetched == f"{demo_url}/plot/{VERSION}/plot.js"
    assert [url for url in asked if "plotly" in url.lower()] == []
    page.context.close()


# ---- answering -------------------------------------------------------------------------------


def test_a_click_reports_its_cell_each_time_and_a_rerun_keeps_the_plot(demo: Page) -> None:
    demo.mouse.click(*cell_at(demo, 2, 3, 1))
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 1 picks")
    demo.mouse.click(*cell_at(demo, 2, 3, 1))
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 2 picks")
    before = painted_cells(demo)
    demo.evaluate("document.querySelector('.plot-stage').dataset.mark = 'same'")
    height = stage(demo).bounding_box()
    next_seed(demo)
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 2 picks")
    wait_until(demo, f"before => {CELLS} !== before", arg=before)
    assert demo.evaluate("document.querySelector('.plot-stage').dataset.mark") == "same"
    assert stage(demo).bounding_box() == height


def test_an_event_that_overtook_another_hides_no_later_pick(demo: Page) -> None:
    demo.mouse.click(*cell_at(demo, 2, 3, 1))
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 1 picks")
    choose(demo, "An old pick taken for state")
    next_seed(demo)  # it was taken for state when this was said
    choose(demo, "An old pick taken for state")
    demo.mouse.click(*cell_at(demo, 0, 1, 0))
    picks(demo, "picked Cell(step='scores', head=0, row=1, column=0) · 2 picks")


def test_a_click_in_a_fragment_reports_too(demo: Page) -> None:
    choose(demo, "In a fragment")
    expect(demo.get_by_text(re.compile(r"seed \d+, in a fragment"))).to_be_visible()
    demo.mouse.click(*cell_at(demo, 1, 2, 2))
    picks(demo, "picked Cell(step='scores', head=1, row=2, column=2) · 1 picks")


def test_hovering_lights_the_tokens_row_in_every_plot_in_the_next_frame_and_tells_six_digits(
    bare: Page,
) -> None:
    assert (lit(bare), lit(bare, 1)) == (0, 0)
    bare.mouse.move(*cell_at(bare, 0, 2, 1))
    bare.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    # The query labels of both rows of matrices and the key labels of both heads.
    assert (lit(bare), lit(bare, 1)) == (4, 1)
    bare.mouse.move(5, 5)
    bare.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert (lit(bare), lit(bare, 1)) == (0, 0)
    bare.mouse.move(*cell_at(bare, 0, 2, 1))
    tip = plot(bare).locator(".plot-tip")
    expect(tip).to_contain_text("scores, head 1query PEPPERONIkey LOVE≈ 6.646")
    bare.mouse.move(*cell_at(bare, 0, 0, 3))
    expect(tip).to_contain_text("key PIZZAmasked")


# ---- text, pictures, theme ---------------------------------------------------------------------


def test_html_in_a_label_is_shown_as_text_everywhere(bare: Page, tmp_path: Path) -> None:
    show_heads(bare, hostile=True)
    expect(plot(bare).locator("svg.plot-ink text", has_text="<b>bold</b>").first).to_be_visible()
    bare.mouse.move(*cell_at(bare, 0, 0, 0))
    expect(plot(bare).locator(".plot-tip")).to_contain_text("query <img src=x onerror=alert(1)>")
    plot(bare).get_by_text("Show as table").click()
    header = plot(bare).locator("th").get_by_text("<img src=x onerror=alert(1)>", exact=True)
    expect(header.first).to_be_visible()
    saved = save(bare, "SVG", tmp_path).read_text("utf-8")
    assert "&lt;b&gt;bold&lt;/b&gt;" in saved
    for page_or_picture in (plot(bare).inner_html(), saved):
        assert "<b>" not in page_or_picture
        assert "<img" not in page_or_picture


def test_a_dot_shows_the_mean_of_its_visible_cells_wherever_it_is_drawn(
    bare: Page, tmp_path: Path
) -> None:
    bare.set_viewport_size({"width": 900, "height": 720})
    show_heads(bare, only_itself=True, least_cell=1, n_tokens=512)
    expect(plot(bare).get_by_text("512 × 512 numbers", exact=True).first).to_be_visible()
    below = plot(bare).get_by_text("A dot is the mean of the visible cells among 4")
    expect(below).to_be_visible()  # the captions have no room for it
    weights = 2  # of head 1, which are all 1
    x, y, side = (window_of(bare, weights)[name] for name in ("x", "y", "width"))
    middle = (x + side / 2 + 0.5, y + side / 2 + 0.5)
    everything_is_seen = (45, 26, 142)
    assert painted_at(bare, *middle) == everything_is_seen
    assert painted_at(bare, x + side / 4, y + side / 2) == (255, 255, 255)
    window = stage(bare).locator(":scope > svg > svg").nth(weights)
    hatched = window.locator("path").first.get_attribute("d") or ""
    assert hatched.count("M") == 2 * 256 - 2  # left and right of the diagonal in each row of dots
    picture = Image.open(save(bare, "PNG", tmp_path)).convert("RGB")
    scale = picture.width / (float(stage(bare).evaluate("e => e.clientWidth")) + 32)
    assert picture.getpixel([round(scale * (16 + place)) for place in middle]) == everything_is_seen


def test_a_picture_is_saved_with_what_is_on_screen_on_the_ground_that_was_chosen(
    bare: Page, tmp_path: Path
) -> None:
    text_of_it = save(bare, "SVG", tmp_path).read_text("utf-8")
    for text in ("Head 1", "PEPPERONI", "6.65", "−6.65"):
        assert f">{text}</text>" in text_of_it

    def saved(ground: str) -> Image.Image:
        return Image.open(save(bare, "PNG", tmp_path, ground), formats=["PNG"]).convert("RGBA")

    light, dark, clear = saved("Light"), saved("Dark"), saved("None, for dark slides")
    x, y = on_stage(bare, 0, 2, 0.5)  # on the line before column 1
    scale = light.width / (stage(bare).evaluate("e => e.clientWidth") + 32)
    line = (round(scale * (16 + x)), round(scale * (16 + y)))
    assert light.getpixel((1, 1)) == light.getpixel(line) == (255, 255, 255, 255)
    assert dark.getpixel((1, 1)) == dark.getpixel(line) == (20, 18, 31, 255)
    assert clear.getpixel((1, 1))[3] == 0
    assert clear.getpixel(line)[3] < 40
    assert clear.getpixel((line[0] + round(4 * scale), line[1]))[3] == 255  # in the cell


def test_numbers_are_copied_for_a_spreadsheet_and_saved_with_their_labels(
    bare: Page, tmp_path: Path
) -> None:
    bare.context.grant_permissions(["clipboard-read", "clipboard-write"])
    bare.mouse.click(*cell_at(bare, 2, 3, 1))
    assert reports(bare) == [picked("weights/0", 3, 1)]
    open_menu(bare)
    plot(bare).get_by_role("button", name="Copy numbers").click()
    expect(plot(bare).get_by_role("status")).to_have_text("Copied weights, head 1, 4 × 4 numbers.")
    is_copied(bare.evaluate("navigator.clipboard.readText()"))

    plot(bare).get_by_label("Matrix", exact=True).select_option("scores, head 2")
    path = save(bare, "CSV", tmp_path)
    assert path.name == "heads-scores-head-2.csv"
    head, first, *_ = path.read_text("utf-8").splitlines()
    assert head == "query \\ key,I,LOVE,PEPPERONI,PIZZA"
    assert re.fullmatch(r"I,-?[\d.]+,,,", first)


def test_numbers_are_copied_where_the_page_has_no_clipboard(bare: Page) -> None:
    """As at an address that is neither https nor localhost."""
    bare.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    open_menu(bare)
    plot(bare).get_by_label("Matrix", exact=True).select_option("weights, head 1")
    plot(bare).get_by_role("button", name="Copy numbers").click()
    expect(plot(bare).get_by_role("status")).to_contain_text("Copied")
    bare.evaluate("document.body.append(document.createElement('textarea'))")
    field = bare.locator("body > textarea")
    field.focus()
    bare.keyboard.press("Control+v")
    is_copied(field.input_value())


def is_copied(text: str) -> None:
    """The weights of head 1: rows of numbers with all digits, nothing where a key is hidden."""
    rows = [line.split("\t") for line in text.rstrip("\n").split("\n")]
    assert [len(row) - row.count("") for row in rows] == [1, 2, 3, 4]
    assert all(sum(map(float, filter(None, row))) == pytest.approx(1, abs=1e-15) for row in rows)


def test_the_keyboard_reaches_the_menu_which_opens_over_the_page_and_closes_as_menus_do(
    bare: Page,
) -> None:
    find = "p => [...p.querySelectorAll('*')].filter(e => e.tabIndex >= 0 && e.checkVisibility())"
    for number in (0, 1):
        reached = plot(bare, number).evaluate(f"{find}.map(e => e.className || e.textContent)")
        assert reached == ["plot-stage", "Show as table", "Copy or save"]
    menu, below = plot(bare).locator(".plot-menu"), plot(bare, 1)
    opener = plot(bare).get_by_role("button", name="Copy or save")
    place = below.bounding_box()
    opener.focus()
    bare.keyboard.press("Enter")
    expect(menu).to_be_visible()
    expect(opener).to_have_attribute("aria-expanded", "true")
    assert below.bounding_box() == place
    bare.keyboard.press("Tab")
    expect(plot(bare).get_by_label("Matrix", exact=True)).to_be_focused()
    bare.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    bare.get_by_role("heading", name="Pictures").click()
    expect(menu).to_be_hidden()


def test_no_violation_with_menu_and_table_open(bare: Page) -> None:
    plot(bare).get_by_role("button", name="Show as table").click()
    open_menu(bare)
    assert violations_in_both_themes(bare, {"include": [".plot"]}) == []


def test_colours_follow_the_theme_and_a_dark_page_is_printed_light_without_tools(
    bare: Page,
) -> None:
    heading = plot(bare).locator("svg.plot-ink text", has_text="Head 1")
    on_light, on_dark = "rgb(28, 24, 48)", "rgb(236, 234, 246)"
    # An element that is drawn anew while we read it has no colour, so we wait for each.
    expect(heading).to_have_css("fill", on_light)
    cells = painted_cells(bare)
    bare.emulate_media(color_scheme="dark")
    expect(heading).to_have_css("fill", on_dark)
    assert painted_cells(bare) != cells
    bare.emulate_media(color_scheme="light")
    expect(heading).to_have_css("fill", on_light)
    assert painted_cells(bare) == cells
    bare.emulate_media(color_scheme="dark")
    expect(heading).to_have_css("fill", on_dark)
    hidden_cell = on_stage(bare, 0, 0, 3)
    assert painted_at(bare, *hidden_cell) == (20, 18, 31)
    bare.evaluate(
        """([x, y]) => window.addEventListener("beforeprint", () => {
          const plot = document.querySelector(".plot");
          const pen = plot.querySelector("canvas").getContext("2d");
          window.onPaper = {
            cell: [...pen.getImageData(x, y, 1, 1).data].slice(0, 3),
            ink: plot.querySelector("svg.plot-ink").getAttribute("fill"),
          };
        })""",
        [int(place) for place in hidden_cell],
    )
    bare.pdf()
    assert bare.evaluate("window.onPaper") == {"cell": [255, 255, 255], "ink": "#1c1830"}
    expect(heading).to_have_css("fill", on_dark)
    assert painted_at(bare, *hidden_cell) == (20, 18, 31)
    bare.emulate_media(media="print")
    expect(plot(bare).locator(".plot-tools")).to_be_hidden()
    expect(stage(bare).locator("canvas")).to_be_visible()


def test_a_smaller_figure_takes_its_room_at_once_and_stays_readable_where_it_is_narrow(
    bare: Page,
) -> None:
    window = stage(bare).locator(":scope > svg > svg").first
    wide = window.get_attribute("width") or ""
    bare.set_viewport_size({"width": 390, "height": 844})
    expect(window).not_to_have_attribute("width", wide)
    assert 22 <= window_of(bare, 0)["width"] / TOKENS < 36
    assert bare.evaluate("document.documentElement.scrollWidth") <= 390
    show_heads(bare, n_heads=8)
    bare.evaluate(
        """() => {
          const plot = document.querySelector(".plot");
          const scroll = plot.querySelector(".plot-scroll");
          window.overflows = [];
          const look = () => window.overflows.push(scroll.scrollWidth - scroll.clientWidth);
          new MutationObserver(look).observe(plot, { attributeFilter: ["data-painted"] });
        }"""
    )
    show_heads(bare, n_heads=1)
    expect(bare.get_by_text("Head 2")).to_have_count(0)
    overflows = bare.evaluate("window.overflows")
    assert overflows
    assert set(overflows) == {0}


def test_without_the_files_the_page_says_what_is_missing(browser: Browser, demo_url: str) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.route("**/plot.js", lambda route: route.fulfill(status=404, body="none"))
    page.goto(demo_url)
    expect(page.get_by_text("streamlit run app.py").first).to_be_visible()
    page.context.close()
