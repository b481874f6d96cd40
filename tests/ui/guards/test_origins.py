"""Whose pages may open the websocket. Streamlit, which would ask outside, is not even reached."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit import config

from tests.coroutines import run
from ui.guards.origins import OwnOrigins

REFUSED = [{"type": "websocket.close", "code": 1008}]
REACHED = [{"type": "websocket.accept"}]


def answer_to(origin: str | None, host: str = "app.example.org", kind: str = "websocket") -> Any:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def streamlit(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    headers = {"host": host} | ({"origin": origin} if origin is not None else {})
    said = [(name.encode(), value.encode()) for name, value in headers.items()]
    run(OwnOrigins(streamlit)({"type": kind, "headers": said}, None, send))
    return sent


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "app.example.org"),  # no page at all
        ("https://app.example.org", "app.example.org"),
        ("http://app.example.org:8501", "app.example.org:8501"),
        ("http://[::1]:8501", "[::1]:8501"),
        ("http://localhost:3000", "127.0.0.1:8501"),
    ],
)
def test_its_own_pages_are_let_in(origin: str | None, host: str) -> None:
    assert answer_to(origin, host) == REACHED


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "https://evil.example",
            "https://app.example.org.evil.example",
            "null",
            "",
            "//",
            "[",
            "::",
        ),
        *(
            "https://evil.example/app.example.org",
            "http://app.example.org:1",
            "https://localhost.evil",
        ),
        "http://[::1",
    ],
)
def test_pages_of_others_are_not(origin: str) -> None:
    assert answer_to(origin) == REFUSED


def test_streamlits_own_settings_let_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def get_option(name: str) -> Any:
        return {"server.enableCORS": True, "server.corsAllowedOrigins": ["a.org", "http://b.org"]}[
            name
        ]

    monkeypatch.setattr("streamlit.get_option", get_option)
    assert [answer_to(f"https://{name}.org") for name in "abc"] == [REACHED, REACHED, REFUSED]
    monkeypatch.setattr("streamlit.get_option", lambda name: name != "server.enableCORS")
    assert answer_to("https://c.org") == REACHED


def test_the_settings_are_streamlits() -> None:
    assert {"server.enableCORS", "server.corsAllowedOrigins"} <= set(config.get_config_options())


def test_other_requests_pass() -> None:
    assert answer_to("https://evil.example", kind="http") == REACHED
