"""All heads of a model in one file.

Takes long: each test opens a page in a browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core import head_map, open_model
from mha_core.io.tensors.opening import tensors_of
from mha_core.trained.numbers import FILE
from tests.browser.test_accessibility import PHONE, violations
from tests.browser.test_saved_page import violations_in_each_theme
from tests.pages.small_model import model_file
from ui.notebook import show

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import OpenFile

TEXT = "Mila Stone met Leo Snow. Then Mila Stone thanked Leo Snow."
HEADS = ".head-tiles .row button"


@pytest.fixture(scope="module")
def heads() -> bytes:
    return show(head_map(open_model(FILE).on(TEXT), "Our model")).page


def large(page: Page) -> Locator:
    return page.locator(".head-tiles .large")


def test_heads_come_in_another_order_and_a_pressed_one_stands_large(
    open_file: OpenFile, heads: bytes
) -> None:
    page = open_file(heads, shows=HEADS)
    expect(page.locator(HEADS)).to_have_count(8)
    page.get_by_role("combobox", name="Sort by").select_option("Previous token")
    first = page.locator(HEADS).first
    expect(first).to_contain_text("Layer 1, head 1")
    first.click()
    expect(large(page)).to_contain_text("Layer 1, head 1: Previous token")
    expect(large(page).locator(".down span").nth(3)).to_have_text("Leo")
    first.click()
    expect(large(page)).to_have_count(0)


def test_a_long_text_has_pictures_without_words(open_file: OpenFile) -> None:
    made = show(head_map(open_model(FILE).on(" ".join(["Mila met Leo."] * 9)))).page
    page = open_file(made, shows=HEADS)
    page.locator(HEADS).nth(5).click()
    expect(large(page).locator("canvas")).to_be_visible()
    expect(large(page).locator(".down")).to_have_count(0)


def test_no_violation_of_accessibility_on_a_phone(open_file: OpenFile, heads: bytes) -> None:
    page = open_file(heads, shows=HEADS, viewport=PHONE)
    page.locator(HEADS).first.click()
    assert violations_in_each_theme(page) == []


def test_many_heads_are_a_map_with_the_one_that_is_looked_at_beside_it(open_file: OpenFile) -> None:
    model = open_model(tensors_of("many.npz", model_file(heads=40, width=80)))
    page = open_file(show(head_map(model.on("a b c a b"))).page, shows=HEADS)
    page.locator(HEADS).nth(40 + 6).click()
    beside = page.locator(".looked-at")
    expect(beside).to_contain_text("Layer 2, head 7: ")
    across = beside.locator(".across span")
    expect(across).to_have_count(5)
    canvas = beside.locator("canvas").bounding_box()
    last = across.last.bounding_box()
    assert canvas
    assert last
    assert last["x"] + last["width"] == pytest.approx(canvas["x"] + canvas["width"], abs=2)
    expect(large(page)).to_have_count(0)
    assert violations(page) == []
