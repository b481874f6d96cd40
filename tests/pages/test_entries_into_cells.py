"""What a page does with entries into cells, as a browser reports them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mha_core.changing.changes import with_matrix, with_tokens
from mha_core.examples import load_example
from mha_core.scenario.score_options import ScoreOptions
from tests.pages.visitor import Visitor
from tests.running_page import undo
from tests.ui.state.working import at_pizza
from ui import plot
from ui.blocks.cell_entries import refused_entries, take_entries
from ui.edits.entries import with_typed_context
from ui.state import Session, View

PIZZA = load_example("pizza")


@pytest.fixture
def session() -> Session:
    return at_pizza(View())


def enter(session: Session, *entries: tuple[int, str, int, int, str]) -> None:
    take_entries(session, [plot.Entry(*each) for each in entries])


def refused(session: Session) -> list[tuple[str, int, int, str]]:
    entries = [each for each in refused_entries(session) if isinstance(each, plot.Refused)]
    return [(e.matrix, e.row, e.column, e.text) for e in entries]


def test_entries_are_taken_in_their_order_each_as_one_step(session: Session) -> None:
    enter(session, (1, "x", 0, 0, "5"), (2, "w_q", 1, 2, "1/2"))
    assert (session.scenario.x[0, 0], session.scenario.w_q[1, 2]) == (5, 0.5)
    undo(session)
    assert (session.scenario.x[0, 0], session.scenario.w_q[1, 2]) == (5, PIZZA.w_q[1, 2])


def test_an_entry_that_is_reported_twice_is_taken_once(session: Session) -> None:
    enter(session, (1, "x", 0, 0, "5"))
    undo(session)
    enter(session, (1, "x", 0, 0, "5"), (2, "x", 0, 1, "6"))
    assert session.scenario.x[0, :2].tolist() == [PIZZA.x[0, 0], 6]
    assert session.conversation.taken == 2


def test_a_refused_entry_holds_back_no_other_and_goes_when_it_is_mended(session: Session) -> None:
    enter(session, (1, "x", 0, 0, "abc"), (2, "x", 0, 1, "6"))
    assert session.scenario.x[0, 1] == 6
    assert refused(session) == [("x", 0, 0, "abc")]
    enter(session, (3, "x", 0, 0, "7"))
    assert refused(session) == []
    assert session.scenario.x[0, 0] == 7


def test_an_empty_entry_takes_back_what_was_refused(session: Session) -> None:
    enter(session, (1, "x", 0, 0, "abc"), (2, "x", 0, 0, ""))
    assert refused(session) == []
    assert session.scenario is PIZZA


def test_a_refused_entry_goes_with_its_cell(session: Session) -> None:
    enter(session, (1, "x", 3, 0, "abc"))
    session.attempt("tokens", "I", lambda s: with_tokens(s, ("I",)))
    assert refused(session) == []


def test_a_cell_that_has_gone_is_said_until_the_next_entry(session: Session) -> None:
    session.attempt("tokens", "I", lambda s: with_tokens(s, ("I",)))
    enter(session, (1, "x", 3, 0, "5"))
    assert refused(session) == [("x", 3, 0, "5")]
    say(session)
    enter(session, (2, "x", 0, 0, "5"))
    assert refused(session) == []


def test_two_cells_that_have_gone_are_both_said_though_other_entries_follow(
    session: Session,
) -> None:
    say(session)
    session.attempt("tokens", "I", lambda s: with_tokens(s, ("I",)))
    enter(session, (1, "x", 3, 0, "7"), (2, "x", 2, 1, "8"), (3, "x", 0, 0, "9"))
    assert refused(session) == [("x", 3, 0, "7"), ("x", 2, 1, "8")]
    enter(session, (4, "x", 0, 1, "9"))  # before a run has come to its end
    assert refused(session) == [("x", 3, 0, "7"), ("x", 2, 1, "8")]
    assert session.scenario.x[0, :2].tolist() == [9, 9]
    say(session)
    enter(session, (5, "x", 0, 1, "10"))
    assert refused(session) == []


def say(session: Session) -> None:
    """A run of the page, to its end."""
    session.conversation.run += 1
    session.conversation.last_whole_run = session.conversation.run


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        [1, None, {}],
        [{"number": "1", "matrix": "x", "row": 0, "column": 0, "text": "5"}],
        [{"number": 1, "matrix": "x", "row": 0.5, "column": 0, "text": "5"}],
        [{"number": 1, "matrix": "x", "row": 0, "column": 0}],
        [{"number": 0, "matrix": "x", "row": 0, "column": 0, "text": "5"}],
        [{"number": 2**32, "matrix": "x", "row": 0, "column": 0, "text": "5"}],
    ],
    ids=json.dumps,
)
def test_what_is_no_entry_is_passed_over(sent: Any) -> None:
    assert plot.as_entries(sent) == []


def test_entries_are_read_in_the_order_of_their_numbers() -> None:
    sent = [{"number": n, "matrix": "x", "row": 0, "column": 0, "text": ""} for n in (3, 1, 2)]
    assert [entry.number for entry in plot.as_entries(sent)] == [1, 2, 3]


def test_a_refused_text_goes_when_another_control_changes_its_number(session: Session) -> None:
    enter(session, (1, "x", 0, 0, "abc"), (2, "x", 0, 1, "def"))
    new = PIZZA.x.copy()
    new[0, 0] = 9
    session.attempt("grid", "9", lambda s: with_matrix(s, "x", new))
    assert refused(session) == [("x", 0, 1, "def")]


def test_a_block_that_is_asked_about_is_forgotten_with_the_scenario(session: Session) -> None:
    enter(session, (1, "x", 3, 0, "1\n2"))
    assert list(session.blocks) == ["block x"]
    session.open(load_example("translation"))
    assert session.blocks == {}


def test_a_page_outlives_the_array_of_a_block_that_is_asked_about() -> None:
    visitor = Visitor("example=translation&open=into")
    enter(visitor.session, (1, "context", 3, 0, "1\n2"))
    assert "Paste only what fits" in visitor.run().buttons
    visitor.session.attempt("context", "", lambda s: with_typed_context(s, ""))
    assert "Paste only what fits" not in visitor.run().buttons
    assert visitor.session.blocks == {}


def test_what_a_slider_enters_is_an_entry_of_its_field(session: Session) -> None:
    enter(session, (1, "scale", 0, 0, "0.25"), (2, "softcap", 0, 0, "5.5"))
    assert session.scenario.scores == ScoreOptions(scale=0.25, softcap=5.5)
    undo(session)
    assert session.scenario.scores == ScoreOptions(scale=0.25)
    enter(session, (3, "softcap", 0, 0, "-1"))
    assert session.refusals["softcap"].entered == "-1"
    assert session.scenario.scores == ScoreOptions(scale=0.25)
    enter(session, (4, "softcap", 0, 0, "none"))
    assert not session.refusals
