"""Write down whatever goes wrong on a page, whatever its test is looking at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page


# Except on the first page, Streamlit looks for its server below the page before it looks above.
SEARCH = re.compile(r"/[a-z_]+/_stcore/(health|host-config)")


def is_search_for_server(url: str) -> bool:
    """Whether Streamlit asked here for its own server, which is elsewhere."""
    return SEARCH.fullmatch(urlsplit(url).path) is not None


def watch(page: Page, app_url: str, complaints: list[str]) -> None:
    """Note the page's errors, and every address outside the app that it asks for."""
    app = urlsplit(app_url).netloc

    def note_outside(url: str) -> None:
        place = urlsplit(url)
        if place.scheme in {"http", "https", "ws", "wss"} and place.netloc != app:
            complaints.append(f"the page asked for {url}")

    def note_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not is_search_for_server(message.location["url"]):
            complaints.append(f"the browser's console says: {message.text}")

    page.on("request", lambda request: note_outside(request.url))
    page.on("websocket", lambda socket: note_outside(socket.url))
    page.on("console", note_console)
    page.on("pageerror", lambda error: complaints.append(f"a script failed: {error}"))
