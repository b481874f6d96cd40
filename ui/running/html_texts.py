"""A text of HTML that comes with each run is looked through once.

Each page begins with its style, the same for all visitors. Streamlit looks with each run through
all its lines for what they have in common, and twice for whether anything else is in the text.
That was a fiftieth of the processor time of a change.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from streamlit.elements import html

SEVERAL: Final = 8  # a run sends some more texts, which change: the style comes again before these


def look_through_them_once() -> None:
    """From now on."""
    html.clean_text = lru_cache(SEVERAL)(html.clean_text)  # type: ignore[attr-defined, assignment] # imported there
    html._html_only_style_tags = lru_cache(SEVERAL)(html._html_only_style_tags)
