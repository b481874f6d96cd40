"""Streamlit's scripts, each read once and then kept.

A browser asks for nearly a hundred of them before it shows anything. Streamlit looks at the disk
for each, in a thread of its own, and sends two megabytes where a quarter would do.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

SCRIPTS: Final = Path(st.__file__).parent / "static" / "static" / "js"
NAMES: Final = frozenset(file.name for file in SCRIPTS.glob("*.js"))
HEADERS: Final = {
    "Cache-Control": "public, immutable, max-age=31536000",  # its name has its hash
    "Vary": "Accept-Encoding",
}
JAVASCRIPT: Final = "text/javascript; charset=utf-8"
NEAR: Final = ("127.0.0.1", "::1")  # on the same machine, to unpack takes longer than to send
_PLACE: Final = re.compile(r"/static/js/([^/]+)$")


class KeptScripts:
    """Answers for them; everything else goes on to the app, as does who asks for a part."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As the server calls it."""
        name = _script_asked_for(scope)
        if name is None:
            await self.app(scope, receive, send)
        else:
            await _answer(name, is_packed=_takes_packed(scope))(scope, receive, send)


MIDDLEWARE: Final = [Middleware(KeptScripts)]


def _script_asked_for(scope: Scope) -> str | None:
    if scope["type"] != "http" or scope["method"] != "GET" or "range" in Headers(scope=scope):
        return None
    asked = _PLACE.search(scope["path"])
    return asked[1] if asked and asked[1] in NAMES else None


def _takes_packed(scope: Scope) -> bool:
    host, _ = scope.get("client") or ("", 0)
    return host not in NEAR and "gzip" in Headers(scope=scope).get("accept-encoding", "")


@cache
def _answer(name: str, *, is_packed: bool) -> Response:
    script = (SCRIPTS / name).read_bytes()
    if not is_packed:
        return Response(script, headers=HEADERS, media_type=JAVASCRIPT)
    headers = {**HEADERS, "Content-Encoding": "gzip"}
    return Response(gzip.compress(script, mtime=0), headers=headers, media_type=JAVASCRIPT)
