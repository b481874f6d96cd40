"""The headers that go out with every answer."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.responses import PlainTextResponse

from tests.coroutines import run
from ui.guards import guards
from ui.guards.headers import FRAME_ANCESTORS, Headers, checked_ancestors, security_headers


def sent_by(app: Any, kind: str) -> list[Any]:
    """What an app sends in answer to one request of this kind."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": kind, "method": "GET", "path": "/", "headers": []}
    run(app(scope, None, send))
    return sent


def test_every_answer_has_them_beside_its_own() -> None:
    answer = PlainTextResponse("no", 404, headers={"Cache-Control": "no-store"})
    start, *_ = sent_by(Headers(answer, security_headers()), "http")
    got = {name.decode(): value.decode() for name, value in start["headers"]}
    assert got["cache-control"] == "no-store"
    assert start["status"] == 404
    assert {name: got[name.lower()] for name in security_headers()} == security_headers()


def test_a_websocket_passes_as_it_is() -> None:
    async def accepting(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})

    assert sent_by(Headers(accepting, security_headers()), "websocket") == [
        {"type": "websocket.accept"}
    ]


def test_no_text_is_a_script() -> None:
    policy = security_headers()["Content-Security-Policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'unsafe-inline'" not in scripts
    assert "'unsafe-eval'" not in scripts
    assert "data:" not in scripts
    assert "//" not in policy  # no other site


def test_who_may_frame_the_page_is_said_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy() -> str:
        first, *_ = guards()
        (headers,) = first.args
        said: str = headers["Content-Security-Policy"]
        return said

    monkeypatch.delenv(FRAME_ANCESTORS, raising=False)
    assert policy().endswith("; frame-ancestors 'self'")
    monkeypatch.setenv(FRAME_ANCESTORS, "'self' https://*.example.org:8443")
    assert policy().endswith("; frame-ancestors 'self' https://*.example.org:8443")
    monkeypatch.setenv(FRAME_ANCESTORS, "foo;bar")
    with pytest.raises(SystemExit, match=f"The server cannot start: {FRAME_ANCESTORS} must be"):
        guards()


@pytest.mark.parametrize("said", ["*", "'none'", "example.org", "https://a.org http://b.org:*"])
def test_addresses_and_keywords_are_taken(said: str) -> None:
    assert checked_ancestors(said) == said


@pytest.mark.parametrize(
    "said", ["self", "a.org; script-src *", "a.org,b.org", "https://a.org/page", "'self' 'unsafe'"]
)
def test_nothing_else_gets_into_the_policy(said: str) -> None:
    with pytest.raises(ValueError, match=f"{FRAME_ANCESTORS} must be addresses .* Leave it out"):
        checked_ancestors(said)
