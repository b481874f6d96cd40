"""One HTML file with a script, its styles, its letters, and the data that the script shows."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from mha_core.language import LANGUAGE, LANGUAGES, say
from ui.plot.spoken import in_language
from ui.plot.wire import pack
from ui.saved.fonts import font_faces, fonts_for
from ui.saved.packing import packed, packed_data

HERE: Final = Path(__file__).parent
BUILT: Final = HERE.parent / "plot" / "built"
STYLES: Final = (HERE.parent / "plot" / "plot.css", HERE / "page.css")
OF_ONE_PAGE: Final = {  # which no other page has
    "map_page.js": (HERE.parent / "blocks" / "real" / "head_tiles.css", HERE / "map_page.css")
}
NEEDS_JAVASCRIPT: Final = say(
    "This page draws its pictures with JavaScript, which is switched off here."
)
PACKED: Final = '<script type="text/plain" class="packed">{}</script>'


def one_file(script: str, data: Mapping[str, Any], parts: Iterable[Any] = ()) -> bytes:
    """The page of a script that `make bundle` builds. The data has its title.

    The script may ask for a part when somebody looks at it.
    """
    parts = list(parts)
    letters = frozenset(json.dumps([data, parts], ensure_ascii=False, default=_no_letters))
    body = (
        f"<main><noscript><p>{html.escape(NEEDS_JAVASCRIPT)}</p></noscript></main>",
        _program(script, tuple(fonts_for(letters).items())),
        *(PACKED.format(packed_data(part)) for part in (data, *parts)),
        f"<script>{(BUILT / 'packed.js').read_text('utf-8').strip()}</script>",
    )
    return _page(data["title"], "", body)


def html_page(title: str, styles: Iterable[Path], body: Iterable[str]) -> bytes:
    """A page with these styles, which brings its letters with it."""
    return _page(title, "\n".join([font_faces(), *map(_style, styles)]), body)


def _page(title: str, styles: str, body: Iterable[str]) -> bytes:
    parts = {
        "LANGUAGE": LANGUAGE or "en",
        "TITLE": html.escape(title),
        "STYLES": styles,
        "BODY": "\n".join(body),
    }
    page = (HERE / "page.html").read_text("utf-8")
    for name, part in parts.items():
        page = page.replace(f"<!--{name}-->", part, 1)
    return page.encode()


def _no_letters(_: object) -> str:
    """What JSON does not know are numbers."""
    return ""


@cache
def _program(script: str, fonts: tuple[tuple[int, bytes], ...]) -> str:
    """What all pages of a script have in common, packed."""
    styles = (*STYLES, *OF_ONE_PAGE.get(script, ()))
    program = {
        "script": in_language((BUILT / script).read_bytes(), LANGUAGE, LANGUAGES).decode(),
        "styles": "\n".join(map(_style, styles)),
        "fonts": [{"weight": w, "bytes": np.frombuffer(font, np.uint8)} for w, font in fonts],
    }
    return PACKED.format(packed(pack(program)))


def _style(file: Path) -> str:
    """A style sheet without what only people read.

    >>> _style(HERE / "page.css")[:20]
    'body { margin: 0; co'
    """
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"))).strip()
