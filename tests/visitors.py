"""Visitors of a page, each with a browser of their own as far as anybody can tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

# Only a test that fails takes so long: what is waited for comes at once, but on a busy machine.
PATIENCE: Final = 90  # seconds

LOOKS: Final = ("color_scheme", "reduced_motion", "forced_colors", "contrast")

OpenVisitor = Callable[..., "Page"]


@contextmanager
def visitors_with(browser: Browser) -> Iterator[OpenVisitor]:
    """Open a fresh page for a visitor with these options, as `browser.new_context` knows them.

    Visitors with the same options share the files that the browser has fetched, which do not change
    while tests run: a page opens in half the time. They share nothing else (`forget`). At an app
    whose address is known, a page that shows nothing stays open. It keeps the browser's process
    alive, and with it the compiled scripts, which would take a second of each visit.

    A window's size and its look are a page's own, so these visitors share too. A visitor wants
    little motion, unless a test is about motion: what Streamlit moves while a page opens is drawn
    by the processor, and takes as long as all the rest of it.
    """
    contexts: dict[str, BrowserContext] = {}

    def opened(**options: Any) -> Page:
        look = {"reduced_motion": "reduce"}
        look |= {name: options.pop(name) for name in LOOKS if name in options}
        viewport = options.pop("viewport", None)
        kind = json.dumps(options, sort_keys=True)
        if kind not in contexts:
            contexts[kind] = browser.new_context(**options)
            contexts[kind].set_default_timeout(1e3 * PATIENCE)
            if app := options.get("base_url"):
                contexts[kind].new_page().goto(f"{app}/_stcore/health")
        page = contexts[kind].new_page()
        page.emulate_media(**look)
        if viewport:
            page.set_viewport_size(viewport)
        return page

    yield opened
    for context in contexts.values():
        context.close()


def forget(page: Page, url: str) -> None:
    """Close a visitor's page, and remove what it has stored for this server."""
    place = urlsplit(url)
    kinds = "cookies,local_storage,indexeddb,service_workers"
    page.context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin",
        {"origin": f"{place.scheme}://{place.netloc}", "storageTypes": kinds},
    )
    page.close()
