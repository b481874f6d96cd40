"""The packages of the hosted image: those that the app asks for, and nothing without a hash."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "hosting" / "requirements.lock").read_text("utf-8")
ENTRY = re.compile(r"^(\S.*?) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
LOCKED = {each.name: each for each in (Requirement(said) for said, _ in ENTRY.findall(LOCK))}
ASKED_FOR = [
    Requirement(line)
    for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def test_every_line_belongs_to_a_package_with_hashes() -> None:
    rest = ENTRY.sub("", LOCK).splitlines()
    assert all(line.startswith("#") for line in rest), rest
    assert "://" not in LOCK


def test_every_package_has_one_version() -> None:
    assert LOCKED
    assert all(re.fullmatch(r"==[^*]+", str(each.specifier)) for each in LOCKED.values())


@pytest.mark.parametrize("asked", ASKED_FOR, ids=str)
def test_what_the_app_asks_for_is_there_within_its_range(asked: Requirement) -> None:
    version = str(LOCKED[asked.name].specifier).removeprefix("==")
    assert asked.specifier.contains(version)
