"""The page of real layers, as a person works there.

Takes long: a page of its own in a browser, with axe in both themes and at a phone's width.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from playwright.sync_api import TimeoutError, expect

from mha_core.models.by_hand.layer_by_hand import LayerByHand
from tests.browser.hands import pick, saved, tap
from tests.browser.reading import (
    LOOK_AGAIN,
    exact_numbers,
    plot_named,
    wait_for_first_run,
    wait_for_the_end_of_the_run,
    wait_until,
)
from tests.browser.test_accessibility import (
    BESIDE_THE_SIDEBAR,
    OF_PLACES,
    PHONE,
    PROJECTOR,
    violations,
    violations_in_both_themes,
)
from tests.browser.test_kept_in_tab import KEPT
from tests.pages.small_model import file_of, model_file, model_with_decoder, odd_file
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

MANY: bytes = model_file(heads=16, width=32, places=20, layers=24, spread=0.1)
AT_THE_TOP: str = "() => document.querySelector('.stMain').scrollTop === 0"
OVERFLOWS: str = "document.documentElement.scrollWidth > innerWidth"


def heads_of(page: Page) -> Locator:
    return page.locator(".head-tiles").first.locator(".row button")


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


def looks_at_a_weight(page: Page, matrix: str, row: int, column: int, columns: int) -> Locator:
    """Pick a weight and ask why it looks there. Returns the table that answers."""
    wait_until(page, AT_THE_TOP)  # it goes there by itself, a little later
    pick(plot_named(page, "Scores"), matrix, row, column, columns)
    page.get_by_text("Why does it look there?").click()
    return page.locator(".checked.parts table")


def test_from_a_file_to_the_explorer_and_back_and_on_with_hidden_states(page: Page) -> None:
    visit(page, "/real_layers?decoder=g h")
    expect(heads_of(page)).to_have_count(8)
    page.get_by_role("button", name="Open a file").click()
    give(page, "real-file", "both.npz", model_with_decoder())
    expect(page.get_by_text("Its decoder has 3 layers")).to_be_visible()  # it was read
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()  # nothing lies over the heads
    enter(page, "What it reads", "c d e f")
    expect(page).to_have_url(re.compile("text=c\\+d\\+e\\+f"))
    expect(heads_of(page)).to_have_count(24)

    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 150, behavior: 'instant' })")
    heads_of(page).last.click()
    title = "both.npz: Decoder, layer 3, cross"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_text("Head 3", exact=True).first).to_be_visible()
    wait_for_the_end_of_the_run(page)
    table = looks_at_a_weight(page, "weights/2", 2, 1, columns=4)
    expect(table.get_by_role("columnheader", name="Encoder, layer 2: head 1")).to_be_visible()
    expect(table.get_by_role("rowheader", name="Decoder, layer 3: head 1")).to_be_visible()

    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 0, behavior: 'instant' })")
    page.get_by_role("link", name="Real layers").click()
    expect(heads_of(page)).to_have_count(24)  # what was opened is still there
    page.get_by_role("button", name="X from a file").click()
    states = np.arange(36.0).reshape(3, 12)
    give(page, "real-states", "states.npz", file_of({"x": states, "other": -states}))
    page.get_by_role("combobox", name=re.compile("^X of")).click()
    page.get_by_role("option", name="other: 3 × 12").click()
    page.get_by_text("They are normed already").click()
    page.get_by_role("button", name="Open the layer").click()
    title = "both.npz: Encoder, layer 1, X from a file"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    np.testing.assert_array_equal(exact_numbers(plot_named(page, "Scores"), "x"), -states)


def test_a_score_is_told_in_parts_and_again_after_a_reload(page: Page) -> None:
    visit(page, "/real_layers?text=Mila Stone met Mila Stone")
    heads_of(page).nth(5).click()
    heads = plot_named(page, "Scores")
    heads.wait_for()
    wait_for_the_end_of_the_run(page)
    table = looks_at_a_weight(page, "weights/1", 4, 2, columns=5)
    of_layer_1 = table.get_by_role("columnheader", name="head 4 of layer 1")
    expect(of_layer_1).to_be_visible()
    expect(table.get_by_role("rowheader", name="word “Stone”")).to_be_visible()
    page.set_viewport_size(PHONE)
    assert not page.evaluate(OVERFLOWS)
    page.set_viewport_size(PROJECTOR)

    wait_until(page, f"() => {KEPT} && !location.search.includes('text=')")
    page.reload()
    page.get_by_role("button", name="Bring them back").click()
    expect(heads.locator('[data-matrix="weights/1"][data-rows="5"]')).to_be_visible()
    wait_for_the_end_of_the_run(page)  # until then the picture may move
    looks_at_a_weight(page, "weights/1", 4, 2, columns=5)
    expect(of_layer_1).to_be_visible()


def test_a_kind_in_the_legend_leaves_its_heads_bright_and_sentences_of_ones_own_tell_of_a_head(
    page: Page,
) -> None:
    visit(page, "/real_layers?first=off")
    chips = page.locator(".head-tiles .legend button")
    chips.first.click()
    count = int(chips.first.inner_text().split()[-1])
    assert 0 < count < 8
    expect(page.locator(".row button:not(.is-pale)")).to_have_count(count)
    chips.first.click()
    expect(page.locator(".row button.is-pale")).to_have_count(0)

    page.get_by_role("button", name="Own sentences").click()
    met = ("Mila Stone met Leo Snow.", "Leo Snow met Mila Stone.", "Then Anna met Ben Wood.")
    sentences = [f"{each} {each}" for each in met]  # of what occurs twice, more can be told
    give(page, "real-texts", "own.txt", "\n".join(sentences).encode())
    said = page.get_by_label("A sentence in each line").last  # the field before may still be there
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

    dots = page.locator(".head-dots .field button")
    expect(dots).to_have_count(8)
    dots.nth(5).dispatch_event("click")
    expect(dots.nth(5)).to_have_attribute("aria-pressed", "true")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size(PHONE)
    assert not page.evaluate(OVERFLOWS)
    assert violations(page, OF_PLACES) == []
    tiles.first.click()
    expect(page.get_by_role("heading", name="Two layers that copy")).to_be_visible()


def test_a_file_that_no_family_knows_is_mapped_by_hand_until_a_head_opens(page: Page) -> None:
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    give(page, "real-file", "odd.npz", odd_file(gains=np.full(8, 0.5)))
    expect(page.get_by_role("heading", name="Map a layer by hand")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("The number of heads must be")).to_be_visible()
    assert violations(page) == []
    enter(page, "Number of heads", "2")
    expect(page.get_by_text("All shapes fit: X has 16 columns")).to_be_visible()
    expect(page.get_by_text("a forgotten transpose gives other heads")).to_be_visible()
    choose(page, "Positions", "RoPE")
    choose(page, "Pairs", "Halves")
    page.get_by_text("More", exact=True).click()
    choose(page, "Gains of queries", "gains: 8")
    expect(page.get_by_role("combobox", name="Norm of Q and K")).to_have_value("Each head")
    assert violations_in_both_themes(page, BESIDE_THE_SIDEBAR) == []
    page.set_viewport_size(PHONE)
    assert not page.evaluate(OVERFLOWS)
    page.set_viewport_size(PROJECTOR)

    name, mapping = saved(page, "Keep the mapping")
    assert name == "odd-npz-mapping.json"
    assert LayerByHand.from_json(mapping).n_heads == 2

    choose(page, "Heads to open", "head 2")
    page.get_by_label("Columns that turn", exact=True).fill("2")
    page.get_by_label("What it reads", exact=True).fill("the cat sat")
    page.get_by_role("button", name="Open the layer").click()  # which enters what was typed
    title = "odd.npz, layer 1, head 2, X made from words"
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_text("The first 2 columns of each head turn.").first).to_be_visible()
    wait_for_first_run(page)
    looks_at_a_weight(page, "weights/0", 2, 1, columns=3)
    expect(page.get_by_text("The model did not make X here")).to_be_visible()


# One of the 24 layers: the others are like it.
IN_THE_MAP: dict[str, list[str]] = {
    "include": [".head-tiles"],
    "exclude": [".map .row:nth-child(n+3)"],
}
HAS_ROOM: str = """() => {
    const map = document.querySelector('.map');
    const box = map.querySelector('.box');
    const [head] = map.getElementsByTagName('button');
    const isWhole = box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
    return isWhole && map.offsetHeight < innerHeight && head.offsetWidth >= 14;
}"""


def test_all_heads_of_a_large_model_are_seen_at_once_by_finger_pointer_legend_order_and_keys(
    page: Page,
) -> None:
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    give(page, "real-file", "small.npz", MANY)
    expect(heads_of(page)).to_have_count(24 * 16)
    expect(page.get_by_test_id("stPopoverBody")).to_be_hidden()
    looked_at = page.locator(".head-tiles .map .looked-at p")

    page.set_viewport_size(PHONE)
    wait_until(page, HAS_ROOM)
    assert not page.evaluate(OVERFLOWS)
    assert violations(page, OF_PLACES, IN_THE_MAP) == []
    head = heads_of(page).nth(16 + 2)
    tap(head)
    expect(looked_at).to_contain_text("Layer 2, head 3: ")
    tap(head)
    expect(page.get_by_role("heading", name="small.npz: Layer 2")).to_be_visible()

    page.set_viewport_size(PROJECTOR)
    page.get_by_role("link", name="Real layers").click()
    expect(heads_of(page)).to_have_count(24 * 16)
    wait_until(page, HAS_ROOM)
    heads_of(page).nth(2 * 16 + 4).hover()
    expect(looked_at).to_contain_text("Layer 3, head 5: ")
    assert violations_in_both_themes(page, IN_THE_MAP) == []

    page.locator(".legend button").last.focus()
    for key in ("Tab", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(heads_of(page).nth(2 * 16 + 1)).to_be_focused()
    expect(looked_at).to_contain_text("Layer 3, head 2: ")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Open this head")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Read them all")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(heads_of(page).nth(2 * 16 + 1)).to_be_focused()

    choose(page, "Sort by", "Entropy")
    first = heads_of(page).first
    expect(first).to_have_class(re.compile("is-looked-at"))
    expect(looked_at).to_have_text(first.get_attribute("aria-label") or "-")
    page.locator(".head-tiles .legend button").last.click()
    first_bright = page.locator(".row button:not(.is-pale)").first
    expect(first_bright).to_have_class(re.compile("is-looked-at"))
    label = first_bright.get_attribute("aria-label") or "-"
    expect(looked_at).to_have_text(label)
    first_bright.press("Enter")
    layer, head = re.findall(r"\d+", label)[:2]
    expect(page.get_by_role("heading", name=f"small.npz: Layer {layer}")).to_be_visible()
    expect(page.get_by_text(f"Head {head}: mostly")).to_be_visible()
