"""The plot without a pointer: its keys, and what is read aloud."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from mha_core import attend
from mha_core.examples import load_example
from tests.browser.bare import bring_anew, let_edit, reports, show
from tests.browser.plot.on_plots import picked, picks, plot, show_heads, spoken, stage
from ui.figures.into_heads import into_heads_figure


def test_the_keyboard_moves_and_picks(bare: Page) -> None:
    stage(bare).focus()
    for keys, heard in [
        (["ArrowRight"], "scores, head 1, query I, key I: 4.08"),
        (["ArrowDown"], "scores, head 1, query LOVE, key I: −0.91"),
        (["ArrowRight"], "scores, head 1, query LOVE, key LOVE: −0.43"),
        (["ArrowRight"], "scores, head 1, query LOVE, key PEPPERONI: masked"),
        (["Home", "ArrowUp", "ArrowUp"], "scores, head 1, query I, key I: 4.08"),
        (["PageDown", "PageDown"], "weights, head 1, query I, key I: 1.00"),
        (["End", "ArrowRight"], "weights, head 2, query I, key I: 1.00"),
        (["ArrowUp", "End"], "scores, head 2, query PIZZA, key PIZZA: −0.58"),
        (["ArrowUp", "ArrowUp", "ArrowUp"], "scores, head 2, query I, key PIZZA: masked"),
    ]:
        for key in keys:
            bare.keyboard.press(key)
        expect(spoken(bare)).to_have_text(heard)
    for key in ("Enter", "Space"):
        bare.keyboard.press(key)
    assert reports(bare) == [picked("scores/1", 0, 3)] * 2


def test_tab_leads_out_of_the_plot(bare: Page) -> None:
    stage(bare).focus()
    bare.keyboard.press("ArrowRight")
    bare.keyboard.press("Tab")
    expect(plot(bare).get_by_role("button", name="Show as table")).to_be_focused()


def test_focus_stays_through_the_rerun_that_a_pick_causes(demo: Page) -> None:
    stage(demo).focus()
    demo.keyboard.press("ArrowRight")
    demo.keyboard.press("Enter")
    picks(demo, "picked Cell(step='scores', head=0, row=0, column=0) · 1 picks")
    expect(stage(demo)).to_be_focused()


def test_a_table_says_the_same_in_rows_and_columns(bare: Page) -> None:
    assert plot(bare).locator("table").count() == 0
    plot(bare).get_by_text("Show as table").click()
    plot(bare).get_by_label("Matrix to show as a table").select_option("weights, head 1")
    table = plot(bare).get_by_role("table", name="weights, head 1")
    assert table.locator("th[scope=col]").all_inner_texts() == ["I", "LOVE", "PEPPERONI", "PIZZA"]
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tbody tr").all()]
    assert rows[1] == ["0.38", "0.62", "masked", "masked"]
    show_heads(bare, seed=4)
    expect(table.locator("tbody tr").nth(1).locator("td").first).not_to_have_text("0.38")


def test_the_plot_says_what_it_is(bare: Page) -> None:
    figure = bare.get_by_role("figure", name="Scores above weights of every head")
    expect(figure.get_by_role("application")).to_have_accessible_name(
        re.compile("^Scores above weights of every head. Arrow keys move")
    )


@pytest.fixture
def given(bare: Page) -> Page:
    """With a picture of numbers that can be edited, and the keyboard on its first number."""
    show(bare, into_heads_figure(attend(load_example("pizza"))), "into", alt="Into the heads")
    let_edit(bare)
    stage(bare, 2).focus()
    bare.keyboard.press("ArrowRight")
    return bare


def field(page: Page) -> Locator:
    return page.locator(".plot-edit:visible")


def entered(page: Page) -> Locator:
    """What stands in cells instead of their numbers."""
    return stage(page, 2).locator(".plot-ink").last


def test_what_is_typed_stays_where_its_picture_is_taken_out_and_brought_anew(given: Page) -> None:
    given.keyboard.type("0.75")
    given.keyboard.press("ArrowLeft")
    bring_anew(given, "into")
    expect(field(given)).to_be_focused()
    given.keyboard.type("2")
    expect(field(given)).to_have_value("0.725")
    given.keyboard.press("Enter")
    expect(field(given)).to_have_count(0)
    expect(entered(given)).to_contain_text("0.725")


def test_a_cell_keeps_the_keyboard_where_its_picture_is_brought_anew(given: Page) -> None:
    bring_anew(given, "into")
    given.keyboard.type("7")
    expect(field(given)).to_have_value("7")


def test_what_is_typed_is_entered_where_somebody_works_elsewhere_by_then(given: Page) -> None:
    given.keyboard.type("0.75")
    given.evaluate(FOCUS_ELSEWHERE)
    bring_anew(given, "into")
    expect(field(given)).to_have_count(0)
    expect(entered(given)).to_contain_text("0.75")


# As soon as something is taken out of the page.
FOCUS_ELSEWHERE = """() => {
  const { remove } = Element.prototype;
  Element.prototype.remove = function () {
    Element.prototype.remove = remove;
    this.remove();
    document.querySelector(".plot-stage").focus();
  };
}"""
