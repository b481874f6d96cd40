"""The heads of the page in an order of a person's own."""

from __future__ import annotations

import pytest

from mha_core import attend
from mha_core.examples import load_example
from mha_core.reading.head_orders import ORDERS, heads_in_order
from mha_core.reading.sentences import all_readings
from tests.pages.visitor import Visitor

SAME_TWICE = "tokens=A+B+C+A+B+D&heads=8&d_model=16&d_k=6&x=one_hot_position&weights=all_patterns"


def heads_in_picture(visitor: Visitor) -> list[int]:
    names = [m["name"] for m in visitor.plots["heads"]["figure"]["matrices"]]
    return [int(name.split("/")[1]) for name in names if name.startswith("weights")]


@pytest.mark.parametrize("by", ORDERS)
def test_the_picture_and_the_words_have_one_order(by: str) -> None:
    visitor = Visitor("example=long").enter("order", by)
    trace = attend(load_example("long"))
    order = list(heads_in_order(trace, all_readings(trace), by))
    assert heads_in_picture(visitor) == order
    places = [
        visitor.words.index(f"Head {head + 1}", visitor.words.index("What to look"))
        for head in order
    ]
    assert places == sorted(places)
    assert visitor.address.get("order", "number") == by
    assert Visitor(f"example=long&order={by}").view.order == by


def test_equal_heads_are_said_once() -> None:
    visitor = Visitor(SAME_TWICE)
    assert "Heads 1 and 7 Each token but the first looks at the one before it" in " ".join(
        visitor.words.split()
    )
    assert visitor.words.count("looks at the one before it") == 1


def test_by_effect_each_head_says_what_the_output_is_without_it() -> None:
    visitor = Visitor(SAME_TWICE).enter("order", "effect")
    assert visitor.words.count("Without it, the output ") == 8


def test_two_heads_need_no_order() -> None:
    assert not Visitor("example=pizza").has("order")
    assert Visitor("example=pizza&heads=4").has("order")


def test_pages_of_heads_follow_the_order() -> None:
    wide = "example=two-tokens&heads=32&d_model=32&x=random&weights=random"
    visitor = Visitor(wide).enter("order", "focus")
    trace = attend(visitor.scenario)
    order = list(heads_in_order(trace, all_readings(trace), "focus"))
    assert heads_in_picture(visitor) == order
    assert heads_in_picture(visitor.enter("page", 1)) == order[:16]
    assert not visitor.has("order")  # the choice ran the pictures alone
    assert heads_in_picture(visitor.run().enter("page", 2)) == order[16:]


def test_a_wrong_order_in_the_address_is_said() -> None:
    (error,) = Visitor("example=pizza&order=colour").errors
    assert "order in the address must be one of number, pattern" in error
