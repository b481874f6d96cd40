"""What can be pressed or filled in anywhere in the product, by the name that a person reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableSequence
from functools import cache
from typing import Any, Final

from tests.form_fields import forms_on
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import OPENED, unmarked
from tests.serving import ROOT

SCRIPTS: Final = (
    *(ROOT / "ui" / "plot" / "js").rglob("*.js"),
    *(ROOT / "ui" / "controls").glob("*.js"),
)
OPEN: Final = dict.fromkeys(  # else it is not sent
    (*OPENED, "to-tour", "to-compare", "editors", "check-heads"), True
)
OFFERS: Final = ("Pictures", "Slides", "Handout", "Page", "Worksheets", "Lecture pack")
# Pages, their addresses, and what a person has opened or chosen there.
VISITED: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("explore.py", "", OPEN),
    ("explore.py", "example=pizza&cell=weights/0:1.1&open=into", OPEN),
    ("explore.py", "heads=8&d_model=64&tokens=a+b+c&x=random&weights=random&head=2", OPEN),
    ("explore.py", "b_o.cells=1~2", OPEN | {"edit-which": "b_o"}),
    ("walkthrough.py", "example=pizza&screen=weights&tour=000&stop=11", {"to-tour": True}),
    ("compare.py", "", {"a-share": True, "a-view": True}),
    ("patterns.py", "", {}),
    ("tours.py", "", {}),
    ("exercise.py", "", {}),
    *(("for_class.py", "", {"offer": kind}) for kind in OFFERS),
)
MADE_BY_SCRIPTS: Final = (
    re.compile(r'\b(?:button|opener|named|item)\("([^"]+)"'),
    re.compile(r'\bnamed\("[^"]+", "([^"]+)"'),
    re.compile(r'\bhtml\("(?:button|label)", \{[^}]*\},[^"]*"([^"]+?) ?"'),
)
IN_JSON: Final = re.compile(r'"label": "([^"]+)"')
IN_HTML: Final = re.compile(r"<(?:button|summary|label)\b[^>]*>(?:<input[^>]*>)?\s*([^<]+)")
PAGES: Final = re.compile(r'st\.Page\("\w+\.py", title="([^"]+)"')
NAMING: Final = ("label", "options", "content")  # fields of what Streamlit sends


@cache
def all_names() -> frozenset[str]:
    """Of pages in the navigation, of what the server sends, and of what scripts make."""
    pages = PAGES.findall((ROOT / "pages" / "navigation.py").read_text("utf-8"))
    scripts = [script.read_text("utf-8") for script in SCRIPTS]
    by_scripts = (
        name for made in MADE_BY_SCRIPTS for each in scripts for name in made.findall(each)
    )
    return frozenset({*pages, *by_scripts, *(name for at in VISITED for name in names_at(*at))})


def names_at(page: str, address: str, state: dict[str, Any]) -> Iterator[str]:
    visitor = PageVisitor(page, address, **state)
    for text in _sent(visitor.at._tree):
        name = re.sub(r"\s*:small\[.*|\*\*", "", unmarked(text)).strip()
        yield name
        yield name.partition(":")[0]  # as in "Begin: 4 stops"
    for form in forms_on(visitor.at):
        yield from _in_a_form(form)


def _sent(block: Any) -> Iterator[str]:
    for node in block.children.values():
        yield from _named_in(node.proto)
        if hasattr(node, "children"):
            yield from _sent(node)


def _named_in(message: Any) -> Iterator[str]:
    """The names in what was sent, whatever kind of element it is; also in HTML of ours."""
    if not hasattr(message, "ListFields"):
        return
    for field, value in message.ListFields():
        for each in value if isinstance(value, MutableSequence) else [value]:
            if isinstance(each, str) and field.name in NAMING:
                yield each
            elif isinstance(each, str):
                yield from (*IN_HTML.findall(each), *IN_JSON.findall(each))
            else:
                yield from _named_in(each)


def _in_a_form(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict):
        for each in item.values():
            yield from _in_a_form(each)
    elif isinstance(item, list | tuple):
        for each in item:
            yield from _in_a_form(each)


# ---- keys ---------------------------------------------------------------------------------------

AS_IN_A_BROWSER: Final = {
    **{"→": "ArrowRight", "←": "ArrowLeft", "↑": "ArrowUp", "↓": "ArrowDown", "−": "-"},
    **{"Page Up": "PageUp", "Page Down": "PageDown", "Space": " "},
}
HELD: Final = ("Ctrl", "Shift", "Alt")  # with another key, or while the pointer drags
WORD: Final = re.compile(
    r'"((?:Arrow|Page)[A-Z]\w+|Home|End|Enter|Escape|Insert|Delete|Backspace|Tab|F\d)"'
    r"|\b((?:Arrow|Page)[A-Z]\w+|Home|End|Escape):"
)
OF_KEYS: Final = re.compile(r"\bkey\b|\bcase\b|\b[A-Z_]{2,} = \[|\(\) => this")  # lines
LETTER: Final = re.compile(r'"([a-z0-9 ?+=-])"|(?<![\w.])([a-z]): \(\)')
ANY_DIGIT: Final = "/^[0-9]$/"


@cache
def all_keys() -> frozenset[str]:
    """What some script listens to, as browsers call it, letters in lower case."""
    heard = set[str]()
    for script in SCRIPTS:
        text = script.read_text("utf-8")
        if "keydown" in text or ".key" in text or "{ key" in text:
            lines = [line for line in text.splitlines() if OF_KEYS.search(line)]
            found = [
                *WORD.findall(text),
                *(pair for line in lines for pair in LETTER.findall(line)),
            ]
            heard |= {key for pair in found for key in pair if key}
            heard |= set("0123456789") if ANY_DIGIT in text else set()
    return frozenset(heard)


def is_a_key(name: str) -> bool:
    key = AS_IN_A_BROWSER.get(name, name)
    return name in HELD or (key.lower() if len(key) == 1 else key) in all_keys()
