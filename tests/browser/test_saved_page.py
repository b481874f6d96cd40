"""A page in one file, opened from a disk without a network.

Takes long: each test opens a saved page in a browser, and works there by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import Scenario, StackTrace, attend
from mha_core.changing.changes import with_mask, with_matrix, with_tokens
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from mha_core.guide.screens import screens_of
from mha_core.layer.matrices import distinct_names
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import exact_numbers, plot_named, wait_for_numbers
from tests.browser.test_accessibility import COLORS, IN_BOTH_THEMES, PHONE, violations
from tests.core.strategies import self_attention
from ui.figures.drawing import Look
from ui.prints.album import album_of
from ui.saved.page import SavedStop, saved_page, stop_of_layer

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import OpenFile

PIZZA = load_example("pizza")
X, COLUMNS = 3, 8  # the place of X in "Into the heads", and its width
HOSTILE = "</script><img src=x onerror=alert(1)>"


def violations_in_each_theme(page: Page) -> list[str]:
    """Of a page without a server; in the second theme only what depends on colors."""
    found = []
    for scheme, rules in IN_BOTH_THEMES.items():
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for other in COLORS.keys() - {scheme}:
            ink = page.locator(f"svg.plot-ink[fill='{COLORS[other].ink}']:visible")
            expect(ink).to_have_count(0)
        found += violations(page, rules)
    return found


def stop_of(s: Scenario, title: str) -> SavedStop:
    trace = attend(s)
    album = album_of(trace, ("masked_scores", "weights"), title).values()
    pictures = [each for each in album if not each.is_step and not each.name.startswith("head-")]
    return SavedStop(title, "What it shows.", trace, Look(), pictures, screens_of(s))


@pytest.fixture(scope="module")
def pizza() -> bytes:
    return saved_page("Pizza", [stop_of(PIZZA, "Pizza")], "http://localhost/?example=pizza")


def plot_at(page: Page) -> Locator:
    return plot_named(page, "Into the heads")


def weights(page: Page) -> Any:
    return exact_numbers(plot_named(page, "The heads"), "weights/0")


def visible_weights(s: Scenario) -> Any:
    trace = attend(s)
    return np.where(trace.mask, trace.weights[0], np.nan)


def assert_weights(page: Page, s: Scenario) -> None:
    wanted = visible_weights(s)
    np.testing.assert_allclose(weights(page), wanted, rtol=0, atol=1e-12)


def with_x(number: float, row: int = 0, column: int = 1) -> Scenario:
    x = PIZZA.x.copy()
    x[row, column] = number
    return with_matrix(PIZZA, "x", x)


def test_numbers_that_are_not_the_cores_are_said(open_file: OpenFile) -> None:
    stop = stop_of(PIZZA, "Pizza")
    wrong = attend(PIZZA)
    stop.trace.__dict__["output"] = wrong.output + 1e-3
    page = open_file(saved_page("Pizza", [stop]))
    expect(page.get_by_role("status").first).to_contain_text("output differs by")


def test_it_is_drawn_first_and_checked_and_follows_a_number_that_is_typed_dragged_or_taken_back(
    open_file: OpenFile, pizza: bytes
) -> None:
    counts = (
        "addEventListener('DOMContentLoaded', () => {"
        " window.drawn = document.querySelectorAll('.plot[data-painted]').length; })"
    )
    page = open_file(pizza.replace(b"<head>", f"<head><script>{counts}</script>".encode()))
    assert page.evaluate("window.drawn") >= 1
    expect(page.locator(".checked")).to_contain_text("Checked: this page computed all")
    assert_weights(page, PIZZA)
    plot = plot_at(page)
    pick(plot, X, 0, 1, COLUMNS)
    page.keyboard.type("-2,5")
    page.keyboard.press("Enter")
    wait_for_numbers(plot, "x", with_x(-2.5).x)
    assert_weights(page, with_x(-2.5))
    expect(page.get_by_role("status").first).to_contain_text("You have changed numbers")
    page.keyboard.press("Control+z")
    wait_for_numbers(plot, "x", PIZZA.x)
    assert_weights(page, PIZZA)
    before = weights(page)
    cell = place_of_cell(plot, X, 0, 1, COLUMNS)
    page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2)
    page.mouse.down()
    page.mouse.move(cell.x + 90, cell.y + 4, steps=2)
    heads = plot_named(page, "The heads")
    during = exact_numbers(heads, "weights/0")
    assert not np.array_equal(during, before, equal_nan=True)
    page.mouse.up()
    x = exact_numbers(plot_at(page), "x")
    assert x[0, 1] != 0
    assert_weights(page, with_x(float(x[0, 1])))
    page.get_by_role("button", name="As it was saved").click()
    wait_for_numbers(plot_at(page), "x", PIZZA.x)
    pick(plot, X, 0, 1, COLUMNS)
    page.keyboard.type("1abc")
    page.keyboard.press("Enter")
    expect(plot.locator(".plot-refusals")).to_contain_text("got '1abc'. Write one such as 0.5")
    assert_weights(page, PIZZA)


def test_a_number_says_where_it_comes_from_the_mask_is_drawn_and_operation_follows_operation(
    open_file: OpenFile, pizza: bytes
) -> None:
    page = open_file(pizza)
    heads = plot_named(page, "The heads")
    heads.locator(".plot-stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    panel = page.locator(".plot-where-from:visible")
    heading = panel.locator("h2")
    first = heading.inner_text()
    expect(panel.locator(".formula")).to_contain_text("=")
    panel.locator(".cells button").first.click()
    expect(heading).not_to_have_text(first)
    while panel.locator(".cells button").count():  # down to what was given
        panel.locator(".cells button").first.click()
    expect(heading).to_contain_text("X[I, 1] = 1.00")
    panel.get_by_role("navigation").get_by_role("button").first.click()
    expect(heading).to_have_text(first)
    expect(panel.get_by_role("navigation")).to_have_count(0)
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    heads.locator(".plot-stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    drawn = np.ones((4, 4), bool)
    row, column = np.argwhere(np.isnan(weights(page)) != np.isnan(visible_weights(PIZZA)))[0]
    drawn[row, column] = False
    assert_weights(page, with_mask(PIZZA, replace(PIZZA.mask, custom=drawn)))
    page.get_by_role("button", name="Undo", exact=True).click()
    assert_weights(page, PIZZA)

    walk = page.locator("section").filter(has=page.get_by_label("Operation"))
    titles = [screen.title for screen in screens_of(PIZZA)]
    onward = walk.get_by_role("button", name="Next")
    for title in titles[1:]:
        onward.click()
        expect(walk.get_by_role("heading", level=3).first).to_have_text(title)
    expect(onward).to_be_disabled()
    walk.get_by_role("button", name="One more").click()
    expect(walk.locator(".plot-walk-said")).to_contain_text("=")


def test_there_is_no_violation(open_file: OpenFile, pizza: bytes) -> None:
    page = open_file(pizza)
    pick(plot_at(page), X, 0, 1, COLUMNS)
    page.locator(".plot-where-from:visible h2").wait_for()
    assert violations_in_each_theme(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    assert violations(page) == []  # colors are the same on a phone


def test_a_tour_goes_from_stop_to_stop_and_back_and_one_that_is_too_large_keeps_its_words(
    open_file: OpenFile,
) -> None:
    names = ("pizza", "causal", "eight-tokens-512")
    stops = [stop_of(load_example(name), name) for name in names]
    page = open_file(saved_page("Two", stops))
    expect(page.get_by_label("Stop")).to_have_value("0")
    page.get_by_role("button", name="Next").first.click()
    expect(page.get_by_label("Stop")).to_have_value("1")
    page.locator(".plot[data-painted]").first.wait_for()
    page.go_back()
    expect(page.get_by_label("Stop")).to_have_value("0")
    page.get_by_label("Stop").select_option("2")
    expect(page.locator(".stop")).to_contain_text("1,053,184 numbers, too many")
    page.get_by_role("button", name="Light or dark").click()
    page.get_by_role("button", name="Back").first.click()
    page.locator(".plot[data-painted]").first.wait_for()


def test_a_layer_that_is_too_large_is_refused() -> None:
    with pytest.raises(OptionError, match="at most 524,288 numbers, got 1,053,184"):
        saved_page("Wide", [stop_of(load_example("eight-tokens-512"), "Wide")])


def test_it_is_small_and_the_same_each_time(pizza: bytes) -> None:
    assert len(pizza) < 150_000
    # Of the program, the data, the stop, its walkthrough, and what unpacks them: none ends within.
    assert pizza.count(b"</script") == 5
    again = saved_page("Pizza", [stop_of(PIZZA, "Pizza")], "http://localhost/?example=pizza")
    assert again == pizza


def test_random_numbers_in_eight_heads_of_16_tokens_are_small_too() -> None:
    s = self_attention(16, 64, 8)
    assert len(saved_page("Random", [stop_of(s, "Random")])) < 300_000


SHARP = "saturated"
AWKWARD: dict[str, Callable[[], Scenario]] = {
    "one token": lambda: self_attention(1, 1, 1, tokens=("a",)),
    "128 tokens": lambda: self_attention(128, 4, 2),
    "hostile words": lambda: with_tokens(PIZZA, (HOSTILE, "=1+1", "\\input{x}", "שלום")),
    "two sequences": lambda: load_example("translation"),
    "a naive softmax": lambda: replace(
        load_example(SHARP), scores=replace(load_example(SHARP).scores, softmax="naive")
    ),
}


@pytest.mark.parametrize("kind", AWKWARD)
def test_an_awkward_layer_is_shown_too(open_file: OpenFile, kind: str) -> None:
    s, title = AWKWARD[kind](), f"{kind}: {HOSTILE}"
    page = open_file(saved_page(title, [stop_of(s, title)]))
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator(".checked")).to_contain_text("Checked:")
    assert page.locator("img").count() == 0
    heads = plot_named(page, "The heads").first
    heads.locator(".plot-stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    heading = page.locator(".plot-where-from:visible h2")
    expect(heading).to_contain_text(distinct_names(s.tokens)[0])


def two_layers() -> tuple[StackTrace, bytes]:
    traces = attend(with_prediction(with_layer_count(as_stack(PIZZA), 2), True))
    stops = [
        replace(stop_of(trace.scenario, f"Layer {number}"), trace=trace)
        for number, trace in enumerate(traces.layers, 1)
    ]
    return traces, saved_page("Two", [stop_of_layer(stop, traces) for stop in stops])


def test_a_number_of_the_first_layer_moves_all_above_it(open_file: OpenFile) -> None:
    traces, made = two_layers()
    page = open_file(made)
    expect(page.locator(".checked")).to_contain_text("Checked: this page computed all")
    layers = plot_named(page, "All layers")
    pick(plot_at(page), X, 0, 1, COLUMNS)
    page.keyboard.type("-2,5")
    page.keyboard.press("Enter")
    changed = with_matrix(PIZZA, "x", with_x(-2.5).x)
    then = attend(replace(traces.stack, layers=(changed, *traces.stack.above)))
    assert then.logits is not None
    wait_for_numbers(layers, "x", changed.x)
    numbers_above = {
        "2.x": then.stream[1],
        "2.weights/1": then.layers[1].weights[1],
        "logits": then.logits,
    }
    for name, numbers in numbers_above.items():
        found = np.nan_to_num(exact_numbers(layers, name))
        np.testing.assert_allclose(found, numbers, rtol=0, atol=1e-12)
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(layers, "2.x", traces.stream[1])
    page.locator("header").get_by_role("button", name="Next").click()
    expect(page.locator(".sentence")).to_contain_text("On this page it is given.")
    assert exact_numbers(plot_named(page, "The heads"), "weights/0").shape == (4, 4)


def test_a_layer_that_is_too_large_shows_its_heads_which_stand_still(open_file: OpenFile) -> None:
    s = load_example("pizza-1024")
    page = open_file(saved_page("Wide", [stop_of(s, "Wide")], may_be_still=True))
    expect(page.get_by_text("too many for a page in one file")).to_be_visible()
    assert_weights(page, s)
    expect(plot_at(page)).to_have_count(0)  # W_Q alone has a million numbers
    plot_named(page, "The heads").click()
    expect(page.locator(".plot-where-from:not([hidden])")).to_have_count(0)
    assert violations(page) == []
