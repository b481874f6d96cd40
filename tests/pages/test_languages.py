"""The pages in a language that nobody speaks: it puts «» around each text that is translated."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from mha_core.examples import load_example
from mha_core.guide.field_guide import FIELD_GUIDE, SENTENCE
from tests.marked_language import marked_language
from tests.pages.shown_words import PAGES
from tests.serving import ROOT

# Lines that no language changes. Each excuses itself alone, not a longer line that it stands in.
IN_ENGLISH = {
    "Receipt",  # the label of a field that nobody sees
    *(seen.paper for entry in FIELD_GUIDE.values() for seen in entry.seen),
    *load_example("the-cat").tokens,
    *load_example("causal").tokens,
    *SENTENCE,
    *("ALiBi", "RoPE"),  # methods
    *("CSV", "NumPy", "LaTeX (TikZ)", "SVG", "PDF", "PNG", "PNG, 2×", "PNG, 4×"),  # kinds of files
    "Letter",  # a size of paper
    *(
        ", concat",
        ", output",
        ", cap(S_i)",
        ", sink(A_i)",
    ),  # symbols of steps, behind the steps' words
    *("head.d_k", "head.d_v", "head.d_k →", "head.d_v →"),  # names of axes
}
# Parts of a line that are no words.
NO_WORDS = re.compile(
    r":small(?=\[)"  # how it looks
    r"|^/?\w*\?[\w.]+=\S*$"  # an address
    r"|shift(?=\()"  # of an expression
    r"|^(cos|sin) \d$"  # a wave
    r"|^softmax(?=: )"  # a formula
    r"|\b(gate|norm|rope|center)(?=\()"  # of a step
    r"|(exp|max)\([−\d., ]+\)(?= = )"
    r"|\b(concat|output)(?=\\?: \d+ × \d+)"  # a matrix and its shape
)
NUMBERED = re.compile(r" \(\d+\)$")  # the second of two equal tokens


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Each page with a text that it shows, in that language."""
    language = marked_language(tmp_path_factory.mktemp("languages"))
    command = [sys.executable, "-m", "tests.pages.shown_words"]
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | language, capture_output=True, check=True
    )
    return [(page, text) for page, text in json.loads(ran.stdout)]


def in_english(text: str) -> list[str]:
    """The lines with a word that stands outside of all marks."""
    return [
        line
        for line in unmarked_lines(text)
        if line not in IN_ENGLISH and re.search(r"\b[A-Za-z]{2,}\b", NO_WORDS.sub("", line))
    ]


def unmarked_lines(text: str) -> list[str]:
    """What stands outside of all marks."""
    rest, before = text, ""
    while rest != before:
        rest, before = re.sub("«[^«»]*»|:gray\\[\\]", "", rest), rest
    return [NUMBERED.sub("", line.strip(" .")) for line in rest.splitlines()]


def test_all_that_the_pages_show_is_translated(shown: list[tuple[str, str]]) -> None:
    assert {page for page, _ in shown} == set(PAGES)
    assert len(shown) > 1000
    assert [(*each, found) for each in shown if (found := in_english(each[1]))] == []


def test_what_is_excused_is_shown(shown: list[tuple[str, str]]) -> None:
    """So the list above does not outlive what it excuses."""
    assert IN_ENGLISH - {line for _, text in shown for line in unmarked_lines(text)} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("«A sentence» (0.71), «most for ««“SHE”»»»", []),
        ("«The end» of a tour", ["of a tour"]),
        ("Undo", ["Undo"]),
        ("«Up»\nUp", ["Up"]),
        ("Receipt", []),
        ("Receipt of a file", ["Receipt of a file"]),
        ("«Tokens»\nthe (1)\ncat", []),
        ("the cat", ["the cat"]),
        ("«Concatenation», concat", []),
        ("Output: 6 × 8", ["Output: 6 × 8"]),
    ],
)
def test_a_word_outside_of_the_marks_is_found(text: str, found: list[str]) -> None:
    assert in_english(text) == found
