"""What is opened from the menu: a layer in somebody else's file, after some questions; a link."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core import Scenario
from tests.core.array_files import npz
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import Visitor

CHANCE = np.random.default_rng(3)
X = CHANCE.normal(size=(3, 6))
SQUARE = {name: CHANCE.normal(size=(6, 6)) for name in ("w_q", "w_k", "w_v", "w_o")}
TORCH = dict(
    zip(
        ("q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight"),
        SQUARE.values(),
        strict=True,
    )
)
TURNED = {name: array.T for name, array in SQUARE.items()}


def at_menu(**arrays: Any) -> Visitor:
    """A visitor who has chosen a file with these arrays."""
    visitor = Visitor("example=pizza", opened=["examples"])
    file = ("layer.npz", npz(**arrays), "application/zip")
    visitor.at.file_uploader(key="open-file").set_value(file)
    visitor.run()
    return visitor


def say(visitor: Visitor, key: str, value: Any) -> None:
    visitor.controls[key].set_value(value)
    visitor.run()


def test_the_heads_are_asked_for_and_then_the_layer_opens() -> None:
    visitor = at_menu(x=X, **SQUARE)
    assert visitor.at.button(key="open-layer").disabled
    assert visitor.controls["heads-of-file"].options == ["1", "2", "3", "6"]
    say(visitor, "heads-of-file", 3)
    visitor.press("Open the layer")
    assert visitor.scenario == Scenario(x=X, **SQUARE, n_heads=3)
    assert visitor.title == "Your own setting"


def test_what_says_all_opens_at_once() -> None:
    visitor = at_menu(x=X, **SQUARE, n_heads=2, tokens=np.array(["a", "b", "c"]))
    assert visitor.scenario.tokens == ("a", "b", "c")
    assert visitor.scenario.n_heads == 2


def test_square_weights_of_a_framework_are_asked_about_and_x_is_made_of_the_tokens() -> None:
    visitor = at_menu(**TORCH, other=np.ones(2))
    assert visitor.controls["layer-turned"].label.startswith("The weights are square.")
    assert "The file has no X: your tokens get word vectors" in visitor.words
    assert "Not used: other." in visitor.words
    say(visitor, "heads-of-file", 2)
    visitor.press("Open the layer")
    s = visitor.scenario
    assert s.tokens == ("I", "LOVE", "PEPPERONI", "PIZZA")
    assert (s.w_q == TURNED["w_q"]).all()
    again = at_menu(**TORCH)
    say(again, "layer-turned", False)
    say(again, "heads-of-file", 2)
    again.press("Open the layer")
    assert (again.scenario.w_q == SQUARE["w_q"]).all()


def test_of_several_layers_one_is_picked() -> None:
    layers = {f"h.{n}.{name}": array + n for n in range(2) for name, array in SQUARE.items()}
    visitor = at_menu(x=X, **layers)
    say(visitor, "layer-of-file", "h.1")
    say(visitor, "heads-of-file", 1)
    visitor.press("Open the layer")
    assert (visitor.scenario.w_k == SQUARE["w_k"] + 1).all()


def test_arrays_without_telling_names_are_told_apart_by_a_person() -> None:
    names = [f"arr_{number}" for number in range(5)]
    arrays = dict(zip(names, [X, *SQUARE.values()], strict=True))
    visitor = at_menu(**arrays)
    assert visitor.controls["w_o-of-file"].value == "arr_4"
    say(visitor, "w_q-of-file", "arr_2")
    say(visitor, "w_k-of-file", "arr_1")
    say(visitor, "heads-of-file", 2)
    visitor.press("Open the layer")
    swapped = {**SQUARE, "w_q": SQUARE["w_k"], "w_k": SQUARE["w_q"]}
    assert visitor.scenario == Scenario(x=X, **swapped, n_heads=2)


def test_arrays_that_do_not_fit_are_refused_with_their_shapes() -> None:
    visitor = at_menu(x=X, **{**SQUARE, "w_o": np.eye(4)})
    visitor.press("Open the layer")
    assert "W_O 4 × 4. Save the arrays of one layer." in visitor.errors[0]
    assert visitor.scenario.tokens == ("I", "LOVE", "PEPPERONI", "PIZZA")


def test_a_link_that_is_none_says_so_and_opens_nothing() -> None:
    visitor = Visitor("example=pizza", opened=["examples"])
    for text, said in {
        "hello": "The link must be an address of this explorer",
        "https://example.org/?example=nothing": "The example must be one of",
        "http://[": "The link must be an address of this explorer",
    }.items():
        say(visitor, "open-link", text)
        assert said in visitor.errors[0]
        assert visitor.scenario.origin.example == "pizza"
    say(visitor, "open-link", " ")
    assert visitor.errors == []


def at_link(text: str, page: str = "explore.py", name: str = "", address: str = "") -> PageVisitor:
    """A visitor who has pasted a link into the menu."""
    prefix = "b-" if name else ""
    visitor = PageVisitor(page, address or "example=pizza", name, **{f"{prefix}examples": True})
    return visitor.enter(f"{prefix}open-link", text)


@pytest.mark.parametrize("link", ["https://example.org/?example=causal&heads=1", "example=causal"])
def test_a_link_to_the_explorer_shows_what_it_says(link: str) -> None:
    visitor = at_link(link)
    assert visitor.session.scenario.origin.example == "causal"
    assert visitor.session.scenario.n_heads == (1 if "heads" in link else 2)
    assert not visitor.at.session_state["examples"]


def test_a_side_of_a_comparison_takes_what_a_link_shows() -> None:
    sides = "a.example=pizza&b.example=pizza"
    visitor = at_link("https://example.org/?example=causal&heads=1", "compare.py", "b", sides)
    assert visitor.session.scenario.n_heads == 1
    assert visitor.at.session_state["session a"].scenario.n_heads == 2
