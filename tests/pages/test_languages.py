"""The pages in a language that nobody speaks: it puts «» around each text that is translated."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mha_core.guide.field_guide import FIELD_GUIDE
from tests.marked_language import marked_language
from tests.serving import ROOT
from ui.state.tour_stops import FILES

PAGES = sorted(set(FILES.values()))
IN_ENGLISH = {
    "Receipt",  # the label of a field that nobody sees
    *(seen.paper for entry in FIELD_GUIDE.values() for seen in entry.seen),  # titles of papers
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Each page with a text that it shows, in that language."""
    language = marked_language(tmp_path_factory.mktemp("languages"))
    command = [sys.executable, "-m", "tests.pages.shown_words"]
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | language, capture_output=True, check=True
    )
    lines = ran.stdout.decode().splitlines()
    return [(page, text) for page, _, text in (line.partition("\t") for line in lines)]


def unmarked(text: str) -> str:
    """What stands outside of all marks."""
    rest, before = text, ""
    while rest != before:
        rest, before = re.sub("«[^«»]*»", "", rest), rest
    for known in IN_ENGLISH:
        rest = rest.replace(known, "")
    return re.sub(":small", "", rest)  # how it looks


def plain_words(text: str) -> Iterator[str]:
    return (word for word in re.findall("[A-Za-z]{3,}", unmarked(text)))


def test_all_that_the_pages_show_is_translated(shown: list[tuple[str, str]]) -> None:
    assert {page for page, _ in shown} == set(PAGES)
    assert len(shown) > 200
    assert [(*each, found) for each in shown if (found := [*plain_words(each[1])])] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("«A sentence» (0.71), «most for ««“SHE”»»»", []),
        ("«The end» of a tour", ["tour"]),
        ("Undo", ["Undo"]),
    ],
)
def test_a_word_outside_of_the_marks_is_found(text: str, found: list[str]) -> None:
    assert [*plain_words(text)] == found
