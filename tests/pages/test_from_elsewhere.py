"""A browser whose process has died comes to this one, with fields that another process told.

Here it comes as such a browser does in a bad moment: it says nothing of its fields, and newer
events overtake what it is sent.
"""

from __future__ import annotations

import pytest

from tests.pages.visitor import Visitor
from ui.state import Session, binding

AFTER_ANOTHER = "7 another 0123456789abcdef"  # the receipt that another process gave


@pytest.fixture(autouse=True)
def _all_come_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def comes_from_elsewhere(session: Session) -> bool:
        return not session.conversation.last_whole_run

    monkeypatch.setattr(binding, "_comes_from_elsewhere", comes_from_elsewhere)


@pytest.fixture
def _only_the_first_run_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer event overtakes the second run, which would tell all fields their values."""
    monkeypatch.setattr(binding.st, "rerun", lambda: None)


@pytest.mark.usefixtures("_only_the_first_run_is_sent")
def test_what_was_open_stays_open_from_the_first() -> None:
    visitor = Visitor("example=pizza&open=into&fold=together")
    assert visitor.plots.keys() >= {"into the heads", "heads"}
    assert "together" not in visitor.plots


@pytest.mark.usefixtures("_only_the_first_run_is_sent")
def test_a_field_that_showed_its_default_for_a_moment_is_no_entry() -> None:
    visitor = Visitor("example=pizza")
    assert not visitor.shows("shared_scale")
    assert visitor.run().shows("shared_scale")
    visitor.at.text_input(key=binding.RECEIPT_KEY).set_value(AFTER_ANOTHER)
    visitor.enter("shared_scale", False)  # as it showed before
    assert visitor.view.shared_scale
    assert visitor.shows("shared_scale")
    assert not visitor.enter("shared_scale", False).view.shared_scale  # now a person has entered it
