"""Programs that some tests need: what is installed, what is said, and what is left out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests import left_out
from tools import programs
from tools.programs import PROGRAMS, Program, main


@pytest.fixture
def without_nginx(monkeypatch: pytest.MonkeyPatch) -> Program:
    """A machine on which nothing is installed for anybody, and nginx is missing."""
    nginx = replace(next(p for p in PROGRAMS if p.name == "nginx"), find=lambda: None)
    monkeypatch.setattr(programs, "PROGRAMS", (nginx,))
    monkeypatch.setattr(programs.shutil, "which", lambda _: None)
    monkeypatch.delenv("CI", raising=False)
    return nginx


def test_what_is_missing_is_told_with_the_command(
    without_nginx: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main() == 0
    line = f"· There is no nginx here. This brings it: {without_nginx.command}\n"
    assert capsys.readouterr().out == line
    assert without_nginx.command.endswith(" nginx-light") or "brew" in without_nginx.command


@pytest.mark.usefixtures("without_nginx")
def test_in_ci_what_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert main() == 1


def test_root_installs_with_apt_get_and_no_service_is_started(
    without_nginx: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[Sequence[str]] = []
    policy = tmp_path / "policy-rc.d"

    def apt(*words: str) -> None:
        assert os.access(policy, os.X_OK)
        ran.append(words)

    monkeypatch.setattr(programs, "POLICY", policy)
    monkeypatch.setattr(programs, "apt", apt)
    monkeypatch.setattr(programs.shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(programs.os, "geteuid", lambda: 0)
    programs.install([without_nginx])
    assert ran == [("update",), ("install", "--yes", "nginx-light")]
    assert not policy.exists()


def test_what_is_there_once_another_is_installed_is_not(
    without_nginx: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[Sequence[str]] = []
    browser = replace(
        without_nginx, debian=("browser",), find=lambda: tmp_path if ran[1:] else None
    )
    monkeypatch.setattr(programs, "POLICY", tmp_path)
    monkeypatch.setattr(programs, "apt", lambda *words: ran.append(words))
    monkeypatch.setattr(programs.shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(programs.os, "geteuid", lambda: 0)
    programs.install([without_nginx, browser])
    assert ran == [("update",), ("install", "--yes", "nginx-light")]


def test_homebrew_installs_where_it_is(
    without_nginx: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Sequence[str]] = []
    monkeypatch.setattr(programs, "succeeds", lambda words: ran.append(words) or True)
    monkeypatch.setattr(programs.shutil, "which", lambda name: name if name == "brew" else None)
    programs.install([without_nginx])
    assert ran == [["brew", "install", "nginx"]]


@dataclass
class Asking:
    """The part of a test that says which fixtures it needs."""

    fixturenames: tuple[str, ...]


@dataclass
class Configured:
    """What a run of tests remembers."""

    stash: pytest.Stash


@pytest.mark.parametrize(
    ("is_there", "ci", "left"), [(False, "", 1), (True, "", 3), (False, "true", 3)]
)
def test_what_needs_a_missing_program_is_left_out_and_counted(
    without_nginx: Program, monkeypatch: pytest.MonkeyPatch, is_there: bool, ci: str, left: int
) -> None:
    found = replace(without_nginx, find=lambda: Path("nginx") if is_there else None)
    monkeypatch.setattr(left_out, "PROGRAMS", (found,))
    monkeypatch.setenv("CI", ci)
    tests = [Asking(()), Asking(("nginx",)), Asking(("front", "nginx"))]
    config, lines = Configured(pytest.Stash()), list[str]()
    left_out.leave_out(config, tests)  # type: ignore[arg-type] # they are all that it looks at
    assert len(tests) == left
    left_out.tell_what_was_left_out(config, lines.append)  # type: ignore[arg-type] # as above
    told = f"2 tests were left out. There is no nginx here. This brings it: {found.command}"
    assert lines == ([told] if left == 1 else [])
