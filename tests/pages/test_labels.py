"""What a page does with acts on labels, as a browser reports them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mha_core.changing.changes import with_tokens
from mha_core.examples import load_example
from tests.running_page import undo
from tests.ui.state.working import at_pizza
from ui import plot
from ui.blocks.cell_entries import refused_entries, take_entries
from ui.state import Session, View

PIZZA = load_example("pizza")


@pytest.fixture
def session() -> Session:
    return at_pizza(View())


def on_label(number: int, act: str, place: int, text: str = "", to: int = 0) -> plot.OnLabel:
    return plot.OnLabel(number, "x", "tokens", place, act, text, to)


def refused(session: Session) -> list[tuple[str, int, str]]:
    return [
        (each.act, each.place, each.text)
        for each in refused_entries(session)
        if isinstance(each, plot.RefusedLabel)
    ]


def test_each_act_is_one_step_for_undo(session: Session) -> None:
    take_entries(session, [on_label(1, "rename", 0, "WE"), on_label(2, "move", 0, to=1)])
    take_entries(session, [on_label(3, "add", 2), on_label(4, "remove", 4)])
    steps = [session.scenario.tokens]
    for _ in range(4):
        undo(session)
        steps.append(session.scenario.tokens)
    assert steps == [
        ("LOVE", "WE", "t5", "PEPPERONI"),
        ("LOVE", "WE", "t5", "PEPPERONI", "PIZZA"),
        ("LOVE", "WE", "PEPPERONI", "PIZZA"),
        ("WE", "LOVE", "PEPPERONI", "PIZZA"),
        PIZZA.tokens,
    ]
    assert session.scenario == PIZZA


def test_cells_and_labels_are_taken_in_one_order(session: Session) -> None:
    take_entries(session, [on_label(1, "move", 0, to=3), plot.Entry(2, "x", 3, 0, "5")])
    assert session.scenario.tokens[3] == "I"
    assert session.scenario.x[3, 0] == 5
    assert session.conversation.taken == 2
    assert session.conversation.reordered == 1


def test_an_act_that_is_reported_twice_is_done_once(session: Session) -> None:
    take_entries(session, [on_label(1, "remove", 0)])
    take_entries(session, [on_label(1, "remove", 0), on_label(2, "remove", 0)])
    assert session.scenario.tokens == ("PEPPERONI", "PIZZA")


def test_a_refused_name_stays_until_its_label_changes(session: Session) -> None:
    take_entries(session, [on_label(1, "rename", 1, ""), on_label(2, "rename", 0, "WE")])
    assert session.scenario.tokens[0] == "WE"
    assert refused(session) == [("rename", 1, "")]
    (said,) = refused_entries(session)
    assert said.reason == "A token must have a name, got nothing. Type a word, or remove it."
    take_entries(session, [on_label(3, "rename", 1, "LOVE")])
    assert refused(session) == []
    take_entries(session, [on_label(4, "rename", 1, "")])
    session.attempt("tokens", "", lambda s: with_tokens(s, ("A", "B", "C", "D")))
    assert refused(session) == []


def test_the_reason_of_another_act_is_said_until_the_next_entry(session: Session) -> None:
    session.attempt("tokens", "", lambda s: with_tokens(s, ("I",)))
    take_entries(session, [on_label(1, "remove", 0)])
    (said,) = refused_entries(session)
    assert said.reason.startswith("A token must stay where it is the only one")
    take_entries(session, [plot.Entry(2, "x", 0, 0, "5")])
    assert refused_entries(session) == []


def test_a_label_that_has_gone_is_said(session: Session) -> None:
    session.attempt("tokens", "", lambda s: with_tokens(s, ("I", "LOVE")))
    take_entries(session, [on_label(1, "rename", 3, "PIE")])
    assert refused(session) == [("rename", 3, "PIE")]
    assert "which has gone" in refused_entries(session)[0].reason


SENT = {"number": 1, "matrix": "x", "source": "tokens", "place": 0, "act": "add", "text": ""}


@pytest.mark.parametrize(
    "sent", [SENT, {**SENT, "to": "1"}, {**SENT, "to": 0, "source": None}], ids=json.dumps
)
def test_what_is_no_act_is_passed_over(sent: Any) -> None:
    assert plot.as_entries([sent]) == []


def test_acts_and_entries_come_in_the_order_of_their_numbers() -> None:
    cell = {"number": 2, "matrix": "x", "row": 0, "column": 0, "text": "5"}
    read = plot.as_entries([cell, {**SENT, "to": 0}])
    assert read == [on_label(1, "add", 0), plot.Entry(2, "x", 0, 0, "5")]
