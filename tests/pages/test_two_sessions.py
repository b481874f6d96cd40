"""Two sessions on one page: each has its own widgets, its own history, its part of the address.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, urlparse

import pytest
from streamlit.testing.v1 import AppTest

from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.form_fields import entered_in_form
from tests.pages.visitor import OPENED, WIDGETS
from tests.running_page import RunningPage, undo
from tests.serving import ROOT
from ui.blocks.cell_entries import refused_entries, take_entries
from ui.plot import Entry
from ui.state import Session, link_of, open_sessions

BOTH = "example=pizza&b.example=grouped-query"
CHANGES = {
    "tokens": "A B C",
    "scale": "0.7",
    "rules": ["causal", "sliding_window"],
    "heads-on": [0],
    "heads": 1,
}


class Comparison(RunningPage):
    """A visitor of a page with two sessions."""

    def __init__(self, address: str = "", *, has_address: bool = True) -> None:
        page = ROOT / "tests" / "pages" / "two_sessions_page.py"
        at = AppTest.from_file(str(page), default_timeout=60)
        for param, value in parse_qsl(address):
            at.query_params[param] = value
        opened = [
            f"{prefix}{key}" for key in (*OPENED, "share", "editors") for prefix in ("", "b-")
        ]
        super().__init__(at, **dict.fromkeys(opened, True), **{"no address": not has_address})

    def enter(self, key: str, value: Any) -> Comparison:
        if not entered_in_form(self.at, key, value):
            widgets = [widget for kind in WIDGETS for widget in self.at.get(kind)]
            next(widget for widget in widgets if widget.key == key).set_value(value)
        return self.run()

    @property
    def left(self) -> Session:
        return self.session

    @property
    def right(self) -> Session:
        return self.at.session_state["session b"]  # type: ignore[no-any-return]

    def sent(self, column: int) -> list[bytes]:
        """The figures of the left half of the page (0) or of the right half (1)."""
        halves = next(block for block in self.at.main if block.type == "flex_container")
        sent = [node.proto for node in halves.children[column].get("bidi_component")]
        return [p.bytes for p in sent if p.component_name == "attention_plot"]


def test_an_address_opens_both_sessions_of_a_page() -> None:
    page = Comparison(f"{BOTH}&head=2&b.decimals=4&b.x.cells=0_0_7")
    assert page.left.scenario == load_example("pizza")
    assert page.right.scenario.x[0, 0] == 7
    assert (page.left.view.head, page.right.view.head) == (1, None)
    assert (page.left.view.decimals, page.right.view.decimals) == (2, 4)
    assert page.left.refusals == page.right.refusals == {}
    assert page.address == dict(parse_qsl(f"{BOTH}&head=2&b.decimals=4&b.x.cells=0_0_7"))


@pytest.mark.parametrize("column", [0, 1])
def test_an_edit_in_one_session_leaves_the_other_alone(column: int) -> None:
    page = Comparison(BOTH)
    changed, other = (page.left, page.right)[:: 1 - 2 * column]
    for number, (key, value) in enumerate(CHANGES.items(), 1):
        before = [page.sent(0), page.sent(1)], other.now
        page.enter(changed.key(f"enter-{key}"), value)
        assert changed.refusals == {}
        assert changed.history.at == number
        assert page.sent(column) != before[0][column], key
        assert page.sent(1 - column) == before[0][1 - column], key
        assert other.now is before[1]
        assert not other.refusals


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("text", ["7", "abc"])
def test_an_entry_into_a_cell_of_one_session_leaves_the_other_alone(column: int, text: str) -> None:
    page = Comparison(BOTH)
    changed, other = (page.left, page.right)[:: 1 - 2 * column]
    w_o = changed.scenario.w_o.copy()
    before = page.sent(1 - column), other.now
    take_entries(changed, [Entry(1, "w_o", 0, 0, text)])
    page.run()
    assert (changed.conversation.taken, other.conversation.taken) == (1, 0)
    assert len(refused_entries(changed)) == (text == "abc")
    assert refused_entries(other) == []
    assert changed.scenario.w_o[0, 0] == (7 if text == "7" else w_o[0, 0])
    assert (page.sent(1 - column), other.now) == before


def test_the_address_of_a_page_says_what_both_sessions_are_and_opens_both_elsewhere() -> None:
    page = Comparison(BOTH)
    page.enter("enter-tokens", "A B C").enter("b-view-decimals", 5).enter("b-view-head", 1)
    elsewhere = Comparison("&".join(f"{name}={text}" for name, text in page.address.items()))
    assert elsewhere.left.scenario == page.left.scenario
    assert elsewhere.right.scenario == page.right.scenario
    assert (elsewhere.left.view, elsewhere.right.view) == (page.left.view, page.right.view)


def test_the_link_of_either_session_is_that_of_the_page() -> None:
    page = Comparison(f"{BOTH}&head=2&b.decimals=4")
    assert link_of(page.left) == link_of(page.right)
    assert dict(parse_qsl(link_of(page.left))) == page.address


def test_share_changes_in_the_link_how_its_own_session_opens() -> None:
    page = Comparison(f"{BOTH}&head=2&b.decimals=4")
    for key, value in (("share-decimals", 1), ("b-share-decimals", 5)):
        widget = next(box for box in page.at.selectbox if box.key == key)
        widget.set_value(value)
        page.run()
    assert shared_links(page) == [
        {**page.address, "decimals": "1"},
        {**page.address, "b.decimals": "5"},
    ]


def test_there_is_no_link_where_one_session_holds_too_much() -> None:
    page = Comparison(BOTH)
    wide = load_example("pizza-1024")
    page.right.open(with_matrix(wide, "w_q", wide.w_q + 1))
    page.run()
    assert shared_links(page) == []


def shared_links(page: Comparison) -> list[dict[str, str]]:
    """The links that Share shows on the left and on the right."""
    sent = [node.proto for node in page.at.get("bidi_component")]
    texts = [json.loads(p.json)["text"] for p in sent if p.component_name == "copy_text"]
    return [dict(parse_qsl(urlparse(text).query)) for text in texts]


def test_undo_in_one_session_leaves_the_other_alone() -> None:
    page = Comparison(BOTH).enter("enter-heads", 1).enter("b-enter-heads", 2)
    undo(page.right)
    page.run()
    assert page.right.scenario == load_example("grouped-query")
    assert page.left.scenario.n_heads == 1


def test_back_leads_the_whole_page_to_what_it_showed() -> None:
    page = Comparison(BOTH)
    first = page.address
    page.enter("enter-heads", 1)
    second = page.address
    page.enter("b-enter-heads", 2)
    together = page.left.conversation.address
    assert together
    together.visit(second)
    assert page.run().right.scenario == load_example("grouped-query")
    assert page.left.scenario.n_heads == 1
    together.visit(first)
    assert page.run().left.scenario == load_example("pizza")
    together.visit({**first, "b.heads": "1"})  # where the page has never been
    assert page.run().right.scenario.n_heads == 1
    assert page.left.scenario == load_example("pizza")


def test_the_links_of_each_strip_lead_to_its_own_half() -> None:
    page = Comparison(BOTH)
    strips = [node.value for node in page.at.get("html") if 'class="strip"' in node.value]
    assert ['href="#heads"' in strip for strip in strips] == [True, False]
    assert ['href="#b-heads"' in strip for strip in strips] == [False, True]


def test_what_is_wrong_in_the_address_is_said_in_the_session_that_it_is_for() -> None:
    page = Comparison("example=pizza&b.example=nope")
    assert page.left.refusals == {}
    assert "must be one of" in page.right.refusals["address"].reason
    assert page.address["b.example"] == "nope"  # it stays, to be mended


def test_a_page_that_keeps_no_address_leaves_it_alone() -> None:
    page = Comparison(has_address=False).enter("enter-heads", 1).enter("b-view-decimals", 5)
    assert page.address == {}


def test_a_session_is_not_named_as_an_array_is() -> None:
    with pytest.raises(ValueError, match="must not be named 'x'"):
        open_sessions("", "x")
