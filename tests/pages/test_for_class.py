"""The page for a lecture, without a browser: what is offered, of scenarios and of tours."""

from __future__ import annotations

from typing import Any

import pytest

from mha_core.guide.tours import TOURS
from tests.pages.page_visitor import PageVisitor
from ui.blocks.for_class.slides_of_a_tour import slides_of_tour
from ui.figures.grounds import GROUNDS
from ui.prints.sizes import SIZES, box_of
from ui.prints.slides import sheets_of
from ui.state.tour_stops import tour_on_pages


class Lecturer(PageVisitor):
    """A visitor of the page."""

    def __init__(self, address: str = "") -> None:
        super().__init__("for_class.py", address)

    def choose(self, offer: str) -> Lecturer:
        self.enter("offer", offer)
        return self

    def field(self, setting: str) -> Any:
        """The list of what a setting of a worksheet may be."""
        return next(b for b in self.at.selectbox if (b.key or "").startswith(f"sheet-{setting}-"))

    def offered(self, setting: str) -> list[str]:
        options: list[str] = self.field(setting).options
        return options

    def take(self, setting: str, value: Any) -> None:
        self.field(setting).set_value(value)
        self.run()


@pytest.mark.parametrize(
    "example", ["two-tokens", "translation", "long", "pizza-1024", "induction"]
)
def test_every_offer_is_there_for_every_kind_of_layer(example: str) -> None:
    lecturer = Lecturer(f"example={example}")
    for offer in ("Pictures", "Slides", "Handout", "Worksheets", "Lecture pack"):
        lecturer.choose(offer)
        assert any(label.startswith("Save") for label in lecturer.buttons), offer


def test_the_pack_of_several_layers_has_pictures_of_each() -> None:
    captions = [
        each.value for each in Lecturer("example=induction").choose("Lecture pack").at.caption
    ]
    for layer in (1, 2):
        of_layer = [caption for caption in captions if f", layer {layer}:" in caption]
        assert any(caption.startswith("The heads.") for caption in of_layer)
    captions = [each.value for each in Lecturer("example=causal").choose("Lecture pack").at.caption]
    assert not any(", layer" in caption for caption in captions)


def test_all_files_may_have_a_title_of_ones_own() -> None:
    lecturer = Lecturer().choose("Slides").enter("view-title", "  Lecture 3:  heads ")
    slides = next(box for box in lecturer.at.selectbox if box.label == "Look at a slide")
    assert slides.options[0] == "1. Lecture 3: heads"
    assert lecturer.address["title"] == "Lecture 3: heads"
    lecturer.enter("view-title", " ")
    slides = next(box for box in lecturer.at.selectbox if box.label == "Look at a slide")
    assert slides.options[0] == "1. The cat sees the other cat"


def test_only_worksheets_that_can_be_made_are_offered() -> None:
    lecturer = Lecturer().choose("Worksheets")
    assert lecturer.offered("d_model") == ["2", "3", "4", "6", "8"]
    assert any("Padding" in mask for mask in lecturer.offered("mask"))
    lecturer.take("d_model", 8)
    assert lecturer.offered("n_heads") == ["2", "4"]
    lecturer.take("n_tokens", 2)
    assert not any("Padding" in mask for mask in lecturer.offered("mask"))


def test_a_worksheet_leads_to_the_page_where_it_is_filled_in() -> None:
    lecturer = Lecturer().choose("Worksheets").enter("sheet-seed", 7)
    assert lecturer.links["Fill it in on a page"] == {"seed": "7"}


@pytest.mark.parametrize("name", TOURS)
def test_every_tour_becomes_slides_that_fit(name: str) -> None:
    tour = tour_on_pages(name)
    slides = slides_of_tour(tour)
    assert [slide.sentence for slide in slides[1:]] == [stop.sentence for stop in tour.stops]
    for slide, sheet in zip(
        slides, sheets_of(slides, SIZES["slide"], GROUNDS["light"]), strict=True
    ):
        box = box_of(sheet.marks)
        assert min(box.left, box.top) >= 0, slide.title
        assert box.right <= sheet.width, slide.title
        assert box.bottom <= sheet.height, slide.title
