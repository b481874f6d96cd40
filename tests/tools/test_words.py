"""Words are found where they are said, and a language's file keeps what was translated."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tests.serving import ROOT
from tools.words import ROOMS, bring, write

SAY = ("say", "say_number")


A_ROW = "Each row shows how much a word looks at itself and all others; a row adds up to 1"


@cache
def code() -> list[tuple[str, ast.AST]]:
    """All of it, with its files."""
    return [
        (str(file.relative_to(ROOT)), node)
        for room in ROOMS
        for file in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call | ast.JoinedStr)
    ]


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every say(...) of the code, with its place."""
    for file, node in code():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAY:
            yield f"{file}:{node.lineno}", node


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
        f"{file}:{text.lineno}"
        for file, text in code()
        if isinstance(text, ast.JoinedStr)
        and any(getattr(node, "id", "") in SAY for node in ast.walk(text))
    ]
    assert within == []


def test_what_was_translated_stays_and_new_words_come_of_python_and_of_scripts(
    tmp_path: Path,
) -> None:
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    german = Catalog(locale="de")
    german.add("Copy or save", "Kopieren oder sichern")
    german.add("gone long ago", "längst weg")
    write(german, place)
    with bring("de", tmp_path).open("rb") as file:
        found = read_po(file, locale="de")
    assert found["Copy or save"].string == "Kopieren oder sichern"
    assert "ui/blocks/first_words.py" in places_of(A_ROW, found)
    assert any(file.endswith(".js") for file in places_of("Copy or save", found))
    assert "gone long ago" in found.obsolete
    assert json.loads((place / "browser.json").read_text("utf-8")) == {
        "Copy or save": "Kopieren oder sichern"
    }


def places_of(text: str, found: Catalog) -> list[str]:
    return [file for file, _ in found[text].locations]
