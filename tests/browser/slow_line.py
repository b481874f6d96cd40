"""A slow line from the server to a browser: what is sent is held back, and comes later.

A test asks for `late_page` and `line`. The page is on that line from its first visitor on. It holds
the messages itself: if each went through the test, a visit would take half as much again.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.reading import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

ENTRY_TAKEN = b'"taken":%d,'

# Its listener is the first one of each connection.
IN_THE_PAGE: Final = """(() => {
  let held = null; // the messages, each with its connection
  let told = 0; // of them, so many are known to the test
  let isPassing = false;
  const pass = (messages) => {
    isPassing = true;
    for (const [socket, data] of messages) {
      socket.dispatchEvent(new MessageEvent("message", { data }));
    }
    isPassing = false;
  };
  const inLetters = async ([, data]) => {
    const bytes = new Uint8Array(await new Response(data).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  };
  window.line = {
    opened: 0,
    hold() { [held, told] = [[], 0]; },
    tell() {
      const untold = held.slice(told);
      told = held.length;
      return Promise.all(untold.map(inLetters));
    },
    letGo(count) {
      told -= count;
      pass(held.splice(0, count));
    },
    letAllGo() {
      const all = held ?? [];
      held = null;
      pass(all);
    },
    cut() { this.newest.close(); },
  };
  window.WebSocket = class extends WebSocket {
    constructor(...asked) {
      super(...asked);
      line.newest = this;
      line.opened += 1;
      this.addEventListener("message", (event) => {
        if (!held || isPassing) return;
        event.stopImmediatePropagation();
        held.push([this, event.data]);
      });
    }
  };
})()"""


class SlowLine:
    """What the server sends, held back between `hold` and `let_go`."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._held: list[bytes] = []
        page.add_init_script(IN_THE_PAGE)

    def hold(self) -> None:
        self._held = []
        self._page.evaluate("line.hold()")

    def wait_for_runs(self, count: int) -> None:
        """Wait until the server has sent so many runs that the browser has not got."""
        self._wait_until(lambda: sum(map(_ends_a_run, self._held)) >= count)

    def let_one_run_go(self) -> None:
        """Send what is held up to the end of a run, and hold the rest."""
        self._let_go_up_to(_ends_a_run)

    def let_pictures_go(self, entry: int) -> None:
        """Send what is held up to the word that the entry was taken, and hold the rest."""
        taken = ENTRY_TAKEN % entry
        self._wait_until(lambda: any(taken in each for each in self._held))
        self._let_go_up_to(lambda each: taken in each)

    def let_go(self) -> None:
        self._page.evaluate("window.line?.letAllGo()")

    def cut(self) -> None:
        """End the connection, and wait until the browser has connected again."""
        opened = self._page.evaluate("line.opened")
        self._page.evaluate("line.cut()")
        wait_until(self._page, "opened => line.opened > opened", opened)

    def _wait_until(self, holds: Callable[[], bool]) -> None:
        while True:
            self._held += map(base64.b64decode, self._page.evaluate("line.tell()"))
            if holds():
                return
            self._page.wait_for_timeout(20)

    def _let_go_up_to(self, is_last: Callable[[bytes], bool]) -> None:
        count = next(i for i, each in enumerate(self._held) if is_last(each)) + 1
        self._page.evaluate("count => line.letGo(count)", count)
        del self._held[:count]


LINES: Final[WeakKeyDictionary[Page, SlowLine]] = WeakKeyDictionary()


def on_a_slow_line(page: Page) -> None:
    """How such a page is prepared."""
    LINES[page] = SlowLine(page)


def _ends_a_run(message: bytes) -> bool:
    return ForwardMsg.FromString(message).WhichOneof("type") == "script_finished"
