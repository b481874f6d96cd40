"""From the explorer to the comparison and back."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from mha_core.changing.changes import with_matrix, with_weights, with_width
from mha_core.changing.layers import as_stack
from mha_core.comparing.questions import with_one_change
from mha_core.examples import EXAMPLES, load_example, load_stack
from tests.pages.comparison import BOTH, PIZZA, Comparison
from tests.ui.state.working import scale
from ui.state import Session, View


def links(page: Comparison, label: str) -> list[str]:
    """What the links with this label carry to another page."""
    sent = [node.proto for node in page.at.get("page_link")]
    return [p.query_string for p in sent if p.label == label]


def exploring(address: str) -> Comparison:
    """A visitor who is about to leave the explorer for the comparison."""
    page = Comparison(address, page="explore.py")
    page.at.session_state["to-compare"] = True
    return page.run()


def test_what_the_explorer_shows_becomes_a_side() -> None:
    page = exploring("example=pizza&cell=output:1.1")
    scale(page.session, 0.5)
    page.run()
    # Nobody has chosen the other one yet: B is A with one thing changed, A is what was opened.
    for side, both in {
        "A": "a.example=pizza&a.scale=0.5&b.example=pizza&b.scale=none",
        "B": "a.example=pizza&b.example=pizza&b.scale=0.5",
    }.items():
        kept = [dict(parse_qsl(query)) for query in links(page, f"Keep this as {side}")]
        assert kept == [dict(parse_qsl(both))]


@pytest.mark.parametrize("kept", ["A", "B"])
def test_a_side_of_other_sizes_does_not_stay(kept: str) -> None:
    page = exploring("example=pizza")
    for name in ("a", "b"):
        page.at.session_state[f"session {name}"] = Session(load_example("causal"), name=name)
    page.run()
    (query,) = links(page, f"Keep this as {kept}")
    shown = dict(parse_qsl(query))
    assert {shown["a.example"], shown["b.example"]} == {"pizza"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_opens_on_what_the_explorer_shows_with_one_thing_changed(example: str) -> None:
    a = load_example(example)
    b = with_one_change(as_stack(a), 0, a).first
    assert b != a
    assert b.sizes == a.sizes


def test_from_the_explorer_it_opens_on_what_is_there() -> None:
    page = exploring("example=pizza")
    page.at.query_params.clear()
    page.at.switch_page("compare.py")
    page.run()
    assert page.a.scenario == PIZZA
    assert page.b.scenario == with_one_change(as_stack(PIZZA), 0, PIZZA).first
    assert page.question_shown == []
    assert "Without the division" in page.words


def test_from_the_explorer_it_opens_on_all_layers_and_shows_the_same_one() -> None:
    page = exploring("example=induction&layer=2")
    explored = page.session.stack
    page.at.query_params.clear()
    page.at.switch_page("compare.py")
    page.run()
    assert (page.a.layer, page.b.layer) == (1, 1)
    assert page.a.stack == explored
    assert page.b.stack == with_one_change(explored, 1, page.a.scenario)
    assert page.b.stack.first == explored.first
    assert page.errors == []


@pytest.mark.parametrize("kept", ["A", "B"])
def test_all_layers_of_the_explorer_become_a_side_which_shows_the_same_one(kept: str) -> None:
    page = exploring("example=induction&layer=2")
    scale(page.session, 0.5)
    page.run()
    (query,) = links(page, f"Keep this as {kept}")
    compared = Comparison(query)
    side, other = (compared.a, compared.b) if kept == "A" else (compared.b, compared.a)
    assert side.stack == page.session.stack
    assert (side.layer, other.layer) == (1, 1)
    assert other.stack.first == side.stack.first
    assert other.stack != side.stack


def test_a_side_that_was_chosen_stays_and_shows_the_layer_of_the_explorer() -> None:
    page = exploring("example=induction&layer=2")
    stays = Session(load_stack("induction"), View(head=0, decimals=5), "b")
    scale(stays, 0.5)
    page.at.session_state["session b"] = stays
    page.run()
    (query,) = links(page, "Keep this as A")
    shown = dict(parse_qsl(query))
    assert (shown["a.layer"], shown["b.layer"]) == ("2", "2")
    assert "b.head" not in shown
    assert shown["b.scale"] == "0.5"
    assert shown["b.decimals"] == "5"


def test_a_side_is_opened_in_the_explorer() -> None:
    page = Comparison(f"{BOTH}&a.step=output&a.decimals=4")
    found = [dict(parse_qsl(query)) for query in links(page, "Explore")]
    assert found == [
        {"example": "pizza", "decimals": "4"},
        {"example": "pizza", "mask": "none", "decimals": "4"},
    ]


def test_numbers_that_are_too_many_for_a_link_are_handed_over() -> None:
    page = exploring("example=pizza")
    wide = with_weights(with_width(PIZZA, 64), "random")
    page.session.open(with_matrix(wide, "w_q", wide.w_q + 1))
    page.run()
    assert links(page, "Keep this as A") == []
    page.click("keep-a")
    assert page.at.title[0].value == "Compare"
    assert page.a.scenario is page.session.scenario
    assert page.b.scenario == with_one_change(page.a.stack, 0, page.a.scenario).first
    page.at.switch_page("compare.py")  # where the browser is by now
    page.b.open(PIZZA)
    page.run().click("a-explore")
    assert page.session.scenario is page.a.scenario
