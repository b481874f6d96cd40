"""Prints all texts that the pages show, as JSON: each with the page that shows it.

`tests/pages/test_languages.py` starts it as a process of its own, because a process speaks one
language.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from mha_core.guide.field_guide import FIELD_GUIDE
from mha_core.guide.screens import SCREENS
from mha_core.puzzles.ladder import PUZZLES, QUESTIONS
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import MENUS, OPENED
from tests.running_page import cheap_runs
from tests.serving import ROOT
from tests.unpacking import unpacked
from ui.blocks.for_class.offers import OFFERS
from ui.running.tuning import tune

PAGES: Final = sorted({file.name for file in (ROOT / "pages").glob("*.py")} - {"navigation.py"})
SESSIONS: Final = ("", "a-", "b-", "p-", "t-", "h-")
PARTS: Final = ("to-keep", "parts-heads", "looks-for", "reads")


def _open(*names: str) -> dict[str, bool]:
    return {prefix + name: True for name in names for prefix in SESSIONS}


PARTS_OPEN: Final = _open(*PARTS)
MENUS_OPEN: Final = _open(*OPENED, *MENUS, *PARTS)
LAYERS: Final = (
    "example=the-cat&layers=2&2.example=the-cat&words=a+b&w_u.rows=0_1+0_1+0_1+0_1+0_1+0_1"
)
VISITS: Final = [  # a page and its address
    *((page, "") for page in PAGES),
    ("explore.py", "example=nothing"),
    ("explore.py", "present=1"),
    ("explore.py", "example=the-cat&head=2&cell=weights/0:2.1"),
    *(("explore.py", f"{LAYERS}&{shown}") for shown in ("layer=2&cell=x:2.1", "cell=logits:2.1")),
    *(("walkthrough.py", f"screen={screen}") for screen in SCREENS),
    *(("build.py", f"h.puzzle={name}&h.hints=3") for name in (*PUZZLES, *QUESTIONS)),
]
CHOSEN: Final = {  # on a page at its own address, one after the other
    "patterns.py": ("p-enter-pattern", FIELD_GUIDE),
    "for_class.py": ("offer", OFFERS),
}

# What Streamlit shows of its own elements.
SHOWN: Final = ("label", "help", "placeholder", "body", "options", "content", "captions")
# What our own elements are sent and do not show.
UNREAD_ELEMENTS: Final = ("walk_keys", "to_the_top", "attention_outline")
UNREAD: Final = {
    *("name", "key", "kind", "group", "session", "menu", "field", "about", "asks_as", "below"),
    *("part", "of", "mask"),  # of what is presented
    *(
        "wanted_of",
        "rows",
        "columns",
        "row_source",
        "column_source",
        "zoomed_as",
        "results",
    ),  # of a matrix
    *("color", "colors", "bands", "scale", "scales", "light", "dark"),
    "cells",  # of a small picture
    *("sheet", "verdicts", "program", "name_in_program"),
    "shown",  # what a person chose, by its name; its words are among the choices
}
CHOICES: Final = ("choices", "parts", "masks")  # each a name, then its words
NOT_IN_WORDS: Final = re.compile(r"<(style|math|svg|code|pre)\b.*?</\1>", re.DOTALL)
READ_ALOUD: Final = re.compile(
    r"""\b(?:aria-label|title|alt|placeholder)=(["'])(.*?)\1""", re.DOTALL
)
TAG: Final = re.compile(r"<[^>]*>", re.DOTALL)


def visited(page: str, address: str) -> Iterator[PageVisitor]:
    """Menus say the same whatever a page shows, but in the explorer: the first visit has them."""
    has_menus = page == "explore.py" or not address
    visitor = PageVisitor(page, address, **(MENUS_OPEN if has_menus else PARTS_OPEN))
    yield visitor
    if page in CHOSEN and not address:
        key, values = CHOSEN[page]
        yield from (visitor.enter(key, value) for value in values)


def texts_of(page: PageVisitor) -> Iterator[str]:
    for node in (*page.at.main, *page.at.sidebar):
        if node.type == "bidi_component":
            sent = node.proto
            if sent.component_name not in UNREAD_ELEMENTS:
                data = unpacked(sent.bytes) if sent.bytes else json.loads(sent.json or "null")
                yield from _sent(data)
        elif hasattr(node.proto, "ListFields"):
            yield from _of_element(node.proto)


def _of_element(proto: Any) -> Iterator[str]:
    for field, value in proto.ListFields():
        for each in value if field.is_repeated else [value]:
            if field.message_type:
                yield from _of_element(each)
            elif field.name in SHOWN:
                yield from _read(each)


def _sent(data: Any) -> Iterator[str]:
    match data:
        case str() if data.startswith(("{", "[")):
            yield from _sent(json.loads(data))
        case str():
            yield from _read(data)
        case list() if all(isinstance(each, str) for each in data):  # lines of one text, or names
            yield from _read("\n".join(data))
        case list():
            for each in data:
                yield from _sent(each)
        case dict():
            for name, value in data.items():
                if name in CHOICES:
                    yield from (title for _, title in value)
                elif name not in UNREAD:
                    yield from _sent(value)


def _read(text: str) -> Iterator[str]:
    """What is read of it, each tag as the end of a line, and what is read aloud alone."""
    kept = NOT_IN_WORDS.sub("\n", text)
    yield html.unescape(TAG.sub("\n", kept))
    yield from (html.unescape(said) for _, said in READ_ALOUD.findall(kept))


if __name__ == "__main__":
    tune()
    with cheap_runs():
        shown = dict.fromkeys(
            (page, text)
            for page, address in VISITS
            for seen in visited(page, address)
            for text in texts_of(seen)
        )
    json.dump(list(shown), sys.stdout)
