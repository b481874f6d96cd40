"""Write down whatever goes wrong on a page, whatever its test is looking at."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page


def watch(page: Page, app_url: str, complaints: list[str]) -> None:
    """Note the page's errors, and every address outside the app that it asks for."""
    app = urlsplit(app_url).netloc

    def note_outside(url: str) -> None:
        place = urlsplit(url)
        if place.scheme in {"http", "https", "ws", "wss"} and place.netloc != app:
            complaints.append(f"the page asked for {url}")

    def note_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"the browser's console says: {message.text}")

    page.on("request", lambda request: note_outside(request.url))
    page.on("websocket", lambda socket: note_outside(socket.url))
    page.on("console", note_console)
    page.on("pageerror", lambda error: complaints.append(f"a script failed: {error}"))
