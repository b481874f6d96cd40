"""What the buttons of undo are told of the session that the tab had before a reload."""

from __future__ import annotations

import pytest

from tests.ui.state.working import at_pizza, scale
from ui.controls import history
from ui.state import Session


@pytest.mark.parametrize("is_left", [True, False])
def test_a_reload_is_answered_once_the_visitor_of_the_page_before_has_gone(
    monkeypatch: pytest.MonkeyPatch, *, is_left: bool
) -> None:
    before = at_pizza()
    scale(before, 2.0)
    if is_left:
        before.leave()
    session = Session(before.scenario)
    told = {session.key(history.HISTORY_KEY): {"before": before.id}}
    monkeypatch.setattr(history, "reports", lambda: told)
    assert history._go_on_after_a_reload(session) == (before.id if is_left else None)
    assert session.history.last == int(is_left)


@pytest.mark.parametrize(
    ("named", "answer"), [("a server before", "a server before"), (None, None), (7, None)]
)
def test_a_session_that_nobody_knows_is_named_once(
    monkeypatch: pytest.MonkeyPatch, named: object, answer: str | None
) -> None:
    session = at_pizza()
    told = {session.key(history.HISTORY_KEY): {"before": named}}
    monkeypatch.setattr(history, "reports", lambda: told)
    assert history._go_on_after_a_reload(session) == answer
