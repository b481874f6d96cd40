"""The page of HTML in which Streamlit starts, told where its server is.

Streamlit's script looks for its server: on `/compare` it asks for `/compare/_stcore/health` and
`/compare/_stcore/host-config`. Only where these fail, and a tenth of a second later, it asks beside
the page. To answer them would be wrong: it would take `/compare` for the whole app, and open its
connection below it. So the page says where the server is: where its own scripts come from. Then
nothing is looked for. A Streamlit that does not listen to that looks as before.

And Streamlit makes all that scrolls a stop of the Tab key, before the first button of the page. It
need not be one: whoever comes by "Skip to main content" still scrolls it by keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st
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
PAGES: Final = Path(__file__).resolve().parent.parent / "pages"
NO_ADDRESS: Final = ("navigation", "explore")  # run for every page; the first page, at the root


def page() -> str:
    """Streamlit's page. Its first script says where the server is, before another looks for it."""
    own = (Path(st.__file__).parent / "static" / "index.html").read_bytes().decode("utf-8")
    before, script, rest = own.partition("<script")
    return f"{before}<script>{SAYS_WHERE}\n{IS_NO_STOP}</script>\n    {script}{rest}"


def routes() -> list[BaseRoute]:
    """Each page of the app. An address of no page is left to Streamlit, which says so."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    root = f"/{base}/" if base else "/"
    names = sorted(file.stem for file in PAGES.glob("*.py") if file.stem not in NO_ADDRESS)
    sent = page()

    async def answer(_: Request) -> Response:
        return HTMLResponse(sent, headers=ASKED_AGAIN)

    return [Route(root + name, answer) for name in ("", *names)]
