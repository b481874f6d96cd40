"""A page of another site may not open the app's websocket in a visitor's name.

Streamlit refuses it too. But before that it asks a server outside for its own address, and all
visitors wait meanwhile. So it is refused here.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

_THIS_MACHINE: Final = {"localhost", "127.0.0.1"}  # of the visitor: Streamlit lets these in
_REFUSED: Final = 1008  # "against the rules", in the words of websockets


class OwnOrigins:
    """Refuses websockets that pages of other sites open."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not _is_own(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": _REFUSED})
            return
        await self.app(scope, receive, send)


def _is_own(headers: Headers) -> bool:
    """Whether no page asks, or one of this app, or one that Streamlit's settings name."""
    origin = headers.get("Origin")
    if origin is None or not st.get_option("server.enableCORS"):
        return True
    if origin.partition("//")[2] == headers.get("Host"):
        return True
    named = {_machine(allowed) for allowed in st.get_option("server.corsAllowedOrigins")}
    return _machine(origin) in (named | _THIS_MACHINE) - {""}


def _machine(address: str) -> str:
    """The name of the machine in an address, with or without http:// before it.

    >>> _machine("https://Example.org:8501"), _machine("example.org"), _machine("null//[")
    ('example.org', 'example.org', '')
    """
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""
