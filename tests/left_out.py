"""Tests that need a missing program are left out, and the end of the run says so.

A test needs a program if it asks for its fixture, itself or through others. If CI is set, nothing
is left out: the test runs, and fails with the command that brings the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import pytest

from tools.programs import PROGRAMS
from tools.shell import is_ci

KEY: Final = "left out"  # of what a worker tells
LEFT_OUT: Final = pytest.StashKey[Counter[str]]()  # how many tests, by the name of the program


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out of the list what cannot run here."""
    counts = config.stash.setdefault(LEFT_OUT, Counter())
    if is_ci():
        return
    for program in PROGRAMS:
        without = [item for item in items if program.fixture not in fixtures_of(item)]
        if len(without) < len(items) and not program.find():
            counts[program.name] = len(items) - len(without)
            items[:] = without


def fixtures_of(item: pytest.Item) -> Sequence[str]:
    """What a test asks for, itself or through others; a doctest asks for nothing."""
    fixtures: Sequence[str] = getattr(item, "fixturenames", ())
    return fixtures


def tell_what_was_left_out(config: pytest.Config, write_line: Any) -> None:
    """A line for each program that is missing."""
    counts = config.stash.get(LEFT_OUT, Counter())
    for program in PROGRAMS:
        if count := counts[program.name]:
            write_line(f"{count} tests were left out. {program.way_out}")


def told_by_worker(config: pytest.Config, output: dict[str, Any]) -> None:
    """Every worker lists all tests, so each says the same."""
    config.stash[LEFT_OUT] = Counter(output.get(KEY, {}))
