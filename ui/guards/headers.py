"""Headers with which a browser keeps the page to itself.

The server sends them with every answer, so they hold behind any proxy and without one.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.served_page import inline_scripts

FRAME_ANCESTORS: Final = "EXPLORER_FRAME_ANCESTORS"  # the environment variable
# Each is a keyword, or an address without a path, as in https://*.example.org:8443. A keyword
# without its quotes would be taken for the name of a machine.
_ANCESTOR: Final = re.compile(
    r"'(self|none)'|(?!(self|none)$)(https?://)?(\*|(\*\.)?[\w.-]+)(:(\d+|\*))?"
)
# Streamlit starts a component's script from a `blob:`, which only a script can make, and reads its
# messages with a piece of WebAssembly. Neither lets a text become a script.
_SCRIPTS: Final = ("'self'", "blob:", "'wasm-unsafe-eval'")
_NOT_USED: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("magnetometer", "microphone", "midi", "payment", "screen-wake-lock", "serial", "usb"),
)


class Headers:
    """Adds the headers to each answer."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def security_headers(frame_ancestors: str = "") -> dict[str, str]:
    return {
        "Content-Security-Policy": _policy(checked_ancestors(frame_ancestors)),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _NOT_USED),
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def checked_ancestors(said: str) -> str:
    """The pages that may show this one in a frame, as the policy writes them.

    >>> checked_ancestors("'self' https://moodle.example.org")
    "'self' https://moodle.example.org"
    >>> checked_ancestors("")
    "'self'"
    """
    ancestors = said.split() or ["'self'"]
    for ancestor in ancestors:
        if not _ANCESTOR.fullmatch(ancestor):
            raise ValueError(
                f"{FRAME_ANCESTORS} must be addresses as https://moodle.example.org, 'self', "
                f"'none' or *, with spaces between them, got {ancestor!r}. "
                "Leave it out for 'self'."
            )
    return " ".join(ancestors)


def _policy(frame_ancestors: str) -> str:
    """What a page may load and run. Streamlit writes its styles into the page."""
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join([*_SCRIPTS, *_hashes_of_inline_scripts()]),
        "style-src": "'self' 'unsafe-inline'",
        "font-src": "'self' data:",
        "img-src": "'self' data: blob:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": frame_ancestors,
    }
    return "; ".join(f"{name} {sources}" for name, sources in allowed.items())


def _hashes_of_inline_scripts() -> list[str]:
    digests = (hashlib.sha256(text.encode()).digest() for text in inline_scripts())
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
