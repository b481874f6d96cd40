"""Memory runs out in the middle of a change: nothing is changed, and the page says why."""

from __future__ import annotations

from typing import Any

import pytest

from mha_core import Scenario
from tests.pages.visitor import Visitor
from tests.ui.state.working import PIZZA, at_pizza, scale
from ui.machine.measures import Measures
from ui.running import errors
from ui.state import Session
from ui.state import session as session_module

SAID = "This must fit into the memory that the server has left, got more. Nothing was changed."


def fails(_: Scenario) -> Any:
    raise MemoryError


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "trace_to_show", fails)


@pytest.mark.usefixtures("no_memory")
def test_a_change_without_memory_is_refused_in_words() -> None:
    session = at_pizza()
    scale(session, 2.0)
    assert session.scenario is PIZZA
    assert session.refusals["scale"].reason.startswith(SAID)


def test_the_refused_change_can_be_made_once_there_is_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = at_pizza()
    with monkeypatch.context() as patch:
        patch.setattr(session_module, "trace_to_show", fails)
        scale(session, 2.0)
        scale(session, 3.0)
        assert list(session.refusals) == ["scale"]
    scale(session, 2.0)
    assert (session.scenario.scores.scale, session.refusals) == (2.0, {})


@pytest.mark.usefixtures("no_memory")
def test_a_file_without_memory_is_refused_in_words() -> None:
    session = at_pizza()
    session.attempt_to_open("open-file", "large.npz", lambda: Session(PIZZA).scenario)
    assert session.refusals["open-file"].reason.startswith(SAID)


def test_the_page_says_so_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Visitor("example=pizza")
    with monkeypatch.context() as patch:
        patch.setattr(session_module, "trace_to_show", fails)
        page.enter("scale", "0.7")
        assert page.complains(SAID)
        assert page.scenario == PIZZA
    page.enter("scale", "0.8")
    assert page.scenario.scores.scale == 0.8


def test_a_run_without_memory_ends_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said, counted = list[str](), Measures()
    monkeypatch.setattr(errors, "MEASURES", counted)
    monkeypatch.setattr(errors.st, "error", lambda words, icon: said.append(words))
    assert errors.explain(MemoryError())
    assert not errors.explain(ValueError("a value"))
    assert len(said) == 1
    assert said[0].startswith("This must fit into the memory")
    assert (counted.failed, counted.out_of_memory) == (2, 1)
