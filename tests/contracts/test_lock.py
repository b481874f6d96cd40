"""The packages of the hosted image: those that the app asks for, and nothing without a hash."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "hosting" / "Dockerfile").read_text("utf-8").replace("\\\n", "")
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


def test_the_image_installs_these_and_nothing_else() -> None:
    commands = [shlex.split(line) for line in re.findall("^RUN (.*)", DOCKERFILE, re.MULTILINE)]
    (install,) = [command for command in commands if "pip" in command]
    assert install[:2] == ["pip", "install"]
    assert set(install[2:]) == {
        *("--no-cache-dir", "--require-hashes"),
        *("--only-binary", ":all:"),
        *("--requirement", "hosting/requirements.lock"),
    }
    assert "COPY hosting/requirements.lock hosting/\n" in DOCKERFILE
    assert len(re.findall("pip|easy_install|uv ", DOCKERFILE)) == 1
