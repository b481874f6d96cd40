"""Every part of a page that runs alone waits for its turn, as whole pages do."""

from __future__ import annotations

import ast

from tests.serving import ROOT

OURS = ROOT / "ui" / "controls" / "fragment.py"
SOURCES = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]


def uses_streamlits_own(source: str) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "fragment"
        and isinstance(node.value, ast.Name)
        and node.value.id == "st"
        for node in ast.walk(ast.parse(source))
    )


def test_it_is_found() -> None:
    assert uses_streamlits_own("@st.fragment\ndef part(): pass")
    assert uses_streamlits_own(OURS.read_text("utf-8"))


def test_no_part_goes_past_the_line() -> None:
    assert [file for file in SOURCES if uses_streamlits_own(file.read_text("utf-8"))] == [OURS]
