"""What a person takes away from the page: a link that says how it opens, and files."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlparse

import numpy as np

from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from mha_core.io.scenario.files import write_scenario
from tests.pages.visitor import MENUS, Visitor

PIZZA = "example=pizza"


def link_of(visitor: Visitor) -> dict[str, str]:
    """What the link in Share says."""
    sent = [node.proto for node in visitor.at.get("bidi_component")]
    (copied,) = [json.loads(p.json) for p in sent if p.component_name == "copy_text"]
    query = parse_qs(urlparse(copied["text"]).query)
    return {name: texts[-1] for name, texts in query.items()}


def set_control(visitor: Visitor, key: str, value: Any) -> None:
    visitor.controls[key].set_value(value)
    visitor.run()


def buttons(visitor: Visitor) -> dict[str, Any]:
    return {node.proto.label: node.proto for node in visitor.at.get("download_button")}


def test_the_link_holds_what_the_address_holds() -> None:
    visitor = Visitor(f"{PIZZA}&decimals=3&head=2", opened=["share"])
    assert link_of(visitor) == visitor.address


def test_the_link_hides_what_is_ticked_and_the_page_does_not() -> None:
    visitor = Visitor(PIZZA, opened=["share"])
    set_control(visitor, "share-hide-weights", True)
    set_control(visitor, "share-hide-editors", True)
    assert link_of(visitor)["hide"] == "weights,editors"
    assert visitor.view.hide == ()
    set_control(visitor, "share-hide-sidebar", True)
    assert link_of(visitor)["hide"] == "sidebar,editors"


def test_the_link_opens_with_what_is_chosen() -> None:
    visitor = Visitor(PIZZA, opened=["share"])
    set_control(visitor, "share-head", 1)
    set_control(visitor, "share-decimals", 4)
    set_control(visitor, "share-title", "  Lecture 3:\t<b>attention</b> ")
    link = link_of(visitor)
    assert (link["head"], link["decimals"]) == ("2", "4")
    assert link["title"] == "Lecture 3: <b>attention</b>"


def test_a_title_of_a_link_stands_above_the_page_as_plain_text() -> None:
    title = "**Lecture 3** :red[x] <b>attention</b>"
    assert Visitor(f"{PIZZA}&title={title}").title.replace("\u2060", "") == title


def test_a_page_too_large_for_a_link_offers_a_file_that_can_hold_it() -> None:
    rng = np.random.default_rng(3)
    large = load_example("pizza-1024")
    for name in ("w_q", "w_k", "w_v", "w_o"):
        numbers = rng.standard_normal(getattr(large, name).shape).astype(large.dtype)
        large = with_matrix(large, name, numbers)
    visitor = Visitor(opened=MENUS)
    visitor.session.open(large)
    visitor.run()
    assert "too much for a link" in visitor.words
    assert buttons(visitor)["JSON, readable as text"].disabled
    assert "No .json file: The scenario as JSON must be at most 20 MB, got" in visitor.words
    assert not buttons(visitor)["NPZ, for large scenarios"].disabled
    data = write_scenario(large, "scenario.npz")
    visitor.at.file_uploader(key="open-file").set_value(("a.npz", data, "application/zip"))
    visitor.run()
    assert visitor.errors == []
    assert visitor.scenario == large


def test_a_file_that_holds_no_scenario_is_refused_until_it_is_taken_away() -> None:
    visitor = Visitor(PIZZA, opened=["examples"])
    upload = visitor.at.file_uploader(key="open-file")
    upload.set_value(("a.npz", b"\x89PNG", "application/zip"))
    assert len(visitor.run().errors) == 1
    visitor.at.file_uploader(key="open-file").clear()
    assert visitor.run().errors == []


def test_what_an_example_says_is_said_only_while_it_holds() -> None:
    visitor = Visitor("example=permutation")
    sentence = "Shuffle the words, and the rows are shuffled in the same way."
    not_true = f"Not true here: {sentence}"
    assert sentence in visitor.words
    assert not_true not in visitor.words
    visitor.enter("rules", ["causal"])
    assert visitor.words.count(sentence) == visitor.words.count(not_true) == 1


def test_hidden_editors_hide_the_mask_to_draw_too() -> None:
    assert "Draw the mask" in [e.label for e in Visitor(PIZZA).at.expander]
    hidden = [e.label for e in Visitor(f"{PIZZA}&hide=editors").at.expander]
    assert not {"Draw the mask", "Edit the numbers"} & set(hidden)


def test_one_head_is_shown_whole_and_there_is_none_to_choose() -> None:
    visitor = Visitor(f"{PIZZA}&heads=1")
    assert not visitor.has("head")
    assert not visitor.has("heads-on")
    assert "q_rotated/0" in visitor.matrices
