"""A file for which there is no room is refused before any of it is taken into memory."""

from __future__ import annotations

import logging
import re
from typing import Final

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mha_core.checks.errors import FileError, LimitError
from ui.hosting import UPLOADS as PATH
from ui.machine.limits import MEGABYTE
from ui.state.presence import CLEANER
from ui.state.uploads import UPLOADS, check_that_files_are_counted, is_here

LOG: Final = logging.getLogger("explorer")
TOO_LARGE: Final = 413
NOT_TAKEN: Final = 503
_SENDING: Final = ("PUT", "POST", "PATCH")  # ways to send a file; Streamlit's is PUT
_SIZE: Final = re.compile("[0-9]{1,15}")
AROUND_A_FILE: Final = MEGABYTE  # which Streamlit allows beside the bytes of the file


class RoomForUploads:
    """Refuses files beyond the limits of a visitor and of the machine.

    A session that is not here may be at another replica, which counts for itself. Streamlit refuses
    such a file at once, and the front asks the next replica. If Streamlit keeps files in a way that
    we do not know, no file is taken, wherever it is sent.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._until_the_visitor_goes(scope, receive, send)
            return
        if scope["type"] == "http" and scope["method"] in _SENDING:
            try:
                check_that_files_are_counted()
            except FileError as refused:
                LOG.warning(f"No file is taken: {refused}")
                await _hear_out(receive)
                await PlainTextResponse(str(refused), NOT_TAKEN)(scope, receive, send)
                return
        session = _sends_to(scope)
        if not (session and is_here(session)):
            await self.app(scope, receive, send)
            return
        try:
            coming = UPLOADS.expect(session, _size(Headers(scope=scope)))
        except LimitError as refused:
            await _hear_out(receive)
            await PlainTextResponse(str(refused), TOO_LARGE)(scope, receive, send)
            return

        async def answered(message: Message) -> None:
            UPLOADS.has_come(coming)  # by now it is counted where it is kept
            await send(message)

        try:
            await self.app(scope, receive, answered)
        finally:
            UPLOADS.has_come(coming)

    async def _until_the_visitor_goes(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A program may go before a page has run: then no page has noted that it was here."""
        try:
            await self.app(scope, receive, send)
        finally:
            CLEANER.clean_after()


def _sends_to(scope: Scope) -> str:
    """The session that a file is sent to; "" where none is sent."""
    if scope["type"] != "http" or scope["method"] not in _SENDING:
        return ""
    return str(scope["path"].partition(PATH)[2].partition("/")[0])


def _size(headers: Headers) -> int:
    """What the request says of its size. One that comes in pieces counts as the largest."""
    said = headers.get("Content-Length", "")
    if _SIZE.fullmatch(said) and "Transfer-Encoding" not in headers:
        return int(said)
    return _most()


async def _hear_out(receive: Receive) -> None:
    """Let the browser send the file, and keep none of it: until then, it hears no answer."""
    heard, more = 0, True
    while more and heard <= _most():
        message = await receive()
        heard += len(message.get("body", b""))
        more = message.get("more_body", False)


def _most() -> int:
    """Bytes of the largest request that Streamlit takes."""
    return int(st.get_option("server.maxUploadSize")) * MEGABYTE + AROUND_A_FILE
