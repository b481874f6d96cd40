"""The suite under load: one red run is enough, and no burner runs on afterwards.

Takes long: all processors are kept busy while runs of pytest begin and end.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.busy import BURN, busy, main

GREEN = "def test_it() -> None:\n    pass\n"
# Green in its first run, red in its second.
RED_LATER = """
from pathlib import Path

def test_it() -> None:
    ran = Path(__file__).with_name("ran")
    assert not ran.exists()
    ran.touch()
"""


@pytest.fixture(autouse=True)
def _one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # the other tests want one, too
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take a second of each run


def run(folder: Path, source: str, runs: int) -> int:
    (folder / "test_it.py").write_text(source)
    options = ["--runs", str(runs), "--results", str(folder)]
    return main([*options, "-p", "no:cacheprovider", str(folder / "test_it.py")])


def test_each_run_says_how_it_went(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, GREEN, runs=2) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[1].startswith("· busy-1: green, 1 passed in ")
    assert lines[2].startswith("· busy-2: green, 1 passed in ")
    assert lines[3:] == ["· 2 of 2 runs are green"]


def test_one_red_run_of_two_is_red(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, RED_LATER, runs=2) == 1
    printed = capfd.readouterr().out
    assert "· busy-2: red, 1 failed in " in printed
    assert "FAILED" in printed
    assert f"See {tmp_path / 'busy-2.txt'}" in printed
    assert printed.endswith("· 1 of 2 runs are green\n")
    assert "assert not" in (tmp_path / "busy-2.txt").read_text("utf-8")


def test_no_run_at_all_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--runs", "0"])
    assert "--runs must be at least 1, got 0" in capfd.readouterr().err


def test_the_cores_are_busy_and_no_longer_afterwards() -> None:
    with pytest.raises(ZeroDivisionError), busy(2) as burners:  # noqa: PT012
        assert [burner.poll() for burner in burners] == [None, None]
        raise ZeroDivisionError
    assert None not in [burner.poll() for burner in burners]


def test_a_burner_ends_with_its_parent() -> None:
    begin = (
        "import os, subprocess, sys;"
        "subprocess.Popen([sys.executable, '-c', sys.argv[1], str(os.getpid())])"
    )
    # It ends when all processes that may write into its output have ended: the burner, too.
    ended = subprocess.run(
        [sys.executable, "-c", begin, BURN], capture_output=True, check=True, timeout=60
    )
    assert ended.stderr == b""
