"""The explorer's address: what is wrong in it, too large for it, or edited since a recipe.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, quote

import numpy as np
import pytest

from mha_core import STEPS
from mha_core.changing.changes import with_heads, with_matrix
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario.link import encode_link
from mha_core.layer.cells import Cell
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor, unmarked
from ui.state import View, binding, conversation

PIZZA = "example=pizza"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("example=nope", "The example must be one of"),
        ("example=pizza&heads=0", "n_heads must be a whole number"),
        ("example=pizza&mask=nope", "A mask must be one of"),
        ("example=pizza&x.zip=AAAA", "The link's parameter"),
        ("tokens=A&d_model=99999999", "d_model must be a whole number"),
        ("example=pizza&scale=abc", "The link's parameter"),
        (
            f"example=pizza&tokens={quote(' '.join('a' * 20_000))}",
            "The number of tokens must be at most",
        ),
        (
            f"tokens={quote(' '.join('a' * 9_000))}",
            "X must have at most 724 rows with one head on this page, got 9,000.",
        ),
    ],
)
def test_a_wrong_address_opens_the_first_example_and_says_why(address: str, message: str) -> None:
    visitor = Visitor(address)
    assert visitor.complains(message), visitor.errors
    assert visitor.scenario == load_example("two-tokens")
    assert visitor.address == dict(parse_qsl(address))  # it stays, to be mended
    assert shows_the_scenario(visitor)
    assert visitor.enter("heads", 1).errors == []
    assert visitor.address == {"example": "two-tokens", "heads": "1"}


@pytest.mark.parametrize(
    "wrong",
    [
        "decimals=7",
        "decimals=0000000009999999999",
        "decimals=" + "9" * 5000,
        "decimals=-1",
        "colors=red",
        "palette=rainbow",
        "show=all",
        "rows=",
        "head=3",
        "head=0",
        "cell=weights/0",
        "cell=weights/0:0.1",
        "hide=everything",
    ],
)
def test_a_wrong_view_keeps_the_scenario_and_says_why(wrong: str) -> None:
    visitor = Visitor(f"{PIZZA}&{wrong}")
    assert visitor.complains(f"{wrong.split('=')[0]} in the address must"), visitor.errors
    assert visitor.scenario == load_example("pizza")
    assert visitor.enter("values", False).errors == []
    assert visitor.address == {"example": "pizza", "values": "off"}


@pytest.mark.parametrize(
    "cell",
    [
        *("w_o:99.1", "w_o:1.99", "output:5.1", "concat:99999.99999"),
        *("q/99:1.1", "q/x:1.1", "q/-1:1.1", "q/²:1.1", "weights/7:1.1", "mask:9.9"),
        *("contributions/99:1.1", "block/w_o:1.1", "nothing:1.1", "__class__:1.1", "/:1.1"),
    ],
)
def test_a_cell_that_is_not_there_is_refused_in_words_and_all_else_opens(cell: str) -> None:
    visitor = Visitor(f"example=pizza&head=1&cell={quote(cell)}")
    (error,) = visitor.errors
    assert unmarked(error).startswith("cell in the address must")
    assert visitor.scenario == load_example("pizza")
    assert visitor.session.view == View(head=0)


def test_a_cell_of_a_wide_layer_is_there() -> None:
    visitor = Visitor("example=eight-tokens-512&cell=w_o:99.1")
    assert visitor.errors == []
    assert visitor.session.view.cell == Cell("w_o", None, 98, 0)


def test_a_state_too_large_for_a_link_says_so_and_the_address_keeps_the_view() -> None:
    rng = np.random.default_rng(3)
    large = with_matrix(load_example("eight-tokens-512"), "w_q", rng.standard_normal((512, 512)))
    visitor = Visitor(opened=["download", "share"])
    visitor.session.open(large)
    visitor.run()
    assert "too much for a link" in visitor.words
    assert any(button.label.startswith("NPZ") for button in visitor.at.get("download_button"))
    assert visitor.enter("decimals", 3).address == {"decimals": "3"}


def test_every_matrix_can_be_chosen_for_saving() -> None:
    visitor = Visitor(PIZZA, opened=["download"])
    choice = visitor.at.selectbox(key="matrix-to-save")
    assert choice.value == "weights"
    steps = [step for step in STEPS if len(step.dims.axes) > 1]
    titles = [f"{step.title}, {step.symbol}" for step in steps]
    assert choice.options == [titles[0], "W_Q", "W_K", "W_V", "W_O", *titles[1:]]
    of_each_kind = {step.dims.axes: step.name for step in steps}.values()
    for name in ("w_q", *of_each_kind):
        visitor.at.selectbox(key="matrix-to-save").set_value(name)
        visitor.run()
        by_head = axes_of(visitor, name) == 3
        assert len([box for box in visitor.at.selectbox if box.key == "head-to-save"]) == by_head


def axes_of(visitor: Visitor, name: str) -> int:
    trace = visitor.session.trace
    return int(getattr(trace if hasattr(trace, name) else trace.scenario, name).ndim)


def test_numbers_that_were_changed_since_a_recipe_made_them_are_said_to_be() -> None:
    said = "changed by hand"
    assert said not in Visitor("tokens=A+B&d_model=4&x=random&weights=random").words
    x = Visitor("tokens=A+B&d_model=4&x=random&weights=random&x.cells=0_0_7")
    w = Visitor("tokens=A+B&d_model=4&x=random&weights=random&w_q.cells=0_0_7")
    assert x.words.count(said) == w.words.count(said) == 1


def test_a_change_of_size_is_no_change_by_hand() -> None:
    said = "changed by hand"
    visitor = Visitor(PIZZA)
    assert visitor.scenario.origin.weights == ""  # its projections are given as numbers
    assert said not in visitor.enter("d-model", 6).words
    assert said not in visitor.enter("n-tokens", 6).words
    edited = with_matrix(load_example("pizza"), "w_q", 2 * load_example("pizza").w_q)
    assert Visitor(encode_link(edited)).words.count(said) == 1


def test_what_was_refused_is_chosen_again_and_tried_again() -> None:
    visitor = Visitor(PIZZA).enter("d-k", 3).enter("positions", "rope")
    assert visitor.complains("")
    assert visitor.shows("positions") == "none"  # so that choosing it again is an event
    visitor.enter("positions", "rope")
    assert visitor.complains("")
    assert visitor.enter("d-k", 4).errors == []
    assert visitor.enter("positions", "rope").scenario.scores.positions == "rope"


@pytest.mark.parametrize("key", ["page", "head"])
def test_a_field_that_the_browser_has_lost_changes_nothing(key: str) -> None:
    visitor = Visitor("tokens=A+B&d_model=32&heads=32&x=random&weights=random")
    before = visitor.session.now
    visitor.widget(key).set_value(None)
    visitor.run()
    assert visitor.session.now == before
    assert visitor.errors == []


def test_what_a_browser_repeats_over_a_new_connection_is_no_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection was cut before the browser heard that there are four heads to be on."""
    connection = ["first"]
    monkeypatch.setattr(binding, "connection", lambda: connection[0])
    monkeypatch.setattr(conversation, "ECHO", 0)
    visitor = Visitor(PIZZA).enter("heads", 4)
    connection[0] = "second"
    visitor.enter("heads-on", [0, 1])
    assert visitor.scenario == with_heads(load_example("pizza"), 4)
    assert visitor.shows("heads-on") == [0, 1, 2, 3]
    connection[0] = "third"
    visitor.enter("heads-on", [])
    assert visitor.scenario == with_heads(load_example("pizza"), 4)
    connection[0] = "fourth"
    assert visitor.enter("heads-on", [2]).scenario.heads_off == {0, 1, 3}  # entered meanwhile


def test_who_hides_the_editors_hides_the_drawing_of_the_mask() -> None:
    assert "mask" in Visitor(PIZZA).plots
    assert "mask" not in Visitor(f"{PIZZA}&hide=editors").plots


def test_an_example_is_shown_only_while_its_tokens_are() -> None:
    assert Visitor(PIZZA).session.example_shown is EXAMPLES["pizza"]
    assert Visitor(f"{PIZZA}&tokens=A+B").session.example_shown is None


def test_a_sum_names_the_bias_where_there_is_one() -> None:
    assert "(coloured by head) times W_O." in Visitor(PIZZA).words
    with_bias = Visitor(f"{PIZZA}&b_o.rows=1_2_3_4_5_6_7_8")
    assert "(coloured by head) times W_O, plus b_O." in with_bias.words, with_bias.errors


def test_pale_weights_say_how_to_see_them() -> None:
    pale = Visitor("tokens=" + " ".join("abcdefghij") + "&d_model=4&x=random&scale=0")
    assert "the colours are pale" in pale.words
    assert "the colours are pale" not in pale.enter("shared_scale", False).words
    assert "the colours are pale" not in Visitor(PIZZA).words


def test_recipes_of_unknown_names_are_numbers_as_given() -> None:
    """`origin` is a hint: a link or a file may name what is not there."""
    odd = replace(
        load_example("pizza"), origin=replace(load_example("pizza").origin, x="?", weights="?")
    )
    visitor = Visitor(encode_link(odd))
    assert visitor.shows("x") == ""
    assert visitor.shows("weights") == ""
    assert visitor.enter("tokens", "A B C").errors == []
    assert visitor.enter("share", True).enter("share", False).complains("W_K must come from")
