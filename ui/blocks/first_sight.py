"""What the first answer of the server shows: title, sentence and picture of what its address names.

Streamlit's page is empty until a megabyte of scripts has come. So its HTML brings what is seen at
first, as data that a short script draws (`ui/plot/js/first_sight`), and the live page takes its
place. It is made only where it is cheap: whoever asks for a page waits for it.
"""

from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from mha_core.checks.errors import MhaError
from mha_core.io.scenario.link_names import SIZES
from ui.blocks.first_words import row_in_words
from ui.blocks.heads_picture import count_pages, heads_picture
from ui.blocks.top import title_of
from ui.edits.token_text import write_tokens
from ui.machine.budget import is_heavy
from ui.state import Session
from ui.state.params import opened_at
from ui.state.view_params import PARAMS

STYLE: Final = (Path(__file__).parent / "first_sight.css").read_text("utf-8")
EXPLORE: Final = ""
TITLED: Final = (EXPLORE, "walkthrough", "for_class")  # pages with the title of the scenario
WITHOUT_SIDEBAR: Final = ("walkthrough", "for_class")
# Of what a link may say of the view, these leave all that is seen at first in its place.
PICTURED: Final = (
    "decimals",
    "colors",
    "values",
    "palette",
    "show",
    "rows",
    "order",
    "title",
    "open",
)
ALONE: Final = ("present", "tour", "stop")  # with which the page begins with something else
EMBED: Final = "embed"

LONGEST: Final = 2000  # characters of an address
LARGEST: Final = 64  # of a size in it
MOST_CELLS: Final = 4096
MOST_KEPT: Final = 64  # addresses
PATIENCE: Final = 0.05  # seconds for which one waits for another's to be made

Params = Mapping[str, str]
_Key = tuple[str, frozenset[tuple[str, str]]]

_kept: Final[dict[_Key, str]] = {}  # the last ones, of all visitors
_making: Final = threading.Lock()


async def first_sight(page: str, params: Params) -> str:
    """Its HTML; "" where nothing can be said of the page, or not cheaply."""
    key = (page, frozenset(params.items()))
    if key in _kept:
        return _kept[key]
    if page not in TITLED or not _is_short(params) or any(name in ALONE for name in params):
        return ""
    return await asyncio.to_thread(_made, key, params)


def _is_short(params: Params) -> bool:
    """Whether it is cheap to find out what the address names."""
    sizes = (params[name] for name in SIZES if name in params)
    is_small = all(size.isdigit() and int(size) <= LARGEST for size in sizes)
    return is_small and sum(len(name) + len(text) for name, text in params.items()) <= LONGEST


def _made(key: _Key, params: Params) -> str:
    """One at a time: a page without it is a page of before, and nobody waits for many."""
    if not _making.acquire(timeout=PATIENCE):
        return ""
    try:
        _kept[key] = made = sight_of(key[0], params)
        while len(_kept) > MOST_KEPT:
            del _kept[next(iter(_kept))]
        return made
    finally:
        _making.release()


def sight_of(page: str, params: Params) -> str:
    """The HTML: what people typed is text in it."""
    try:
        session = opened_at(_without_embed(params))
        parts = _parts(session, is_pictured=page == EXPLORE and _is_pictured(params))
    except (MhaError, MemoryError):  # the page says it
        return ""
    has_sidebar = page not in WITHOUT_SIDEBAR and EMBED not in params
    side = '<div class="side"></div>' if has_sidebar else ""
    return (  # with its style: both go at once
        f'<div id="first-sight"><style>{STYLE}</style>{side}<div class="main">{parts}'
        "<noscript><p>The explorer needs JavaScript: this is a still picture of it.</p></noscript>"
        "</div></div>"
    )


def _parts(session: Session, *, is_pictured: bool) -> str:
    title = f'<p class="title">{escape(title_of(session))}</p>'
    heading = f'<div class="heading">{title}<div class="tools"></div></div>'
    picture = _picture(session) if is_pictured and not session.refusals else ""
    if not picture:
        return heading
    return (
        f'{heading}<p class="sentence">{escape(write_tokens(session.scenario.tokens))}</p>'
        f'<p class="a-row">{row_in_words(session)}</p>'
        f'<p class="part">The heads</p><p class="controls">{"<i></i>" * 4}</p>{picture}'
    )


def _picture(session: Session) -> str:
    """What the live page will be sent; "" for a large one."""
    s = session.scenario
    if is_heavy(s) or count_pages(s) > 1 or s.n_heads * s.n_q * s.n_k > MOST_CELLS:
        return ""
    live = heads_picture(session)
    data = b64encode(live.data).decode() if live else ""
    return f'<div class="picture" data-picture="{data}"></div>' if live else ""


def _is_pictured(params: Params) -> bool:
    of_the_view = (name for name in params if name in PARAMS)
    return all(name in PICTURED for name in of_the_view)


def _without_embed(params: Params) -> dict[str, str]:
    return {name: text for name, text in params.items() if not name.startswith(EMBED)}
