"""Prints all words that the pages show without being asked, one a line.

`tests/pages/test_languages.py` starts it as a process of its own, because a process speaks one
language.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from typing import Any

from tests.form_fields import forms_on
from tests.pages.page_visitor import PageVisitor
from ui.state.tour_stops import FILES

LABELLED = (
    *("button", "checkbox", "radio", "selectbox", "multiselect", "text_input", "number_input"),
    *("button_group", "text_area", "expander", "tab", "page_link", "popover"),
)
WORDS = ("label", "help", "placeholder", "text", "says", "title", "notes", "words", "reason")


def words_of(page: PageVisitor) -> Iterator[str]:
    at = page.at
    for node in (*at.title, *at.header, *at.subheader, *at.markdown, *at.caption, *at.error):
        yield without_tags(node.value)
    for node in at.get("html"):
        yield without_tags(re.sub(r"<style.*?</style>|<(math|svg|code).*?</\1>", "", node.value))
    for kind in LABELLED:
        for node in at.get(kind):
            proto = node.proto
            yield from (getattr(proto, each, "") for each in ("label", "help", "placeholder"))
    for form in forms_on(at):
        yield from _in_form(form)


def without_tags(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", text, flags=re.DOTALL))


def _in_form(sent: Any) -> Iterator[str]:
    if isinstance(sent, list | tuple):
        for each in sent:
            yield from _in_form(each)
    elif isinstance(sent, dict):
        for name, value in sent.items():
            if name in WORDS and isinstance(value, str):
                yield value
            else:
                yield from _in_form(value)


if __name__ == "__main__":
    for file in dict.fromkeys(FILES.values()):
        for words in words_of(PageVisitor(file)):
            if words.strip():
                sys.stdout.write(f"{file}\t{' '.join(words.split())}\n")
