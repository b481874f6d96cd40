"""One HTML file with a script, its styles, its letters, and the data that the script shows."""

from __future__ import annotations

import base64
import gzip
import html
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from mha_core.language import LANGUAGE, LANGUAGES, say
from ui.plot.spoken import in_language
from ui.plot.wire import pack
from ui.saved.fonts import font_faces

HERE: Final = Path(__file__).parent
BUILT: Final = HERE.parent / "plot" / "built"
STYLES: Final = (HERE.parent / "plot" / "plot.css", HERE / "page.css")
NEEDS_JAVASCRIPT: Final = say(
    "This page draws its pictures with JavaScript, which is switched off here."
)


def one_file(script: str, data: Mapping[str, Any]) -> bytes:
    """The page of a script that `make bundle` builds. The data has its title."""
    packed = base64.b64encode(gzip.compress(pack(data), 9, mtime=0)).decode()
    body = (
        f"<main><noscript><p>{html.escape(NEEDS_JAVASCRIPT)}</p></noscript></main>",
        f'<script type="text/plain" id="packed">{packed}</script>',
        f'<script type="module">{_spoken(script)}</script>',
    )
    return html_page(data["title"], STYLES, body)


def html_page(title: str, styles: Iterable[Path], body: Iterable[str]) -> bytes:
    """A page with these styles, which brings its letters with it."""
    parts = {
        "LANGUAGE": LANGUAGE or "en",
        "TITLE": html.escape(title),
        "STYLES": "\n".join([font_faces(), *(style.read_text("utf-8") for style in styles)]),
        "BODY": "\n".join(body),
    }
    page = (HERE / "page.html").read_text("utf-8")
    for name, part in parts.items():
        page = page.replace(f"<!--{name}-->", part, 1)
    return page.encode()


@cache
def _spoken(script: str) -> str:
    return in_language((BUILT / script).read_bytes(), LANGUAGE, LANGUAGES).decode()
