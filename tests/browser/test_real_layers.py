"""The page of real layers, as a person works there.

Takes long: a page of its own in a browser, with axe in both themes and at a phone's width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.hands import pick
from tests.browser.reading import (
    LOOK_AGAIN,
    exact_numbers,
    plot_named,
    wait_for_first_run,
    wait_for_the_end_of_the_run,
    wait_until,
)
from tests.browser.test_accessibility import violations, violations_in_both_themes
from tests.browser.test_kept_in_tab import KEPT
from tests.pages.small_model import file_of, model_file, model_with_decoder, odd_file
from tests.serving import AppServer, served
from tests.visitors import Visitors, forget, visit
from ui.machine.own_machine import VARIABLE as OWN_MACHINE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

FILE: Any = {"name": "small.npz", "mimeType": "application/zip", "buffer": model_file()}
ODD: bytes = odd_file()
MANY: Any = {**FILE, "buffer": model_file(heads=16, width=32, places=20, layers=24, spread=0.1)}
AT_THE_TOP: str = "() => document.querySelector('.stMain').scrollTop === 0"
OVERFLOWS: str = "document.documentElement.scrollWidth > innerWidth"


def heads_of(page: Page) -> Locator:
    return page.locator(".head-tiles").first.locator(".row button")


def test_from_a_file_to_the_explorer(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    expect(heads_of(page)).to_have_count(8)
    page.get_by_role("button", name="Open a file").click()
    page.locator("[class*=real-file] input[type=file]").set_input_files(FILE)
    expect(page.get_by_text("2 heads of width 4")).to_be_visible()  # it was read
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()  # nothing lies over the heads
    text = page.get_by_label("What it reads")
    text.fill("a b c a b")
    text.press("Enter")
    expect(heads_of(page)).to_have_count(4)
    expect(page).to_have_url(re.compile("text=a\\+b\\+c\\+a\\+b"))

    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 150, behavior: 'instant' })")
    heads_of(page).nth(3).click()
    expect(page.get_by_role("heading", name="small.npz: Layer 2")).to_be_visible()
    expect(page.get_by_text("Head 2", exact=True).first).to_be_visible()
    wait_until(page, AT_THE_TOP)
    page.get_by_role("link", name="Real layers").click()
    expect(heads_of(page)).to_have_count(4)  # what was opened is still there


def test_a_score_of_an_opened_head_is_told_in_parts(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?text=Mila Stone met Leo Snow. Then Mila Stone")
    heads_of(page).nth(5).click()
    heads = plot_named(page, "Scores")
    heads.wait_for()
    wait_for_the_end_of_the_run(page)
    wait_until(page, AT_THE_TOP)  # it goes there by itself, a little later
    pick(heads, "weights/1", 8, 2, columns=9)
    page.get_by_text("Why does it look there?").click()
    table = page.locator(".checked.parts table")
    expect(table.get_by_role("columnheader", name="head 4 of layer 1")).to_be_visible()
    expect(table.get_by_role("rowheader", name="word “Stone”")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)


def test_many_sentences_tell_what_a_head_does(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Read them all").click()
    dots = page.locator(".head-dots .field button")
    expect(dots).to_have_count(8)
    dots.nth(5).dispatch_event("click")
    expect(dots.nth(5)).to_have_attribute("aria-pressed", "true")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    assert violations(page) == []


def test_a_file_that_no_family_knows_is_mapped_by_hand(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    page.locator("[class*=real-file] input[type=file]").set_input_files(
        {"name": "odd.npz", "mimeType": "application/zip", "buffer": ODD}
    )
    expect(page.get_by_role("heading", name="Map a layer by hand")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("The number of heads must be")).to_be_visible()
    assert violations(page) == []
    heads = page.get_by_label("Number of heads")
    heads.fill("2")
    heads.press("Enter")
    expect(page.get_by_text("All shapes fit: X has 16 columns")).to_be_visible()
    expect(page.get_by_text("a forgotten transpose gives other heads")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Open the layer").click()
    expect(page.get_by_role("heading", name="odd.npz, layer 1, X made from words")).to_be_visible()
    wait_for_first_run(page)
    pick(plot_named(page, "Scores"), "weights/1", 2, 1, columns=7)
    page.get_by_text("Why does it look there?").click()
    expect(page.get_by_text("The model did not make X here")).to_be_visible()


def choose(page: Page, label: str, option: str) -> None:
    """Choose in a list. A run that ends meanwhile closes it: then it is opened again."""
    field = page.get_by_role("combobox", name=label, exact=True)
    wanted = page.get_by_role("option", name=option, exact=True)
    field.click()
    while field.input_value() != option:
        if field.get_attribute("aria-expanded") == "false":
            field.click()
        elif wanted.is_visible():
            with suppress(TimeoutError):  # it went with its list
                wanted.click(timeout=1e3)
        page.wait_for_timeout(LOOK_AGAIN)


def enter(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def give(page: Page, field: str, name: str, data: bytes) -> None:
    """Choose a file in the field with this key."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator(f".st-key-{field} input[type=file]").set_input_files(file)


def test_a_layer_of_a_file_that_says_nothing_is_mapped_until_a_head_opens(
    new_page: NewPage,
) -> None:
    rng = np.random.default_rng(0)
    matrices = {name: rng.standard_normal((8, 8)) for name in ("one", "two", "three", "four")}
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    give(page, "real-file", "plain.npz", file_of({**matrices, "gains": np.full(4, 0.5)}))
    expect(page.get_by_role("heading", name="Map a layer by hand")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("got none for W_Q, W_K, W_V, W_O.")).to_be_visible()
    for label, name in zip(("W_Q", "W_K", "W_V", "W_O"), matrices, strict=True):
        choose(page, label, f"{name}: 8 × 8")
    enter(page, "Number of heads", "2")
    expect(page.get_by_text("All shapes fit: X has 8 columns; 2 heads of width 4.")).to_be_visible()
    choose(page, "Positions", "RoPE")
    choose(page, "Pairs", "Halves")
    page.get_by_text("More", exact=True).click()
    choose(page, "Gains of queries", "gains: 4")
    expect(page.get_by_role("combobox", name="Norm of Q and K")).to_have_value("Each head")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    page.set_viewport_size({"width": 1280, "height": 720})
    choose(page, "Heads to open", "head 2")
    page.get_by_label("Columns that turn", exact=True).fill("2")
    page.get_by_label("What it reads", exact=True).fill("the cat sat")
    page.get_by_role("button", name="Open the layer").click()  # which enters what was typed
    title = "plain.npz, layer 1, head 2, X made from words"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_text("The first 2 columns of each head turn.").first).to_be_visible()


def test_sentences_of_ones_own_are_read_from_a_file(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Own sentences").click()
    sentences = ["Mila Stone met Leo Snow.", "Leo Snow met Mila Stone.", "Then Anna met Ben Wood."]
    give(page, "real-texts", "own.txt", "\n".join(sentences).encode())
    said = page.get_by_label(
        "A sentence in each line"
    ).last  # for a moment, the field before is there too
    expect(said).to_have_value("\n".join(sentences))
    page.keyboard.press("Escape")
    expect(page.get_by_text("Here all heads read 3 sentences.")).to_be_visible()
    page.get_by_role("button", name="Read them all").click()
    expect(page.get_by_text("Over 3 sentences")).to_be_visible()
    spread = page.locator(".share-bars")
    told = (spread.get_attribute("aria-label") or "").split("; ")
    assert sum(int(each.split(": ")[1].split()[0]) for each in told) == len(sentences)
    tiles = page.locator(".head-tiles").last.locator(".row button")
    expect(tiles).to_have_count(len(sentences))
    tiles.first.click()
    expect(page.get_by_role("heading", name="Two layers that copy")).to_be_visible()


def test_a_layer_opens_with_hidden_states_of_a_file(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    give(page, "real-file", "small.npz", model_file())
    expect(page.get_by_text("2 heads of width 4")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="X from a file").click()
    states = np.arange(24.0).reshape(3, 8)
    give(page, "real-states", "states.npz", file_of({"x": states, "other": -states}))
    page.get_by_role("combobox", name=re.compile("^X of")).click()
    page.get_by_role("option", name="other: 3 × 8").click()
    page.get_by_role("button", name="Open the layer").click()
    expect(page.get_by_role("heading", name="small.npz: Layer 1, X from a file")).to_be_visible()
    numbers = exact_numbers(plot_named(page, "Scores"), "x")
    np.testing.assert_array_equal(numbers, -states)


@pytest.fixture
def own_machine(tmp_path: Path) -> Iterator[AppServer]:
    """A server for one person, where a package is missing and a fake pip brings it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OWN_MACHINE, "1")
        patch.setenv("TEST_MODEL_CAME", str(tmp_path / "came"))
        fake = Path(__file__).with_name("own_machine")
        with served("app.py", tmp_path / "server.log", before_all=fake) as server:
            yield server


def test_a_button_installs_a_model_that_is_missing(
    open_visitor: Visitors, own_machine: AppServer
) -> None:
    page = open_visitor(base_url=own_machine.url, viewport={"width": 1280, "height": 720})
    page.goto("/real_layers")
    expect(heads_of(page)).to_have_count(8)
    page.get_by_role("button", name="Open a file").click()
    install = page.get_by_role("button", name="Install glassllm, 3 MB")
    install.click()
    expect(page.get_by_role("combobox", name="Model")).to_have_value("A small model of English")
    expect(install).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text("What to see here")).to_be_visible()
    forget(page, own_machine.url)
    assert "Traceback" not in own_machine.log()


def test_why_there_is_told_again_after_a_reload(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?text=Mila Stone met Leo Snow. Then Mila Stone")
    heads_of(page).nth(5).click()
    plot_named(page, "Scores").wait_for()
    wait_until(page, f"() => {KEPT} && !location.search.includes('text=')")
    page.reload()
    page.get_by_role("button", name="Bring them back").click()
    heads = plot_named(page, "Scores")
    expect(heads.locator('[data-matrix="weights/1"][data-rows="9"]')).to_be_visible()
    pick(heads, "weights/1", 8, 2, columns=9)
    page.get_by_text("Why does it look there?").click()
    table = page.locator(".checked.parts table")
    expect(table.get_by_role("columnheader", name="head 4 of layer 1")).to_be_visible()


def test_a_score_across_is_told_of_both_texts_and_again_when_the_file_is(
    new_page: NewPage,
) -> None:
    def reads_the_file() -> None:
        page.get_by_role("button", name="Open a file").click()
        give(page, "real-file", "both.npz", model_with_decoder())
        expect(page.get_by_text("Its decoder has 3 layers")).to_be_visible()
        page.keyboard.press("Escape")

    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?text=c d e f&decoder=g h")
    reads_the_file()
    expect(heads_of(page)).to_have_count(24)
    heads_of(page).last.click()
    heads = plot_named(page, "Scores")
    heads.wait_for()
    pick(heads, "weights/2", 2, 1, columns=4)
    page.get_by_text("Why does it look there?").click()
    table = page.locator(".checked.parts table")
    of_encoder = table.get_by_role("columnheader", name="Encoder, layer 2: head 1")
    expect(of_encoder).to_be_visible()
    expect(table.get_by_role("rowheader", name="Decoder, layer 3: head 1")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    page.set_viewport_size({"width": 1280, "height": 720})

    wait_until(page, "() => location.search.includes('cell=')")
    page.reload()  # the address has all: it is a link
    page.get_by_text("Why does it look there?").click()
    expect(page.get_by_text("X came from both.npz, which is not open here")).to_be_visible()
    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 0, behavior: 'instant' })")
    page.get_by_role("link", name="Real layers").click()
    reads_the_file()
    page.get_by_role("link", name="Explore").click()
    page.get_by_text("Why does it look there?").click()
    expect(of_encoder).to_be_visible()


def test_a_kind_in_the_legend_leaves_only_its_heads_bright(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?first=off")
    chips = page.locator(".head-tiles .legend button")
    chips.first.click()
    count = int(chips.first.inner_text().split()[-1])
    assert 0 < count < 8
    expect(page.locator(".row button:not(.is-pale)")).to_have_count(count)
    chips.first.click()
    expect(page.locator(".row button.is-pale")).to_have_count(0)


def map_of_many_heads(page: Page) -> Locator:
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    page.locator("[class*=real-file] input[type=file]").set_input_files(MANY)
    expect(heads_of(page)).to_have_count(24 * 16)
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()
    return page.locator(".head-tiles .map")


HAS_ROOM: str = """map => {
    const box = map.querySelector('.box');
    const [head] = map.getElementsByTagName('button');
    const isWhole = box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
    return isWhole && map.offsetHeight < innerHeight && head.offsetWidth >= 14;
}"""


def test_all_heads_of_a_large_model_are_seen_at_once(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    heads = map_of_many_heads(page)
    wait_until(page, f"() => ({HAS_ROOM})(document.querySelector('.map'))")
    heads_of(page).nth(2 * 16 + 4).hover()
    expect(heads.locator(".looked-at p")).to_contain_text("Layer 3, head 5: ")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, f"() => ({HAS_ROOM})(document.querySelector('.map'))")
    assert not page.evaluate(OVERFLOWS)
    assert violations(page) == []


def test_a_kind_in_the_legend_of_the_map_leads_to_its_first_head(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    heads = map_of_many_heads(page)
    chip = page.locator(".head-tiles .legend button").last
    chip.click()
    first = page.locator(".row button:not(.is-pale)").first
    expect(first).to_have_class(re.compile("is-looked-at"))
    expect(heads.locator(".looked-at p")).to_have_text(first.get_attribute("aria-label") or "-")


def test_keys_go_through_the_map_of_a_large_model_and_past_it(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    heads = map_of_many_heads(page)
    page.locator(".legend button").last.focus()
    for key in ("Tab", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(heads_of(page).nth(2 * 16 + 1)).to_be_focused()
    expect(heads.locator(".looked-at p")).to_contain_text("Layer 3, head 2: ")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Open this head")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Read them all")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="small.npz: Layer 3")).to_be_visible()
    expect(page.get_by_text("Head 2: mostly")).to_be_visible()


def test_a_finger_looks_at_a_head_of_the_map_before_it_opens_it(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    heads = map_of_many_heads(page)
    head = heads_of(page).nth(16 + 2)
    head.tap()
    expect(heads.locator(".looked-at p")).to_contain_text("Layer 2, head 3: ")
    head.tap()
    expect(page.get_by_role("heading", name="small.npz: Layer 2")).to_be_visible()


def test_heads_in_another_order_begin_with_the_one_that_is_first(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    heads = map_of_many_heads(page)
    heads_of(page).nth(5).hover()
    expect(heads.locator(".looked-at p")).to_contain_text("Layer 1, head 6: ")
    choose(page, "Sort by", "Entropy")
    first = heads_of(page).first
    expect(first).to_have_class(re.compile("is-looked-at"))
    expect(heads.locator(".looked-at p")).to_have_text(first.get_attribute("aria-label") or "-")
