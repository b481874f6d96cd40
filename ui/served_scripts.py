"""Streamlit's scripts, each read once and then kept.

A browser asks for nearly a hundred of them before it shows anything. Streamlit looks at the disk for
each, in a thread of its own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

SCRIPTS: Final = Path(st.__file__).parent / "static" / "static" / "js"
NAMES: Final = frozenset(file.name for file in SCRIPTS.glob("*.js"))
FOR_EVER: Final = {"Cache-Control": "public, immutable, max-age=31536000"}  # its name has its hash
JAVASCRIPT: Final = "text/javascript; charset=utf-8"
_PLACE: Final = re.compile(r"/static/js/([^/]+)$")


class KeptScripts:
    """Answers for them; everything else goes on to the app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = _PLACE.search(scope["path"]) if scope["type"] == "http" else None
        plain = scope.get("method") == "GET" and "range" not in Headers(scope=scope) if asked else 0
        if asked and plain and asked[1] in NAMES:
            await _answer(asked[1])(scope, receive, send)
        else:
            await self.app(scope, receive, send)


@cache
def _answer(name: str) -> Response:
    return Response((SCRIPTS / name).read_bytes(), headers=FOR_EVER, media_type=JAVASCRIPT)
