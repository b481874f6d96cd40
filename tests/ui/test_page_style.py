"""How the page looks: what its style sheets must not do, and that every session is dressed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.serving import ROOT
from ui.blocks.top import STYLE, _style_of

SHEETS = sorted((ROOT / "ui").rglob("*.css"))
# For a part of a class name, and for "any element at all", a browser looks at far more of the page
# at every change of a class.
COSTLY = re.compile(r"\[class[*^$]=|[>+~\s]\*\s*[{,]")

FOR_PAPER = re.compile(r"@media print \{(?:[^{}]|\{[^{}]*\})*\}")


def on_screen(sheet: Path) -> str:
    """A style sheet without its comments and without what is for paper."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    return FOR_PAPER.sub("", text)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_selector_makes_the_browser_look_at_the_whole_page(sheet: Path) -> None:
    assert not COSTLY.findall(on_screen(sheet))


def test_what_stands_below_a_rule_for_paper_is_looked_at_too(tmp_path: Path) -> None:
    sheet = tmp_path / "two.css"
    sheet.write_text("@media print { a > * { margin: 0; } /* } */ }\nb > * { margin: 0; }")
    assert on_screen(sheet).strip() == "b > * { margin: 0; }"


@pytest.mark.parametrize("costly", ["a > * {", "a * {", '[class*="tools"] b {'])
def test_a_costly_selector_is_noticed(costly: str) -> None:
    assert COSTLY.search(costly)


def test_the_style_of_a_page_is_sent_as_one_line_without_remarks() -> None:
    sent, written = _style_of(("",)), re.sub(r"/\*.*?\*/", "", STYLE.read_text("utf-8"), flags=re.S)
    assert sent.split() == written.split()
    assert "\n" not in sent


def test_no_style_names_the_containers_of_one_session() -> None:
    """They are named as the page names them: the prefixes of sessions are put in for each page."""
    of_one = re.compile(r"\.st-key-(?:a|b|h|t)-|\[class\*=\"-")
    assert not [sheet.name for sheet in SHEETS if of_one.search(on_screen(sheet))]


def test_the_containers_of_every_session_are_dressed_alike() -> None:
    both = _style_of(("", "b-"))
    assert ":is(.st-key-tools, .st-key-b-tools) { flex-wrap" in both
    written = len(re.findall(r"\.st-key-tools\b(?!-)", STYLE.read_text("utf-8")))
    assert _style_of(("left-",)).count(":is(.st-key-left-tools)") == written > 1
