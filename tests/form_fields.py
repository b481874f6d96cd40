"""The fields of the sidebar's form, as a browser draws them, and what a person enters there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.unpacking import unpacked
from ui.controls.sidebar import enter_in_sidebar, fields
from ui.state import Session

Item = Mapping[str, Any]
IS_NUMBER = re.compile(r"[-+.\de]+")
TYPED = ("text", "whole")  # kinds of fields in which a refused entry stays


def forms_on(at: AppTest, group: str | None = None) -> list[Item]:
    """What was sent to each form of a page, or to that of one session."""
    sent = [node.proto for node in at.get("bidi_component")]
    forms = [unpacked(p.bytes) for p in sent if p.component_name == "attention_form"]
    return [form for form in forms if group is None or form["group"] == group]


def fields_on(at: AppTest, group: str | None = None) -> dict[str, Item]:
    """Every field by its key."""
    return {item["key"]: item for item in _items(forms_on(at, group)) if "key" in item}


def shown_in(field: Item) -> Any:
    """What a field shows: what was refused there, if that can be mended."""
    refused = field["refused"]
    shown = refused["entered"] if refused and field["kind"] in TYPED else field["shown"]
    return float(shown) if field["kind"] == "whole" and IS_NUMBER.fullmatch(shown) else shown


def reasons_on(at: AppTest) -> list[str]:
    """Why entries were refused, from the top of each form on."""
    gone = [form["gone"] for form in forms_on(at) if form["gone"]]
    refused = [item.get("refused") for item in _items(forms_on(at))]
    return gone + [each["reason"] for each in refused if each]


def words_on(at: AppTest) -> Sequence[str]:
    """What stands between and beside the fields, as it is read."""
    words = [
        [item.get("label"), item.get("text"), item.get("says")] for item in _items(forms_on(at))
    ]
    sections = [section for form in forms_on(at) for section in form["sections"]]
    headings = [text for each in sections for text in (each["title"], each["notes"])]
    return [*headings, *(word for each in words for word in each if word)]


def enter_into(session: Session, key: str, value: Any) -> None:
    """What the browser tells when a person has entered something. Numbers are typed."""
    field = fields(session).get(key)
    is_typed = field is not None and field.kind in TYPED
    enter_in_sidebar(session, key, str(value) if is_typed else value)


def entered_in_form(at: AppTest, key: str, value: Any) -> bool:
    """Enter it, if this is the key of a field: its session's name, `enter-` and its own."""
    found = re.fullmatch(r"(?:(\w+)-)?enter-(.+)", key)
    if not found:
        return False
    session: Session = at.session_state[f"session {found[1] or ''}".strip()]
    is_field = found[2] in fields(session)
    if is_field:
        enter_into(session, found[2], value)
    return is_field


def _items(forms: Sequence[Item]) -> Iterator[Item]:
    for form in forms:
        for section in form["sections"]:
            yield from section["often"]
            yield from section["rare"]
            yield from section["few"]
