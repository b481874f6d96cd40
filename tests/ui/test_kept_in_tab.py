"""What a tab is to keep of a scenario that no address can hold, and what it brings back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from mha_core.io.scenario.link import decode_link, encode_link
from tests.pages.page_visitor import PageVisitor
from ui.controls import kept_in_tab
from ui.controls.kept_in_tab import KEPT, _bring_back
from ui.state import Session, link_for_the_tab

PAGES = ["explore.py", "walkthrough.py", "compare.py"]


def with_other_numbers(name: str, d_model: int) -> Scenario:
    """Of this width, one of its arrays given as numbers that no recipe makes."""
    s = decode_link(f"tokens=a+b+c+d+e+f+g+h&d_model={d_model}&heads=2&x=random&weights=random")
    shape = getattr(s, name).shape
    return with_matrix(s, name, np.random.default_rng(5).standard_normal(shape))


TOO_LARGE = with_other_numbers("x", 128)
FAR_TOO_LARGE = with_other_numbers("w_q", 512)


def kept_by(visitor: PageVisitor) -> list[str]:
    """What the browser is told to keep, by each component that stands on the page for it."""
    sent = [node.proto for node in visitor.at.get("bidi_component")]
    return [json.loads(p.json)["text"] for p in sent if p.component_name == "kept_in_tab"]


def bring_back(session: Session, monkeypatch: pytest.MonkeyPatch, text: Any) -> None:
    monkeypatch.setattr(kept_in_tab, "reported", lambda key, field: text)
    _bring_back(session)


def test_the_tab_keeps_what_is_too_large_for_the_address_and_no_more() -> None:
    assert link_for_the_tab(Session(load_example("pizza"))) == ""
    assert link_for_the_tab(Session(TOO_LARGE)) == encode_link(TOO_LARGE)
    assert link_for_the_tab(Session(FAR_TOO_LARGE)) == ""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_the_browser_what_to_keep(page: str) -> None:
    name = "a" if page == "compare.py" else ""
    visitor = PageVisitor(page, name=name)
    visitor.session.open(TOO_LARGE)
    assert kept_by(visitor.run()) == [encode_link(TOO_LARGE)]


def test_only_the_first_run_asks_what_was_kept_where_the_address_says_nothing() -> None:
    visitor = PageVisitor("explore.py", "decimals=3")
    assert kept_by(visitor) == [""]
    assert kept_by(visitor.run()) == []
    assert kept_by(PageVisitor("explore.py", "example=pizza")) == []


def test_what_was_kept_comes_back_to_the_last_digit_as_a_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(load_example("pizza"))
    bring_back(session, monkeypatch, encode_link(TOO_LARGE))
    assert (session.scenario, session.history.at) == (TOO_LARGE, 1)


@pytest.mark.parametrize("text", ["heads=no", "x=%00", "tokens=" + "a+" * 2**21])
def test_what_is_no_scenario_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    session = Session(load_example("pizza"))
    bring_back(session, monkeypatch, text)
    assert session.history.at == 0
    assert session.refusals[KEPT].reason


@pytest.mark.parametrize("sent", [None, 3, ["heads=2"], {"text": "heads=2"}])
def test_what_is_no_text_is_not_listened_to(monkeypatch: pytest.MonkeyPatch, sent: Any) -> None:
    session = Session(load_example("pizza"))
    bring_back(session, monkeypatch, sent)
    assert (session.history.at, session.refusals) == (0, {})
