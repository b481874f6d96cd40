"""The page for a lecture, without a browser: what is offered, of scenarios and of tours."""

from __future__ import annotations

import pytest

from mha_core.guide.tours import TOURS
from tests.pages.page_visitor import PageVisitor
from ui.blocks.for_class.slides_of_a_tour import slides_of_tour
from ui.prints.grounds import GROUNDS
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


@pytest.mark.parametrize("example", ["two-tokens", "translation", "long", "pizza-1024"])
def test_every_offer_is_there_for_every_kind_of_layer(example: str) -> None:
    lecturer = Lecturer(f"example={example}")
    for offer in ("Pictures", "Slides", "Handout", "Worksheets", "Lecture pack"):
        lecturer.choose(offer)
        assert any(label.startswith("Save") for label in lecturer.buttons), offer


def test_only_worksheets_that_can_be_made_are_offered() -> None:
    lecturer = Lecturer().choose("Worksheets")
    widths = lecturer.at.selectbox(key="sheet-width")
    assert widths.options == ["2", "3", "4", "6", "8"]
    widths.set_value(8)
    lecturer.run()
    assert lecturer.at.selectbox(key="sheet-heads-8").options == ["2", "4"]
    lecturer.enter("sheet-tokens", 2)
    masks = [box for box in lecturer.at.selectbox if (box.key or "").startswith("sheet-mask")]
    assert all("Padding" not in option for box in masks for option in box.options)


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
