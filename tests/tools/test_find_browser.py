"""Which browser is taken, and what is said where there is none."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.serving import ROOT
from tools import find_browser
from tools.shell import succeeds


def fake_browser(folder: Path, name: str, *, exit_status: int = 0) -> Path:
    browser = folder / name
    browser.write_text(f"#!/bin/sh\nexit {exit_status}\n")
    browser.chmod(0o755)
    return browser


def no_download(command: Sequence[str | Path], *, timeout: float | None = None) -> bool:
    return "playwright" not in command and succeeds(command, timeout=timeout)


@pytest.fixture(autouse=True)
def _empty_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHROME_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find_browser, "MAC_APPS", ())
    monkeypatch.setattr(find_browser, "npm_chromium", lambda: None)
    monkeypatch.setattr(find_browser, "succeeds", no_download)
    monkeypatch.setattr(find_browser, "playwrights_own", lambda: tmp_path / "playwright" / "chrome")


def test_a_browser_is_found_by_its_common_name(tmp_path: Path) -> None:
    chromium = fake_browser(tmp_path, "chromium")
    assert find_browser.find_browser() == chromium


def test_that_of_npm_goes_before_those_of_the_system_if_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_system = fake_browser(tmp_path, "chromium")
    of_npm = fake_browser(tmp_path, "of-npm")
    monkeypatch.setattr(find_browser, "npm_chromium", lambda: of_npm)
    assert find_browser.find_browser() == of_npm
    fake_browser(tmp_path, "of-npm", exit_status=1)
    assert find_browser.find_browser() == of_system


def test_the_browser_that_a_person_names_goes_before_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_browser(tmp_path, "chromium")
    chosen = fake_browser(tmp_path, "my-own")
    monkeypatch.setenv("CHROME_PATH", str(chosen))
    assert find_browser.find_browser() == chosen


def test_a_named_browser_that_is_missing_is_not_quietly_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_browser(tmp_path, "chromium")
    monkeypatch.setenv("CHROME_PATH", str(tmp_path / "missing"))
    with pytest.raises(SystemExit, match="CHROME_PATH"):
        find_browser.get_browser()


def test_a_browser_that_does_not_start_is_passed_over(tmp_path: Path) -> None:
    fake_browser(tmp_path, "google-chrome", exit_status=1)
    chromium = fake_browser(tmp_path, "chromium")
    assert find_browser.find_browser() == chromium


def test_a_snap_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "chromium").symlink_to(fake_browser(tmp_path, "snap"))
    assert find_browser.find_browser() is None


def test_playwrights_own_browser_comes_first_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(command: Sequence[str | Path], *, timeout: float | None = None) -> bool:
        if "playwright" not in command:
            return succeeds(command, timeout=timeout)
        (tmp_path / "playwright").mkdir()
        fake_browser(tmp_path / "playwright", "chrome")
        return True

    monkeypatch.setattr(find_browser, "succeeds", download)
    assert find_browser.get_browser() == tmp_path / "playwright" / "chrome"


def test_nothing_is_installed_into_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the downloaded browser does not start for lack of libraries, the search ends."""
    commands: list[list[str]] = []

    def note(command: Sequence[str | Path], *, timeout: float | None = None) -> bool:
        commands.append([str(word) for word in command])
        return "playwright" in command

    monkeypatch.setattr(find_browser, "succeeds", note)
    with pytest.raises(SystemExit) as stopped:
        find_browser.get_browser()
    downloads = [command for command in commands if "--version" not in command]
    assert downloads == [[sys.executable, "-m", "playwright", "install", "chromium"]]
    assert "sudo apt-get install chromium-headless-shell" in str(stopped.value)
    assert "CHROME_PATH" in str(stopped.value)


def test_one_tool_alone_calls_the_systems_package_manager() -> None:
    """The others may only print its command, in a text and after sudo."""
    for tool in {*(ROOT / "tools").glob("*.py")} - {ROOT / "tools" / "programs.py"}:
        for word in ast.walk(ast.parse(tool.read_text("utf-8"))):
            if isinstance(word, ast.Constant) and isinstance(word.value, str):
                assert word.value.strip() not in {"apt-get", "apt", "sudo", "--with-deps"}, tool
