"""Each row of docs/security.md names tests that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.test_app_settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"`([\w/]+(?:\.py|\.test\.js))::([^`]+)`")
DEFINED = {".py": "def {}(", ".js": 'test("{}", '}


def rows() -> list[str]:
    lines = (ROOT / "docs" / "security.md").read_text("utf-8").splitlines()
    tables = [line for line in lines if line.startswith("|") and line.count("|") == 4]
    return [line for line in tables if not line.endswith(("| tests |", "|---|"))]


def missing_in(row: str) -> Iterator[str]:
    """What is wrong with the tests that a row names."""
    named = NAMED.findall(row)
    if not named:
        yield f"no test in: {row}"
    for path, name in named:
        file = ROOT / "tests" / path
        if not file.is_file() or DEFINED[file.suffix].format(name) not in file.read_text("utf-8"):
            yield f"{path}::{name}"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.split("|")[1].strip())
def test_its_tests_are_there(row: str) -> None:
    assert list(missing_in(row)) == []


def test_the_table_is_read() -> None:
    assert len(rows()) > 20


@pytest.mark.parametrize(
    "named", ["", "`none.py::test_x`", "`security/test_table.py::test_that_is_nowhere`"]
)
def test_a_row_without_a_test_is_noticed(named: str) -> None:
    assert len(list(missing_in(f"| x | y | {named} |"))) == 1


def test_no_error_shows_how_the_server_is_made() -> None:
    assert SETTINGS["client"]["showErrorDetails"] == "none"
