"""The page of HTML in which Streamlit starts, told where its server is, with something to see.

Streamlit's script looks for its server: on `/compare` it asks for `/compare/_stcore/health` and
`/compare/_stcore/host-config`. Only if these fail, a tenth of a second later, does it ask beside
the page. Answering them would be wrong: the script would take `/compare` for the whole app, and
open its connection below it. So the page says where the server is: where its own scripts come from.
Then the script does not look. A Streamlit that ignores this looks as before.

Streamlit also makes all that scrolls a stop of the Tab key, before the first button of the page. It
need not be one: people who come by "Skip to main content" still scroll it by keys.

Before Streamlit's element stands what is seen at once, with its script: see
`ui/blocks/first_sight.py`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

SAYS_WHERE: Final = 'window.__streamlit = { BACKEND_BASE_URL: new URL(".", location).href };'
# It comes once, and stays from page to page.
IS_NO_STOP: Final = """new MutationObserver((_, watcher) => {
  const main = document.getElementById("stMain");
  if (!main) return;
  main.tabIndex = -1;
  watcher.disconnect();
}).observe(document, { childList: true, subtree: true });"""
ASKED_AGAIN: Final = {"Cache-Control": "no-cache"}  # the next release has other scripts
HERE: Final = Path(__file__).resolve().parent
PAGES: Final = HERE.parent / "pages"
NO_ADDRESS: Final = ("navigation", "explore")  # run for every page; the first page, at the root
SCRIPT_OF_SIGHT: Final = (HERE / "plot" / "built" / "first_sight.js").read_text("utf-8")

_ROOT: Final = '<div id="root">'  # Streamlit's element
_HERE: Final = "<!-- what is seen at once -->"
_NOSCRIPT: Final = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
_STYLES: Final = re.compile(r'<link rel="stylesheet"[^>]*>')
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_LETTERS: Final = re.compile(r'href="([^"]*SourceSans[^"]*)"')

Params = Mapping[str, str]
Sight = Callable[[str, Params], Awaitable[str]]  # of a page and its parameters, as HTML
Still = Callable[[Params], Awaitable[bytes | None]]  # the picture in it, as SVG


def page(sight: str = "") -> str:
    """Streamlit's page. Its first script says where the server is, before another looks for it.

    With a `sight`, that is what is seen until the live page has come.
    """
    whole, with_sight = _pages()
    return with_sight.replace(_HERE, sight, 1) if sight else whole


@cache
def _pages() -> tuple[str, str]:
    """The page with nothing to see, and the one that has a place for it."""
    own = (Path(st.__file__).parent / "static" / "index.html").read_bytes().decode("utf-8")
    before, script, rest = own.partition("<script")
    told = f"{before}<script>{SAYS_WHERE}\n{IS_NO_STOP}</script>\n    {script}{rest}"
    # A script waits for the styles above it: then it would be in the way of Streamlit's scripts.
    styles = "".join(_STYLES.findall(told))
    above, root, below = _STYLES.sub("", _NOSCRIPT.sub("", told)).partition(_ROOT)
    seen = f"{_face(told)}{_HERE}<script>{SCRIPT_OF_SIGHT}</script>{styles}\n    "
    return told, f"{above}{seen}{root}{below}" if root else told


def _face(told: str) -> str:
    """Streamlit's letters, which would otherwise come with its script."""
    letters = _LETTERS.search(told)
    if not letters:
        return ""
    says = f'font-family: "Source Sans"; font-weight: 200 900; src: url("{letters[1]}")'
    return f"<style>@font-face {{ {says}; font-display: swap; }}</style>"


def inline_scripts() -> list[str]:
    """The scripts that a page may hold. Another release of Streamlit may have others."""
    return _INLINE_SCRIPT.findall(page(sight=" "))


def routes(sight: Sight, still: Still) -> list[BaseRoute]:
    """Each page of the app. An address of no page is left to Streamlit, which says so.

    `sight` and `still` give what is seen at once.
    """
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    root = f"/{base}/" if base else "/"
    names = sorted(file.stem for file in PAGES.glob("*.py") if file.stem not in NO_ADDRESS)

    def answering(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            seen = await sight(name, request.query_params)
            return HTMLResponse(page(seen), headers=ASKED_AGAIN)

        return answer

    async def picture(request: Request) -> Response:
        drawn = await still(request.query_params)
        return Response(drawn, media_type="image/svg+xml") if drawn else Response(status_code=404)

    shorter = [Middleware(GZipMiddleware, compresslevel=5)]
    pages = [Route(root + name, answering(name), middleware=shorter) for name in ("", *names)]
    return [*pages, Route(f"{root}first_picture.svg", picture)]
