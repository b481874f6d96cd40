"""The plot in a real browser: it stays, it answers, it is read aloud, and text stays text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.plot.conftest import BASE_PATH
from ui.plot import MODULES

CELL = 36


def plot(page: Page, number: int = 0) -> Locator:
    return page.locator(".plot").nth(number)


def stage(page: Page, number: int = 0) -> Locator:
    return plot(page, number).locator(".plot-stage")


def cell_at(page: Page, matrix: int, row: int, column: int, number: int = 0) -> tuple[float, float]:
    """The middle of a cell on the page, from where the matrix is drawn."""
    box = stage(page, number).bounding_box()
    window = stage(page, number).locator(":scope > svg > svg").nth(matrix)
    assert box
    left, top = (float(window.get_attribute(name) or "") for name in ("x", "y"))
    return box["x"] + left + (column + 0.5) * CELL, box["y"] + top + (row + 0.5) * CELL


def choose(page: Page, label: str) -> None:
    page.get_by_text(label, exact=True).click()


def set_number(page: Page, label: str, value: int) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(str(value))
    box.press("Enter")


def next_seed(page: Page) -> None:
    slider = page.get_by_test_id("stSlider").locator("input, [role=slider]").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("seed 4")).to_be_visible()


def picks(page: Page, text: str) -> None:
    expect(page.get_by_text(re.compile(r"picked .* picks"))).to_have_text(text)


def spoken(page: Page) -> Locator:
    return plot(page).locator("[aria-live]")


def lit(page: Page, number: int = 0) -> int:
    return stage(page, number).locator("svg.plot-ink").last.locator("text").count()


# ---- staying ---------------------------------------------------------------------------------


def test_a_rerun_keeps_the_plot_and_changes_its_cells(demo: Page) -> None:
    image = demo.locator(".heatmaplayer image").first
    before = image.get_attribute("href")
    demo.evaluate("document.querySelector('.plot-graph').dataset.mark = 'same'")
    height = stage(demo).bounding_box()
    next_seed(demo)
    expect(image).not_to_have_attribute("href", before or "")
    assert demo.evaluate("document.querySelector('.plot-graph').dataset.mark") == "same"
    assert stage(demo).bounding_box() == height


def test_plotly_is_fetched_once_however_many_plots_and_reruns(
    browser: Browser, demo_url: str
) -> None:
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(demo_url)
    page.locator(".plot[data-painted]").nth(1).wait_for()
    next_seed(page)
    files = [url.split("?")[0] for url in asked if "/plot/" in url]
    modules = [file.name for file in MODULES.glob("*.js")]
    assert sorted(Path(url).name for url in files) == sorted([*modules, "plotly.min.js"])
    assert all(f"/{BASE_PATH}/plot/" in url for url in files)
    page.context.close()


def test_a_zoom_is_kept_across_a_rerun_and_taken_back_by_a_button(demo: Page) -> None:
    choose(demo, "Zoom")
    expect(demo.locator(".plot-graph").first.locator(".nsewdrag").first).to_be_attached()
    demo.mouse.move(*cell_at(demo, 0, 0, 0))
    demo.mouse.down()
    demo.mouse.move(*cell_at(demo, 0, 2, 2), steps=5)
    demo.mouse.up()
    reset = plot(demo).get_by_role("button", name="Reset zoom")
    expect(reset).to_be_visible()
    zoomed = ranges(demo)
    assert zoomed["xaxis2"] == zoomed["xaxis"] != [-0.5, 3.5]  # heads zoom together
    next_seed(demo)
    assert ranges(demo) == zoomed
    reset.click()
    expect(reset).to_be_hidden()
    assert ranges(demo)["xaxis"] == [-0.5, 3.5]
    picks(demo, "picked None · 0 picks")  # a drag is no pick


def ranges(page: Page) -> dict[str, Any]:
    find = "(graph, names) => names.map(name => [name, graph.layout[name].range])"
    graph = page.locator(".plot-graph").first
    return dict(graph.evaluate(find, ["xaxis", "xaxis2", "yaxis"]))


def test_the_figure_shrinks_with_its_box_and_the_page_never_scrolls_sideways(demo: Page) -> None:
    set_number(demo, "Heads", 8)
    expect(demo.get_by_text("Head 8")).to_be_visible()
    for width in (1280, 900, 390):
        demo.set_viewport_size({"width": width, "height": 844})
        demo.wait_for_timeout(600)
        assert demo.evaluate("document.documentElement.scrollWidth") <= width
    inner, outer = demo.evaluate(
        "(s => [s.scrollWidth, s.clientWidth])(document.querySelector('.plot-scroll'))"
    )
    assert inner > outer  # what does not fit scrolls inside its own box


# ---- answering -------------------------------------------------------------------------------


def test_a_click_reports_its_cell_and_a_second_click_does_too(demo: Page) -> None:
    demo.mouse.click(*cell_at(demo, 2, 3, 1))
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 1 picks")
    demo.mouse.click(*cell_at(demo, 2, 3, 1))
    picks(demo, "picked Cell(step='weights', head=0, row=3, column=1) · 2 picks")


def test_a_pick_is_told_once(demo: Page) -> None:
    demo.mouse.click(*cell_at(demo, 0, 1, 0))
    picks(demo, "picked Cell(step='scores', head=0, row=1, column=0) · 1 picks")
    next_seed(demo)
    picks(demo, "picked Cell(step='scores', head=0, row=1, column=0) · 1 picks")


def test_a_click_in_a_fragment_reports_too(demo: Page) -> None:
    choose(demo, "In a fragment")
    demo.wait_for_timeout(500)
    demo.mouse.click(*cell_at(demo, 1, 2, 2))
    picks(demo, "picked Cell(step='scores', head=1, row=2, column=2) · 1 picks")


def test_hovering_lights_the_tokens_row_in_every_plot_in_the_next_frame(demo: Page) -> None:
    assert (lit(demo), lit(demo, 1)) == (0, 0)
    demo.mouse.move(*cell_at(demo, 0, 2, 1))
    demo.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    # The query labels of both rows of matrices and the key labels of both heads.
    assert (lit(demo), lit(demo, 1)) == (4, 1)
    demo.mouse.move(5, 5)
    demo.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert (lit(demo), lit(demo, 1)) == (0, 0)


def test_the_tip_has_every_digit(demo: Page) -> None:
    demo.mouse.move(*cell_at(demo, 0, 2, 1))
    tip = plot(demo).locator(".plot-tip")
    expect(tip).to_contain_text("scores, head 1query PEPPERONIkey LOVE6.645999033289765")
    demo.mouse.move(*cell_at(demo, 0, 0, 3))
    expect(tip).to_contain_text("key PIZZAmasked")


# ---- keyboard and reading aloud ----------------------------------------------------------------


def test_the_keyboard_moves_and_picks(demo: Page) -> None:
    stage(demo).focus()
    for keys, heard in [
        (["ArrowRight"], "scores, head 1, query I, key I: 4.08"),
        (["ArrowDown"], "scores, head 1, query LOVE, key I: −0.91"),
        (["ArrowRight"], "scores, head 1, query LOVE, key LOVE: −0.43"),
        (["ArrowRight"], "scores, head 1, query LOVE, key PEPPERONI: masked"),
        (["Home", "ArrowUp", "ArrowUp"], "scores, head 1, query I, key I: 4.08"),
        (["PageDown", "PageDown"], "weights, head 1, query I, key I: 1.00"),
        (["End", "ArrowRight"], "weights, head 1, query I, key PIZZA: masked"),
        (["PageUp"], "scores, head 2, query I, key PIZZA: masked"),
    ]:
        for key in keys:
            demo.keyboard.press(key)
        expect(spoken(demo)).to_have_text(heard)
    demo.keyboard.press("Enter")
    picks(demo, "picked Cell(step='scores', head=1, row=0, column=3) · 1 picks")
    demo.keyboard.press("Space")
    picks(demo, "picked Cell(step='scores', head=1, row=0, column=3) · 2 picks")


def test_tab_leads_out_of_the_plot(demo: Page) -> None:
    stage(demo).focus()
    demo.keyboard.press("ArrowRight")
    demo.keyboard.press("Tab")
    expect(plot(demo).get_by_role("button", name="Show as table")).to_be_focused()


def test_focus_stays_through_the_rerun_that_a_pick_causes(demo: Page) -> None:
    stage(demo).focus()
    demo.keyboard.press("ArrowRight")
    demo.keyboard.press("Enter")
    picks(demo, "picked Cell(step='scores', head=0, row=0, column=0) · 1 picks")
    expect(stage(demo)).to_be_focused()


def test_a_table_says_the_same_in_rows_and_columns(demo: Page) -> None:
    assert plot(demo).locator("table").count() == 0
    plot(demo).get_by_text("Show as table").click()
    plot(demo).get_by_label("Matrix to show as a table").select_option("weights, head 1")
    table = plot(demo).get_by_role("table", name="weights, head 1")
    assert table.locator("th[scope=col]").all_inner_texts() == ["I", "LOVE", "PEPPERONI", "PIZZA"]
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert rows[1] == ["0.38", "0.62", "masked", "masked"]
    next_seed(demo)
    expect(table.locator("tbody tr").nth(1).locator("td").first).not_to_have_text("0.38")


def test_the_plot_says_what_it_is(demo: Page) -> None:
    figure = demo.get_by_role("figure", name="Scores above weights of every head")
    expect(figure.get_by_role("application")).to_have_accessible_name(
        re.compile("^Scores above weights of every head. Arrow keys move")
    )


# ---- text, pictures, theme ---------------------------------------------------------------------


def test_html_in_a_label_is_shown_as_text_everywhere(demo: Page, tmp_path: Path) -> None:
    choose(demo, "Hostile labels")
    expect(plot(demo).locator("svg.plot-ink text", has_text="<b>bold</b>").first).to_be_visible()
    demo.mouse.move(*cell_at(demo, 0, 0, 0))
    expect(plot(demo).locator(".plot-tip")).to_contain_text("query <img src=x onerror=alert(1)>")
    plot(demo).get_by_text("Show as table").click()
    header = plot(demo).locator("th").get_by_text("<img src=x onerror=alert(1)>", exact=True)
    expect(header.first).to_be_visible()
    saved = save(demo, "SVG", tmp_path).read_text("utf-8")
    assert "&lt;b&gt;bold&lt;/b&gt;" in saved
    for page_or_picture in (plot(demo).inner_html(), saved):
        assert "<b>" not in page_or_picture
        assert "<img" not in page_or_picture


def test_a_saved_picture_has_what_is_on_screen(demo: Page, tmp_path: Path) -> None:
    saved = save(demo, "SVG", tmp_path).read_text("utf-8")
    for text in ("Head 1", "PEPPERONI", "6.65", "−6.65"):
        assert f">{text}</text>" in saved
    assert save(demo, "PNG", tmp_path).read_bytes().startswith(b"\x89PNG")


def test_a_dot_shows_the_mean_of_its_visible_cells_wherever_it_is_drawn(
    demo: Page, tmp_path: Path
) -> None:
    choose(demo, "Each sees only itself")
    set_number(demo, "Least cell", 1)
    set_number(demo, "Tokens", 512)
    told = plot(demo).get_by_text(
        "512 × 512 numbers; a dot is the mean of the visible ones of its 4 cells"
    )
    expect(told.first).to_be_visible()
    window = stage(demo).locator(":scope > svg > svg").nth(2)  # the weights of head 1: all are 1
    x, y, side = (float(window.get_attribute(name) or "") for name in ("x", "y", "width"))
    middle = (x + side / 2 + 0.5, y + side / 2 + 0.5)
    everything_is_seen = (45, 26, 142)
    assert painted_at(demo, *middle) == everything_is_seen
    assert painted_at(demo, x + side / 4, y + side / 2) == (255, 255, 255)
    hatched = window.locator("path").first.get_attribute("d") or ""
    assert hatched.count("M") == 2 * 256 - 2  # left and right of the diagonal in each row of dots
    picture = Image.open(save(demo, "PNG", tmp_path)).convert("RGB")
    scale = picture.width / (float(stage(demo).evaluate("e => e.clientWidth")) + 32)
    assert picture.getpixel([round(scale * (16 + place)) for place in middle]) == everything_is_seen
    z = demo.locator(".plot-graph").first.evaluate("graph => Array.from(graph.data[2].z[7])")
    assert z[7] == 1
    assert len(z) == 256


def open_menu(page: Page) -> None:
    if plot(page).locator(".plot-menu").is_hidden():
        plot(page).get_by_role("button", name="Copy or save").click()


def painted_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    """Red, green and blue of a place on the canvas of the first plot."""
    find = "(canvas, at) => [...canvas.getContext('2d').getImageData(...at, 1, 1).data]"
    canvas = stage(page).locator("canvas")
    return tuple(canvas.evaluate(find, [int(x), int(y)])[:3])


def save(page: Page, kind: str, folder: Path) -> Path:
    open_menu(page)
    with page.expect_download() as download:
        plot(page).get_by_role("button", name=f"Save as {kind}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == f"heads.{kind.lower()}"
    return path


def test_colours_follow_the_theme_while_the_page_is_open(demo: Page) -> None:
    heading = plot(demo).locator("svg.plot-ink text", has_text="Head 1")
    image = demo.locator(".heatmaplayer image").first
    light = (fill(heading), image.get_attribute("href"))
    demo.emulate_media(color_scheme="dark")
    expect(heading).to_have_css("fill", "rgb(236, 234, 246)")
    expect(image).not_to_have_attribute("href", light[1] or "")
    demo.emulate_media(color_scheme="light")
    expect(image).to_have_attribute("href", light[1] or "")
    assert fill(heading) == light[0]


def fill(element: Locator) -> str:
    return str(element.evaluate("e => getComputedStyle(e).fill"))


def test_without_the_files_the_page_says_what_is_missing(browser: Browser, demo_url: str) -> None:
    page = browser.new_context().new_page()
    page.route("**/plot.js", lambda route: route.fulfill(status=404, body="none"))
    page.goto(demo_url)
    expect(page.get_by_text("streamlit run app.py").first).to_be_visible(timeout=15_000)
    page.context.close()


@pytest.mark.parametrize("number", [0, 1])
def test_the_keyboard_reaches_what_it_should_and_nothing_else(demo: Page, number: int) -> None:
    find = "p => [...p.querySelectorAll('*')].filter(e => e.tabIndex >= 0 && e.checkVisibility())"
    reached = plot(demo, number).evaluate(f"{find}.map(e => e.className || e.textContent)")
    assert reached == ["plot-stage", "Show as table", "Copy or save"]
