"""What the server's first answer shows: title, sentence and picture of what the address names.

Streamlit's page is empty until a megabyte of scripts has come. So its HTML brings what is seen at
first, as data that a short script draws (`ui/plot/js/first_sight`), and the live page takes its
place. It is made only if it is cheap: everybody who asks for a page waits for it.
"""

from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from mha_core.checks.errors import MhaError
from mha_core.guide.tours.questions import QUESTIONS
from mha_core.io.scenario.link_names import SIZES
from mha_core.io.scenario.stack_link import is_parameter
from mha_core.language import say
from ui.blocks.first_words import NAME, row_in_words, three_sentences
from ui.blocks.heads_picture import heads_picture
from ui.blocks.heads_shown import count_pages
from ui.blocks.title_line import BUILD, COMPARE, PATTERNS
from ui.blocks.top import title_of
from ui.edits.token_text import write_tokens
from ui.figures.fitted import on_screen
from ui.figures.grounds import GROUNDS
from ui.figures.ink import marks_of, notes_of
from ui.figures.marks import Sheet
from ui.figures.overview import has_many
from ui.machine.budget import is_heavy
from ui.plot import Picture
from ui.prints.svg import svg_of
from ui.state import Session
from ui.state.opened_first import model_first, opened_first
from ui.state.params import opened_at
from ui.state.view_params import PARAMS

STYLE: Final = (Path(__file__).parent / "first_sight.css").read_text("utf-8")
EXPLORE: Final = ""
OF_THE_SCENARIO: Final = (EXPLORE, "walkthrough", "for_class")  # they have its title
TITLES: Final = {"compare": COMPARE, "patterns": PATTERNS, "build": BUILD}
WITH_SIDEBAR: Final = (EXPLORE, "compare")
# Fields of the view. A link may set them: all that is seen at first stays in its place.
PICTURED: Final = (
    "decimals",
    "colors",
    "values",
    "palette",
    "show",
    "rows",
    "order",
    "page",
    "title",
    "open",
)
ELSEWHERE: Final = ("present", "tour", "hide")  # with these the page begins differently
EMBED: Final = "embed"

LONGEST: Final = 2000  # characters of an address
LARGEST: Final = 64  # of a size in it
MOST_CELLS: Final = 4096
MOST_KEPT: Final = 64  # addresses
PATIENCE: Final = 0.05  # seconds to wait while another visitor's is made
ROOM: Final = (963.0, 720.0)  # pixels, for a browser without JavaScript, which scales it
HEADS: Final = say("The heads")
NEEDS_JAVASCRIPT: Final = say("The explorer needs JavaScript.")
IS_STILL: Final = say("The explorer needs JavaScript: this is a still picture of it.")

Params = Mapping[str, str]
_Key = tuple[str, frozenset[tuple[str, str]]]

_kept: Final[dict[_Key, str]] = {}  # the last ones, of all visitors
_making: Final = threading.Lock()


async def first_sight(page: str, params: Params) -> str:
    """Its HTML; "" where nothing can be said of the page, or not cheaply."""
    key = (page, frozenset(params.items()))
    if key in _kept:
        return _kept[key]
    if page not in (*OF_THE_SCENARIO, *TITLES) or not _is_cheap(params):
        return ""
    return await asyncio.to_thread(_made, key, params)


async def first_picture(params: Params) -> bytes | None:
    """Its picture as SVG, for a browser without JavaScript; None where there is none."""
    return await asyncio.to_thread(svg_of_sight, params) if _is_cheap(params) else None


def _is_cheap(params: Params) -> bool:
    """Whether the page begins with its title, and that title is cheap to find."""
    sizes = (params[name] for name in SIZES if name in params)
    is_small = all(size.isdigit() and int(size) <= LARGEST for size in sizes)
    is_known = any(map(is_parameter, params)) or not (opened_first() or model_first())
    is_short = sum(len(name) + len(text) for name, text in params.items()) <= LONGEST
    return is_known and is_small and is_short and not any(name in params for name in ELSEWHERE)


def _made(key: _Key, params: Params) -> str:
    """One at a time. A page works without it, so nobody waits for many."""
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
        parts = _heading(TITLES[page]) if page in TITLES else _parts(page, params)
    except (MhaError, MemoryError):  # the page says it
        return ""
    has_sidebar = page in WITH_SIDEBAR and EMBED not in params
    side = '<div class="side"></div>' if has_sidebar else ""
    return (  # with its style: both go at once
        f'<div id="first-sight"><style>{STYLE}</style>{side}<div class="main">{parts}</div></div>'
    )


def svg_of_sight(params: Params) -> bytes | None:
    try:
        picture = _picture(opened_at(_without_embed(params)), params)
        if not picture:
            return None
        board = on_screen(picture.figure, ROOM)
        marks = marks_of(board, GROUNDS["light"])
        sheet = Sheet(board.width, board.height, marks, "#ffffff", HEADS, notes_of(board))
        return svg_of(sheet)
    except (MhaError, MemoryError, ImportError):  # without the package of letters
        return None


def _parts(page: str, params: Params) -> str:
    session = opened_at(_without_embed(params))
    picture = _picture(session, params) if page == EXPLORE else None
    heading = _heading(title_of(session), IS_STILL if picture else NEEDS_JAVASCRIPT)
    if not picture:
        return heading
    questions = "".join(f"<p>{escape(tour.title)}</p>" for tour in QUESTIONS)
    controls = f'<p class="controls">{"<i></i>" * 4}</p>' * (1 + has_many(session.scenario))
    drawn = f"./first_picture.svg?{urlencode(params)}"
    words = "".join(f"<li>{escape(sentence)}</li>" for sentence in three_sentences(session))
    return (
        f'{heading}<p class="sentence">{escape(write_tokens(session.scenario.tokens))}</p>'
        f'<p class="a-row">{row_in_words(session)}</p>'
        f'<div class="questions">{questions}</div>'
        f'<p class="part">{HEADS}</p>{controls}'
        f'<div class="picture" data-picture="{b64encode(picture.data).decode()}">'
        f'<noscript><img src="{escape(drawn)}" alt=""></noscript>'
        f'<ol class="words" data-name="{NAME}" hidden>{words}</ol></div>'
    )


def _heading(title: str, without_script: str = NEEDS_JAVASCRIPT) -> str:
    return (
        f'<div class="heading"><p class="title">{escape(title)}</p><div class="tools"></div></div>'
        f"<noscript><p>{without_script}</p></noscript>"
    )


def _picture(session: Session, params: Params) -> Picture | None:
    """The picture that the live page will get; None if it is large, or stands elsewhere."""
    s = session.scenario
    stack = session.stack
    is_light = count_pages(s) == 1 and stack.is_one_layer and not is_heavy(stack)
    is_small = s.n_heads * s.n_q * s.n_k <= MOST_CELLS and is_light
    is_in_place = all(name in PICTURED for name in params if name in PARAMS)
    return heads_picture(session) if is_small and is_in_place and not session.refusals else None


def _without_embed(params: Params) -> dict[str, str]:
    return {name: text for name, text in params.items() if not name.startswith(EMBED)}
