"""Words are found where they are said, and a language's file keeps what was translated."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.serving import ROOT
from tools.words import ROOMS, bring, words, write

SAY = ("say", "say_number")


def test_words_are_found_in_python_and_in_scripts() -> None:
    places = {each.id: [file for file, _ in each.locations] for each in words() if each.id}
    assert "ui/blocks/first_words.py" in places[A_ROW]
    assert any(file.endswith(".js") for file in places["Copy or save"])


A_ROW = "Each row shows how much a word looks at itself and all others; a row adds up to 1"


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every say(...) of the code, with its place."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAY:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node


def test_only_plain_texts_are_said_since_nothing_else_can_be_found() -> None:
    texts = [
        (place, argument)
        for place, call in calls()
        for argument in call.args[: 1 + (getattr(call.func, "id", "") == "say_number")]
    ]
    assert len(texts) > 1000
    assert [place for place, text in texts if not isinstance(text, ast.Constant)] == []


def test_no_text_is_said_within_an_f_string_where_it_would_not_be_found() -> None:
    within = [
        f"{file.relative_to(ROOT)}:{text.lineno}"
        for room in ROOMS
        for file in sorted((ROOT / room).rglob("*.py"))
        for text in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        and any(getattr(node, "id", "") in SAY for node in ast.walk(text))
    ]
    assert within == []


def test_what_was_translated_stays_and_new_words_come(tmp_path: Path) -> None:
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    german = Catalog(locale="de")
    german.add("Copy or save", "Kopieren oder sichern")
    german.add("gone long ago", "längst weg")
    write(german, place)
    with bring("de", tmp_path).open("rb") as file:
        found = read_po(file, locale="de")
    assert found["Copy or save"].string == "Kopieren oder sichern"
    assert A_ROW in found
    assert "gone long ago" in found.obsolete
    assert json.loads((place / "browser.json").read_text("utf-8")) == {
        "Copy or save": "Kopieren oder sichern"
    }
