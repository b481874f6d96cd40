"""A run that leaves a line or a branch of the core untested fails, and says which."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

CORE = """\
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nothing


def half(number: int) -> int:
    if number % 2:
        number -= 1
    return number // 2
"""
TESTS = """\
from mha_core import half

def test_odd() -> None:
    assert half(3) == 1
"""
EVEN_TOO = """
def test_even() -> None:
    assert half(4) == 2
"""
PLUGINS = ("-p", "xdist", "-p", "tests.covered")
# Those of Hypothesis, Playwright and others take a second of each process.
NO_OTHER_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
SIDE_BY_SIDE = pytest.mark.parametrize("side_by_side", [(), ("-n", "2")], ids=["one", "two"])


@SIDE_BY_SIDE
def test_a_run_in_which_everything_is_met_passes(
    tmp_path: Path, side_by_side: tuple[str, ...]
) -> None:
    ended = run_tests(tmp_path, TESTS + EVEN_TOO, *side_by_side)
    assert "mha_core: 5 of 5 lines and 2 of 2 branches were run." in ended.stdout
    assert ended.returncode == pytest.ExitCode.OK


@SIDE_BY_SIDE
def test_a_way_that_none_takes_fails(tmp_path: Path, side_by_side: tuple[str, ...]) -> None:
    ended = run_tests(tmp_path, TESTS, *side_by_side)
    assert "mha_core/__init__.py is not run by any test: 8->10" in ended.stdout
    assert "mha_core: 5 of 5 lines and 1 of 2 branches were run." in ended.stdout
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED


def test_a_file_that_none_imports_fails(tmp_path: Path) -> None:
    ended = run_tests(tmp_path, TESTS + EVEN_TOO, more={"alone.py": "A = 1\n"})
    assert "mha_core/alone.py is not run by any test: 1" in ended.stdout
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED


def run_tests(
    folder: Path, tests: str, *arguments: str, more: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    package = folder / "mha_core"
    package.mkdir()
    for name, text in {"__init__.py": CORE, **(more or {})}.items():
        (package / name).write_text(text)
    (folder / "test_half.py").write_text(tests)
    env = {**os.environ, **NO_OTHER_PLUGINS, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    env.pop("PYTEST_XDIST_WORKER", None)  # it is nobody's worker, whoever runs this test
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, *arguments, "test_half.py"],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
    )
