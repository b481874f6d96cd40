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

Streamlit's script asks for the script of each kind of element when it meets the first one, and ours
is asked for last of all. So the page says beforehand which ones it will need.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
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
# A browser leaves a page for a file that nothing there takes.
FILES_STAY_OUT: Final = """for (const type of ["dragover", "drop"]) {
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
}"""
ASKED_AGAIN: Final = {"Cache-Control": "no-cache"}  # the next release has other scripts
HERE: Final = Path(__file__).resolve().parent
PAGES: Final = HERE.parent / "pages"
NO_ADDRESS: Final = ("navigation", "explore")  # run for every page; the first page, at the root
LINKS_WAIT: Final = (HERE / "links_wait.js").read_text("utf-8")
SCRIPT_OF_SIGHT: Final = (HERE / "plot" / "built" / "first_sight.js").read_text("utf-8")

# Kinds of elements that are on each page. One that Streamlit no longer has is left out.
KINDS: Final = ("BidiComponent", "ButtonGroup", "Html", "Button", "PageLink", "TextInput")

_ROOT: Final = '<div id="root">'  # Streamlit's element
_HERE: Final = "<!-- what is seen at once -->"
_NOSCRIPT: Final = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
_END_OF_HEAD: Final = "</head>"
_IMPORTED: Final = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
_STYLES: Final = re.compile(r'<link rel="stylesheet"[^>]*>')
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_LETTERS: Final = re.compile(r'href="([^"]*SourceSans[^"]*)"')

Params = Mapping[str, str]
Sight = Callable[[str, Params], Awaitable[str]]  # of a page and its parameters, as HTML
Still = Callable[[Params], Awaitable[bytes | None]]  # the picture in it, as SVG


def page(sight: str = "", scripts: tuple[str, ...] = ()) -> str:
    """Streamlit's page. Its first script says where the server is, before another looks for it.

    With a `sight`, that is what is seen until the live page has come. It will need our `scripts`,
    which are told by their places below the app.
    """
    whole, with_sight = _pages(scripts)
    return with_sight.replace(_HERE, sight, 1) if sight else whole


@cache
def _pages(scripts: tuple[str, ...]) -> tuple[str, str]:
    """The page with nothing to see, and the one that has a place for it."""
    static = Path(st.__file__).parent / "static"
    own = (static / "index.html").read_bytes().decode("utf-8")
    needed = [f"static/js/{n}" for n in _scripts_of_kinds(static / "static" / "js", own)]
    links = "".join(f'<link rel="modulepreload" href="./{at}">' for at in (*needed, *scripts))
    before, script, rest = own.replace(_END_OF_HEAD, f"{links}{_END_OF_HEAD}", 1).partition(
        "<script"
    )
    ours = "\n".join((SAYS_WHERE, IS_NO_STOP, FILES_STAY_OUT, LINKS_WAIT))
    told = f"{before}<script>{ours}</script>\n    {script}{rest}"
    # A script waits for the styles above it: then it would be in the way of Streamlit's scripts.
    styles = "".join(_STYLES.findall(told))
    above, root, below = _STYLES.sub("", _NOSCRIPT.sub("", told)).partition(_ROOT)
    seen = f"{_face(told)}{_HERE}<script>{SCRIPT_OF_SIGHT}</script>{styles}\n    "
    return told, f"{above}{seen}{root}{below}" if root else told


def _scripts_of_kinds(folder: Path, told: str) -> list[str]:
    """Of these kinds of elements, and all that they import; without those that are told already."""
    found: dict[str, None] = {}
    asked = [file.name for kind in KINDS for file in sorted(folder.glob(f"{kind}.*.js"))]
    while asked:
        name = asked.pop(0)
        if name not in found and name not in told and (folder / name).is_file():
            found[name] = None
            asked += _IMPORTED.findall((folder / name).read_text("utf-8"))
    return list(found)


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


def routes(sight: Sight, still: Still, scripts: Sequence[str] = ()) -> list[BaseRoute]:
    """Each page of the app. An address of no page is left to Streamlit, which says so.

    `sight` and `still` give what is seen at once, `scripts` are ours that a page needs.
    """
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    root = f"/{base}/" if base else "/"
    names = sorted(file.stem for file in PAGES.glob("*.py") if file.stem not in NO_ADDRESS)

    def answering(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            seen = await sight(name, request.query_params)
            return HTMLResponse(page(seen, tuple(scripts)), headers=ASKED_AGAIN)

        return answer

    async def picture(request: Request) -> Response:
        drawn = await still(request.query_params)
        return Response(drawn, media_type="image/svg+xml") if drawn else Response(status_code=404)

    shorter = [Middleware(GZipMiddleware, compresslevel=5)]
    pages = [Route(root + name, answering(name), middleware=shorter) for name in ("", *names)]
    return [*pages, Route(f"{root}first_picture.svg", picture)]
