"""What the app does because it may be one of several replicas behind a front."""

from __future__ import annotations

from typing import Final

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOADS: Final = "/_stcore/upload_file/"


class UploadsPassedOn:
    """Answers "not found" to a file for a session that is not here.

    Streamlit says "bad request", which a front takes for the last word. On "not found" it asks the
    next replica, until it comes to the one that has the session.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 400:
                message["status"] = 404
            await send(message)

        is_upload = scope["type"] == "http" and UPLOADS in scope["path"]
        await self.app(scope, receive, send_on if is_upload else send)


MIDDLEWARE: Final = (Middleware(UploadsPassedOn),)
