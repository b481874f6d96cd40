"""Help, on every page: what one can do, the keys, what the colours mean.

All that it shows is in ui/plot/js/help. That comes with the script that draws, and is built when
somebody opens it. The server sends only the colours.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import streamlit as st

from ui.plot import loader
from ui.reports import run_the_page
from ui.state import Session
from ui.state.tour_stops import FILES
from ui.theme import DEFAULT_PALETTE, DIFFERENCE, HEAD_COLORS, PALETTES, Themed

KEY: Final = "help"
OF_NO_TOUR: Final = (
    "tours",
    "exercise",
    "real_layers",
    "for_class",
)  # pages to which no stop leads
# The pages that it leads to: their addresses, and their files.
PAGES: Final = {**FILES, **{page: f"{page}.py" for page in OF_NO_TOUR}}
HEADS: Final = 4  # whose colours are shown


def help_button(session: Session | None = None) -> None:
    """The button, and its key `?`, in the palette of the page."""
    key = session.key(KEY) if session else KEY
    palette = session.view.palette if session else DEFAULT_PALETTE
    said = _help(key=key, data={"colors": _colors(palette)}, on_go_change=run_the_page)
    if isinstance(said.go, str) and said.go in PAGES:  # anyone can send anything
        st.switch_page(PAGES[said.go])


@cache
def _colors(palette: str) -> str:
    """The colours of the scales and of the first heads, as CSS writes them."""
    numbers = {name: _stops(scale) for name, scale in PALETTES[palette].items()}
    others = {"difference": _stops(DIFFERENCE), "heads": HEAD_COLORS[:HEADS]}
    return json.dumps({**numbers, **others})


def _stops(scale: Themed) -> dict[str, str]:
    return {
        theme: ", ".join(f"{color} {place:.0%}" for place, color in stops)
        for theme, stops in scale.items()
    }


_help: Final[Callable[..., Any]] = st.components.v2.component(
    "attention_help", js=loader("help"), isolate_styles=False
)
