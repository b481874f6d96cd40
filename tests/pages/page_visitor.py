"""A person at one of the other pages: what can be done there, and what can be read."""

from __future__ import annotations

import html
import re
from typing import Any, Self
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from tests.form_fields import entered_in_form, reasons_on, words_on
from tests.pages.visitor import WIDGETS, unmarked
from tests.running_page import RunningPage
from tests.serving import ROOT
from tests.unpacking import unpacked
from ui.state import Session


class PageVisitor(RunningPage):
    """A visitor of a page, at an address. `name` is that of the page's first session."""

    def __init__(self, page: str, address: str = "", name: str = "", **state: Any) -> None:
        at = AppTest.from_file(str(ROOT / "pages" / "navigation.py"), default_timeout=60)
        at.switch_page(page)
        for param, value in parse_qsl(address, keep_blank_values=True):
            at.query_params[param] = value
        self.name = name
        super().__init__(at, **state)

    @property
    def session(self) -> Session:
        session: Session = self.at.session_state[f"session {self.name}".strip()]
        return session

    def enter(self, key: str, value: Any) -> Self:
        """Set the widget with this key, or the field of a form."""
        if not entered_in_form(self.at, key, value):
            widgets = [widget for kind in (*WIDGETS, "text_area") for widget in self.at.get(kind)]
            next(widget for widget in widgets if widget.key == key).set_value(value)
        return self.run()

    def click(self, key: str) -> Self:
        """Click the button with this key."""
        self.at.button(key=key).click()
        return self.run()

    @property
    def words(self) -> str:
        """All that can be read, except in pictures."""
        blocks = [re.sub("<[^>]+>", " ", node.value) for node in self.at.get("html")]
        kinds = [*self.at.title, *self.at.markdown, *self.at.caption, *self.at.error]
        marked = [re.sub("<[^>]+>", " ", unmarked(node.value)) for node in kinds]
        words = html.unescape(" ".join([*blocks, *marked]))
        return " ".join(" ".join([words, *words_on(self.at), *reasons_on(self.at)]).split())

    @property
    def plots(self) -> list[dict[str, Any]]:
        """What is sent of each picture, from the top of the page on."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        return [unpacked(p.bytes) for p in sent if p.component_name == "attention_plot"]

    @property
    def links(self) -> dict[str, dict[str, str]]:
        """The links to other pages, with what each says to the page."""
        sent = [node.proto for node in self.at.get("page_link")]
        return {unmarked(p.label): dict(parse_qsl(p.query_string)) for p in sent}
