"""What a browser reports can be read while another run takes widgets away."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from ui.reports import reports


class Busy:
    """A state that another run changes while it is copied: the first times that it is asked."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def to_dict(self) -> dict[str, Any]:
        if self.errors:
            raise self.errors.pop(0)
        return {"heads": 4}


def test_a_copy_that_fails_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = RuntimeError("dictionary changed size during iteration")
    monkeypatch.setattr(st, "session_state", Busy(changed, changed))
    assert reports() == {"heads": 4}


def test_any_other_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", Busy(RuntimeError("another")))
    with pytest.raises(RuntimeError, match="another"):
        reports()
