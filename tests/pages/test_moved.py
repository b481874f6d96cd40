"""What moved: the switch, its part of the address, and what is sent to the pictures."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import attend
from mha_core.examples import load_example
from tests.pages.visitor import Visitor

PIZZA = load_example("pizza")
PICTURES = ("heads", "together", "into the heads", "Head 2", "contributions")
EVERYTHING = "example=pizza&open=into&head=2"


def words(visitor: Visitor, picture: str = "heads") -> str:
    said: str = visitor.plots[picture]["figure"]["words"]
    return said


def test_with_the_switch_off_nothing_more_is_sent() -> None:
    visitor = Visitor(EVERYTHING)
    before = {len(data) for data in visitor.sent}
    visitor.enter("moved", "before").enter("moved", "off")
    assert {len(data) for data in visitor.sent} == before
    assert visitor.address == {"example": "pizza", "open": "into", "head": "2"}
    for plot in visitor.plots.values():
        assert "words" not in plot["figure"]


def test_the_switch_is_in_the_address_and_a_link_sets_it() -> None:
    visitor = Visitor("example=pizza").enter("moved", "example")
    assert visitor.address == {"example": "pizza", "moved": "example"}
    again = Visitor("example=pizza&moved=before")
    assert again.shows("moved") == "before"
    assert words(again) == "Nothing has moved."


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_shows_what_moved(picture: str) -> None:
    visitor = Visitor(EVERYTHING + "&moved=before").enter("scale", "2").enter("scale", "3")
    then = visitor.session.compared_with("before")
    assert then is not None
    assert then.scenario.scores.scale == 2.0
    plot = visitor.plots[picture]["figure"]
    for matrix in plot["matrices"]:
        name, _, head = matrix["name"].partition("/")
        source = then if hasattr(then, name) else then.scenario
        numbers = getattr(source, name)[int(head)] if head else getattr(source, name)
        shown = matrix["before"].T if matrix["transposed"] else matrix["before"]
        assert np.array_equal(shown, np.where(np.isnan(shown), np.nan, numbers), equal_nan=True)
    assert words(visitor, picture)


def test_the_picture_in_which_a_mask_is_drawn_shows_what_moved_too() -> None:
    visitor = Visitor("example=pizza&moved=before").mask_by()
    drawn = visitor.plots["mask"]["figure"]
    assert drawn["words"] == "The largest change: Mask, query I, key LOVE, from 0.00 to 1.00."
    (added,) = visitor.plots["additive"]["figure"]["matrices"]
    assert not np.any(added["before"])


def test_the_largest_change_is_said_and_undo_turns_it_round() -> None:
    visitor = Visitor("example=pizza&moved=before").enter("scale", "1")
    assert words(visitor).endswith("Output, query PIZZA, output 5, from −0.49 to −0.61.")
    visitor.enter("scale", "2").press("Undo")
    assert words(visitor).endswith("Output, query PIZZA, output 5, from −0.49 to −0.61.")
    visitor.press("Undo")
    assert words(visitor) == "Nothing has moved."


def test_a_change_of_the_view_alone_is_no_change() -> None:
    visitor = Visitor("example=pizza&moved=before").enter("scale", "1").enter("values", False)
    assert words(visitor).startswith("The largest change: Output")


def test_the_example_is_the_other_end_however_many_changes_there_were() -> None:
    visitor = Visitor("example=pizza&moved=example").enter("scale", "2").enter("scale", "3")
    matrices = visitor.plots["heads"]["figure"]["matrices"]
    (scores,) = (each for each in matrices if each["name"] == "masked_scores/0")
    seen = np.where(attend(PIZZA).mask, attend(PIZZA).masked_scores[0], np.nan)
    assert np.array_equal(scores["before"], seen, equal_nan=True)
    assert words(visitor).startswith("The largest change from the example: Output")


def test_other_sizes_cannot_be_compared_and_the_picture_says_so() -> None:
    visitor = Visitor("example=pizza&moved=before").enter("tokens", "a b c d e")
    said = "Before, there were 4 tokens, now 5: what cannot be compared shows its numbers."
    assert words(visitor) == said
    visitor = Visitor("example=pizza&moved=example&page=1").enter("heads", 8)
    assert "In the example, there were 2 heads, now 8" in words(visitor)
