"""The benchmark of pages compares the same weights and says who takes part; no time is asserted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import page as bench
from benchmarks.page import pages_of, random_layer, run
from benchmarks.peers import installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZE = (2, 3, 4)  # heads, tokens, width


def test_what_is_installed_takes_part() -> None:
    assert {"explorer", "plotly"} <= set(installed())
    pages = pages_of(random_layer(*SIZE), None)
    assert {"explorer", "plotly"} <= set(pages)
    assert all("<script" in page.html for page in pages.values())


def test_a_page_that_cannot_be_made_is_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def page_of(name: str, *_: object) -> None:
        if name == "plotly":
            raise FileNotFoundError("no script")

    monkeypatch.setattr(bench, "page_of", page_of)
    assert "plotly" not in pages_of(random_layer(*SIZE), None)
    assert "plotly is left out: no script" in capsys.readouterr().out


def test_the_smallest_size_gives_a_table_and_a_file(
    monkeypatch: pytest.MonkeyPatch,
    browser: Browser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bench, "installed", lambda: ["explorer"])
    file = tmp_path / "page.json"
    run(browser, (SIZE,), rounds=1, packages=None, results=file)
    assert "2 heads x 3 tokens, width 4" in capsys.readouterr().out
    written = json.loads(file.read_text("utf-8"))
    (row,) = written["rows"]
    assert (row["name"], row["heads"], row["tokens"]) == ("explorer", 2, 3)
    assert row["settled"]["median"] > 0
    assert 0 < row["bytes"] < 200_000
