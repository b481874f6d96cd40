"""Write down whatever goes wrong on a page, whatever its test is looking at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page


def watch(page: Page, app_url: str, complaints: list[str]) -> Callable[[], None]:
    """Note the page's errors, and every address outside the app that it asks for.

    The function that comes back ends the watch.
    """
    app = urlsplit(app_url).netloc

    def note_outside(url: str) -> None:
        place = urlsplit(url)
        if place.scheme in {"http", "https", "ws", "wss"} and place.netloc != app:
            complaints.append(f"the page asked for {url}")

    def note_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(f"the browser's console says: {message.text}")

    notes: dict[str, Callable[[Any], None]] = {
        "request": lambda request: note_outside(request.url),
        "websocket": lambda socket: note_outside(socket.url),
        "console": note_console,
        "pageerror": lambda error: complaints.append(f"a script failed: {error}"),
    }
    for event, note in notes.items():
        page.on(event, note)  # type: ignore[call-overload] # it has one for each name

    def end() -> None:
        for event, note in notes.items():
            page.remove_listener(event, note)

    return end
