"""A slow line from the server to a browser: what is sent is held back, and comes later.

A test asks for `late_page` and `line`. The page is on that line from its first visitor on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

STREAM = re.compile(r"/_stcore/stream")
ENTRY_TAKEN = b'"taken":%d,'


class SlowLine:
    """What the server sends, held back between `hold` and `let_go`."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._held: list[str | bytes] | None = None
        page.route_web_socket(STREAM, self._connect)

    def hold(self) -> None:
        self._held = []

    def wait_for_runs(self, count: int) -> None:
        """Wait until the server has sent so many runs that the browser has not got."""
        while sum(_ends_a_run(each) for each in self._held or ()) < count:
            self._page.wait_for_timeout(20)

    def let_one_run_go(self) -> None:
        """Send what is held up to the end of a run, and hold the rest."""
        held = self._held or []
        end = next(i for i, each in enumerate(held) if _ends_a_run(each)) + 1
        for message in held[:end]:
            self._to_browser.send(message)
        del held[:end]

    def let_pictures_go(self, entry: int) -> None:
        """Send what is held up to the word that the entry was taken, and hold the rest."""
        taken, held = ENTRY_TAKEN % entry, self._held or []
        while not any(taken in _bytes(each) for each in held):
            self._page.wait_for_timeout(20)
        end = next(i for i, each in enumerate(held) if taken in _bytes(each))
        for message in held[:end]:
            self._to_browser.send(message)
        del held[:end]

    def let_go(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._to_browser.send(message)

    def cut(self) -> None:
        """End the connection on both sides, and wait until the browser has connected again."""
        ended = self._to_browser
        self._to_server.close()
        ended.close()
        while self._to_browser is ended:
            self._page.wait_for_timeout(20)

    def _connect(self, browser: WebSocketRoute) -> None:
        self._to_browser, self._to_server = browser, browser.connect_to_server()
        browser.on_message(self._to_server.send)
        self._to_server.on_message(self._pass_on)

    def _pass_on(self, message: str | bytes) -> None:
        if self._held is None:
            self._to_browser.send(message)
        else:
            self._held.append(message)


LINES: Final[WeakKeyDictionary[Page, SlowLine]] = WeakKeyDictionary()


def on_a_slow_line(page: Page) -> None:
    """How such a page is prepared."""
    LINES[page] = SlowLine(page)


def _bytes(message: str | bytes) -> bytes:
    assert isinstance(message, bytes)
    return message


def _ends_a_run(message: str | bytes) -> bool:
    return ForwardMsg.FromString(_bytes(message)).WhichOneof("type") == "script_finished"
