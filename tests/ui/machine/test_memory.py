"""Memory goes back to the system, where the system wants to be asked."""

from __future__ import annotations

import pytest

from ui.machine import memory


def test_memory_can_be_given_back_here() -> None:
    memory.give_back()


@pytest.mark.parametrize("of_system", ["linux", "win32"])
def test_a_system_without_that_call_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, of_system: str
) -> None:
    monkeypatch.setattr(memory.sys, "platform", of_system)
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: object())
    memory.give_back()
