"""Visitors of a page, each with a browser of their own as far as anybody can tell."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import TimeoutError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.serving import AppServer

# Only a failing test takes so long: what it waits for comes at once, except on a busy machine.
PATIENCE: Final = 90  # seconds

LOOK: Final[dict[str, Any]] = {
    "media": "screen",
    "color_scheme": "light",
    "forced_colors": "none",
    "contrast": "no-preference",
    # What Streamlit moves while a page opens is drawn by the processor, and takes as long as all
    # the rest of it. So only a test that is about motion asks for it.
    "reduced_motion": "reduce",
}

SOON: Final = 10  # seconds, for what may be left undone instead

WAITING: Final = "next_visitor"

# Where a page that has served one visitor waits; where the next one goes from there.
GO: Final = """address => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""

# What a visitor can leave in a page, beside what goes with the app's own page. A page is used again
# only if this is the same as in a page that nobody has visited. Streamlit's scripts set some
# globals as they come; tests that use `axe` and two notes set them anew. What replaces something of
# the browser's own, such as a late clock, has an old name: it shows by not being native.
LEFT: Final = """() => {
  const comesAndGoes = (name) => /^(\\d+$|core$|__|axe$|hitCell$|paintedBefore$)/.test(name);
  const isWritten = (it) => typeof it === "function" && !/\\[native code\\]/.test(String(it));
  const valuesOf = (owner) => Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name]) => !comesAndGoes(name)).map(([name, { value }]) => [name, value]);
  const kinds = valuesOf(window).map(([, value]) => value?.prototype)
    .filter((prototype) => prototype && typeof prototype === "object");
  return {
    globals: Object.keys(window).sort().filter((name) => !comesAndGoes(name)),
    written: [window, document, ...kinds].flatMap(valuesOf)
      .filter(([, value]) => isWritten(value)).map(([name]) => name).sort(),
    navigator: Object.getOwnPropertyNames(navigator),
    root: [...document.documentElement.attributes].map(({ name, value }) => `${name}=${value}`),
    body: [...document.body.attributes].map(({ name, value }) => `${name}=${value}`),
    // What comes with the HTML of a page is left by nobody.
    below: [...document.body.children].filter((part) => part.innerHTML)
      .filter((part) => !part.matches("script, style, noscript")).map(({ id }) => id),
  };
}"""
HAS_RUN: Final = "[data-test-script-state=notRunning]"
IS_CONNECTED: Final = "[data-test-connection-state=CONNECTED]"

# The Tab key goes on from what had the focus last, though it is gone.
CLEAN: Final = """() => {
  document.dispatchEvent(new Event("attention-another-visit")); // ui/plot/js/stays.js
  sessionStorage.clear();
  getSelection().removeAllRanges();
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""

# Pages that wait still need what Streamlit gave them against forged uploads.
NOT_OF_THE_PAGE_ITSELF: Final = re.compile("^(?!_streamlit_xsrf$)")

# What changes how a page loads, or what its scripts find. It cannot be taken back.
FOR_GOOD: Final = (
    "route",
    "route_web_socket",
    "add_init_script",
    "expose_function",
    "expose_binding",
)

# Each visitor may leave something in the browser's memory. For the hundredth, a page opens as
# quickly as for the tenth.
MOST_VISITORS: Final = 100

# A window that was full takes no other size for a while.
NOTE_FULL_SCREEN: Final = """
document.addEventListener("fullscreenchange", () => { window.wasFullScreen = true; });
"""


Prepare = Callable[["Page"], None]


def as_it_is(page: Page) -> None:
    """Most pages are not prepared."""


class Kind(NamedTuple):
    """What visitors who share a page have in common."""

    options: str  # of their context, as JSON
    prepared: Prepare


class Visitors:
    """Opens a page for a visitor with these options, as `browser.new_context` knows them.

    Visitors with the same options share the files that the browser has fetched, which do not change
    while tests run: a page opens in half the time. At an app whose address is known, and beside the
    files of a disk, a page that shows nothing stays open. It keeps the browser's process alive, and
    with it the compiled scripts, which would take a second of each visit. A window's size and its
    look are a page's own, so these visitors share too.

    Most of a visit is Streamlit's own start in the browser. So a page whose visitor has left serves
    the next one, where its server is given tests/next_visitor: it goes, without being loaded anew,
    to a page of the app that ends the session, and waits there. `open_page` goes on from it;
    `page.goto` loads everything, as ever.

    `prepared` changes each new page before it loads anything. The change holds for all its
    visitors, who all ask for it.
    """

    def __init__(self, browser: Browser, *, most: int = MOST_VISITORS) -> None:
        self._browser = browser
        self._most = most
        self._contexts: dict[str, BrowserContext] = {}  # by their options
        self._waiting: dict[Kind, list[Page]] = {}
        self._kinds: dict[Page, Kind] = {}
        self._served: Counter[Page] = Counter()
        self._as_new: dict[Kind, Any] = {}  # what is LEFT in a page that nobody has visited

    def __call__(
        self,
        *,
        prepared: Prepare = as_it_is,
        app: AppServer | None = None,
        waits: bool = False,
        **options: Any,
    ) -> Page:
        """A page for a visitor. The first one of an app that is named waits there already.

        So does each if it `waits`: what is changed in it stays as it goes on.
        """
        look = LOOK | {name: options.pop(name) for name in LOOK if name in options}
        viewport = options.pop("viewport", None)
        kind = Kind(json.dumps(options, sort_keys=True), prepared)
        page = self._waiting[kind].pop() if self._waiting.get(kind) else self._new(kind, options)
        page.emulate_media(**look)
        if viewport:
            page.set_viewport_size(viewport)
        if app and app.pages_wait and (waits or kind not in self._as_new):
            self._come(page, app.url, kind)
        return page

    def _come(self, page: Page, url: str, kind: Kind) -> None:
        """Note what is LEFT in a page that is new."""
        come(page, url)
        self._as_new[kind] = _left(page)

    def _new(self, kind: Kind, options: dict[str, Any]) -> Page:
        context = self._contexts.get(kind.options)
        if not context:
            context = self._contexts[kind.options] = self._browser.new_context(**options)
            context.set_default_timeout(1e3 * PATIENCE)
            context.add_init_script(NOTE_FULL_SCREEN)
            app = options.get("base_url")
            shows_nothing = f"{app}/_stcore/health" if app else Path(__file__).as_uri()
            context.new_page().goto(shows_nothing)
        page = context.new_page()
        self._kinds[page] = kind
        kind.prepared(page)
        for name in FOR_GOOD:
            setattr(page, name, self._for_this_visitor_alone(page, getattr(page, name)))
        return page

    def _for_this_visitor_alone(
        self, page: Page, change: Callable[..., None]
    ) -> Callable[..., None]:
        """The change, after which the page is loaded anew, and serves nobody else."""

        def changed(*args: Any, **options: Any) -> None:
            self._served[page] = self._most
            if is_waiting(page):
                page.goto("about:blank")
            change(*args, **options)

        return changed

    def leave(self, page: Page, server: AppServer) -> None:
        """End a visit; the page may serve the next one."""
        kind = self._kinds[page]
        self._served[page] += 1
        may_serve = server.pages_wait and self._served[page] < self._most
        if may_serve and self._waits(page, server.url, kind):
            _remove_what_is_stored(page, server.url)
            self._waiting.setdefault(kind, []).append(page)
        elif not page.is_closed():
            forget(page, server.url)

    def _waits(self, page: Page, url: str, kind: Kind) -> bool:
        """Whether the page waits for the next visitor, with nothing of the last one in it."""
        if page.is_closed() or not page.url.startswith(url):
            return False
        if not page.locator(IS_CONNECTED).count():
            return False  # as where the server has ended, or where this is no page of the app
        if kind not in self._as_new:
            new = self._new(kind, {})
            self._come(new, url, kind)
            self._waiting.setdefault(kind, []).append(new)
        page.mouse.up()
        page.mouse.move(0, 0)
        page.evaluate(GO, f"{urlsplit(url).path}/{WAITING}")
        left = _left(page)
        return left is not None and bool(left == self._as_new[kind])

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()


@contextmanager
def visitors_with(browser: Browser, *, most: int = MOST_VISITORS) -> Iterator[Visitors]:
    visitors = Visitors(browser, most=most)
    yield visitors
    visitors.close()


def visit(page: Page, address: str) -> None:
    """Open the app at an address, in a page that waits for a visitor or in one that is new."""
    if is_waiting(page):
        page.evaluate(GO, address)
        page.locator(".next-visitor").wait_for(state="detached")
    else:
        page.goto(address)


def _left(page: Page) -> Any:
    """What its last visitor has left in a page that waits; None if it does not get there."""
    try:
        page.locator(".next-visitor").wait_for(state="attached", timeout=1e3 * SOON)
    except TimeoutError:  # Streamlit may lose the way to it at the end of a run
        return None
    page.locator(HAS_RUN).wait_for(state="attached")  # now fields that went are forgotten
    page.evaluate(CLEAN)
    return page.evaluate(LEFT)


def is_waiting(page: Page) -> bool:
    return page.url.endswith(WAITING)


def come(page: Page, url: str) -> None:
    """Load the app where its pages wait, which shows least. Some wait there already."""
    if not is_waiting(page):
        page.goto(f"{url}/{WAITING}")
        page.locator(".next-visitor").wait_for(state="attached")


def forget(page: Page, url: str) -> None:
    """Close a visitor's page, and remove what it has stored for this server."""
    _remove_what_is_stored(page, url)
    page.close()


def _remove_what_is_stored(page: Page, url: str) -> None:
    place = urlsplit(url)
    session = page.context.new_cdp_session(page)
    session.send(
        "Storage.clearDataForOrigin",
        {
            "origin": f"{place.scheme}://{place.netloc}",
            "storageTypes": "local_storage,indexeddb,service_workers",
        },
    )
    session.detach()
    page.context.clear_cookies(name=NOT_OF_THE_PAGE_ITSELF)
