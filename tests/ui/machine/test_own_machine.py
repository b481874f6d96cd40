"""Who may name a path of the machine that serves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import streamlit as st

from ui.machine.own_machine import VARIABLE, is_at_own_machine

FOR_ONE = {VARIABLE: "1"}


@pytest.mark.parametrize(
    ("environment", "address", "headers", "may"),
    [
        (FOR_ONE, None, {}, True),
        ({}, None, {}, False),
        ({VARIABLE: "0"}, None, {}, False),
        (FOR_ONE, "192.168.0.7", {}, False),
        (FOR_ONE, None, {"X-Forwarded-For": "192.168.0.7"}, False),
        (FOR_ONE, None, {"Via": "1.1 front"}, False),
    ],
)
def test_a_path_may_be_named_only_at_the_machine_itself(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    address: str | None,
    headers: dict[str, str],
    may: bool,
) -> None:
    monkeypatch.setattr(st, "context", SimpleNamespace(ip_address=address, headers=headers))
    assert is_at_own_machine(environment) is may
