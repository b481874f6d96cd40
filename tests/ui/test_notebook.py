"""What a notebook gets to show: a page in a frame, and a still picture of a trace."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Tree

import pytest

import attention_explorer
from mha_core import HeadMap, attend, head_map, open_model
from mha_core.changing.changes import with_heads_off
from mha_core.changing.layers import as_stack, with_layer_count
from mha_core.checks.errors import OptionError
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer.in_notebook import as_text
from mha_core.trained.numbers import FILE
from tests.unpacking import parts_of, unpacked
from ui import notebook
from ui.figures.head_tiles import COLORS
from ui.notebook import Shown, show, still_picture

PIZZA = load_example("pizza")
TWO_LAYERS = with_layer_count(as_stack(PIZZA), 2)


def page_in(frame: str) -> str:
    [page] = re.findall(r'srcdoc="([^"]*)"', frame)
    return html.unescape(page)


@pytest.mark.parametrize(
    "document",
    [PIZZA, attend(PIZZA), TWO_LAYERS, attend(TWO_LAYERS)],
    ids=lambda document: type(document).__name__,
)
def test_a_scenario_a_trace_and_layers_are_shown(document: Any) -> None:
    shown = show(document)
    assert page_in(shown._repr_html_()).encode() == shown.page
    assert "<title>Pizza, a language model" in shown.page.decode()


def test_the_package_offers_it() -> None:
    assert attention_explorer.show is show
    assert attention_explorer.Shown is Shown


def test_it_is_called_as_a_person_says_else_as_its_example() -> None:
    title = EXAMPLES["pizza"].title
    assert show(PIZZA).title == title
    assert show(PIZZA, "My <head>").title == "My <head>"
    assert 'title="My &lt;head&gt;"' in show(PIZZA, "My <head>")._repr_html_()
    assert show(with_heads_off(PIZZA, {0})).title == f"{title}, changed"
    assert show(replace(PIZZA, origin=type(PIZZA.origin)())).title == "Own numbers"


def test_where_no_notebook_is_it_says_what_it_is() -> None:
    assert repr(Shown("Two", b"x" * 2048)) == "'Two', a page of 2 kB for a notebook"


def test_what_is_no_layer_is_refused() -> None:
    with pytest.raises(OptionError, match="must be a Scenario, a Trace, a Stack"):
        show([1, 2])  # type: ignore[arg-type]


def heads() -> HeadMap:
    return head_map(open_model(FILE).on("Mila <Stone> met Leo Snow."), "Ours")


def test_the_heads_of_a_model_are_shown() -> None:
    shown = show(heads())
    assert shown.title == "Ours"
    assert show(replace(heads(), title="")).title == "The heads of a model"
    _, data = map(unpacked, parts_of(shown.page.decode()))
    assert data["says"] == "A map of 8 heads in 2 layers on 8 tokens: " + " ".join(data["tokens"])
    assert len(data["tiles"]) == 8
    by_layer, *others = data["orders"]
    assert by_layer["places"] == list(range(8))
    assert by_layer["says"][4][:2] == ["Layer 2", "Head 1"]
    assert all(sorted(order["places"]) == by_layer["places"] for order in others)


def test_a_map_is_a_still_picture_of_what_its_heads_do() -> None:
    picture = Tree.fromstring(heads()._repr_html_())
    squares = list(picture.iter("rect"))
    assert len(squares) == 8
    assert "".join(squares[0].itertext()).startswith("Layer 1, head 1: Previous token")
    assert squares[0].get("fill") == COLORS["previous"]
    words = "".join(picture.find("figcaption").itertext())  # type: ignore[union-attr]
    assert words.startswith("A map of 8 heads in 2 layers on 8 tokens. ")
    assert "Previous token 1" in words


def test_a_trace_is_a_still_picture_of_its_weights() -> None:
    trace = attend(PIZZA)
    picture = trace._repr_html_()
    assert picture == still_picture(trace)
    texts = ["".join(each.itertext()) for each in Tree.fromstring(picture).iter()]
    assert {"Head 1", "Head 2", "PEPPERONI", "0.40"} <= set(texts)
    assert "@font-face" not in picture
    assert len(picture) < 20_000


def test_without_the_packages_of_pictures_a_trace_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "why_not", lambda _: "It needs fonttools.")
    trace = attend(PIZZA)
    assert still_picture(trace) == as_text(trace)
