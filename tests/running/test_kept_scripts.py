"""Streamlit's scripts from memory: the same bytes, fewer for who is far away, nothing else."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from tests.coroutines import run
from ui.served_scripts import NAMES, SCRIPTS, KeptScripts

ENTRY = next(name for name in sorted(NAMES) if name.startswith("index."))
AT = f"/static/js/{ENTRY}"
SCRIPT = (SCRIPTS / ENTRY).read_bytes()
OF_THE_APP = b"of the app"
FAR, NEAR = "203.0.113.7", "127.0.0.1"


class Answer(NamedTuple):
    headers: dict[str, str]
    body: bytes


def asked(
    host: str, path: str, headers: Mapping[str, str] | None = None, method: str = "GET"
) -> Answer:
    """What a browser at this address gets."""
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": OF_THE_APP})

    async def send(message: Any) -> None:
        sent.append(message)

    pairs = [(name.encode(), text.encode()) for name, text in (headers or {}).items()]
    scope = {"type": "http", "method": method, "path": path, "headers": pairs, "client": (host, 1)}
    run(KeptScripts(app)(scope, None, send))  # type: ignore[arg-type]
    start, *parts = sent
    said = {name.decode(): text.decode() for name, text in start["headers"]}
    return Answer(said, b"".join(part.get("body", b"") for part in parts))


@pytest.mark.parametrize("base", ["", "/below/a/base"])
@pytest.mark.parametrize("host", [NEAR, FAR])
def test_a_script_is_what_the_disk_has(base: str, host: str) -> None:
    answer = asked(host, base + AT)
    assert answer.body == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("host", "takes", "encoding"),
    [
        (NEAR, "gzip", None),  # on the same machine
        ("::1", "gzip", None),
        (FAR, "br, gzip", "gzip"),
        (FAR, "identity", None),
    ],
)
def test_it_is_packed_for_who_is_far_away_and_takes_it(
    host: str, takes: str, encoding: str | None
) -> None:
    answer = asked(host, AT, {"accept-encoding": takes})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert (gzip.decompress(answer.body) if encoding else answer.body) == SCRIPT
    assert not encoding or len(answer.body) < len(SCRIPT) / 2


@pytest.mark.parametrize(
    "path",
    ["/static/js/none.js", "/static/js/", f"/static/css/{ENTRY}", f"/static/js/more/{ENTRY}", "/"],
)
def test_all_else_goes_on_to_the_app(path: str) -> None:
    assert asked(FAR, path).body == OF_THE_APP


def test_a_part_of_one_and_what_is_sent_there_go_on_too() -> None:
    assert asked(FAR, AT, {"range": "bytes=0-9"}).body == OF_THE_APP
    assert asked(FAR, AT, method="POST").body == OF_THE_APP
