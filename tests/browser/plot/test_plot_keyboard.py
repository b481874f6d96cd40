"""The plot without a pointer: its keys, and what is read aloud."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.bare import reports
from tests.browser.plot.on_plots import picked, picks, plot, show_heads, spoken, stage


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
