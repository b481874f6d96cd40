"""A server that cannot start says why, in words; one that can needs no file of its own.

Takes long: most tests start Python with all of Streamlit, some a whole server.
"""

from __future__ import annotations

import json
import os
import random
import re
import socket
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from benchmarks.load.crowd import PICTURE, edit
from benchmarks.load.visitor import visiting
from tests.coroutines import run
from tests.serving import ROOT, served
from ui.running import packages

# Runs in the server before anything else: as if it were not installed.
WITHOUT_PLOTLY = """
import importlib.metadata, sys
found = importlib.metadata.version
def version(name):
    if name == "plotly":
        raise importlib.metadata.PackageNotFoundError(name)
    return found(name)
importlib.metadata.version = version
sys.modules["plotly"] = None
"""
# No file is written anywhere, as on a disk that is full.
FULL_DISK = """
import builtins, errno, os
real_open = builtins.open
def no_room(file, mode="r", *args, **more):
    if set(mode) & set("wax+") and str(file) not in ("/dev/null", os.devnull):
        raise OSError(errno.ENOSPC, "No space left on device", str(file))
    return real_open(file, mode, *args, **more)
builtins.open = no_room
import io
io.open = no_room
def no_folder(*args, **more):
    raise OSError(errno.ENOSPC, "No space left on device")
os.mkdir = no_folder
"""

# Every page as it is first shown, and the explorer once more with a grid of numbers.
EVERY_PAGE = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from tests.running_page import cheap_runs

with cheap_runs():
    at = AppTest.from_file("pages/navigation.py", default_timeout=60).run()
    for page in sorted(Path("pages").glob("*.py")):
        if page.stem != "navigation":
            at.switch_page(page.name).run()
            assert not at.exception
            print(page.stem, "pandas" in sys.modules)
    at.switch_page("explore.py")
    at.session_state["editors"] = True
    at.run()
    print("grids", "pandas" in sys.modules)
"""


def start(*flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    return subprocess.run(
        [*command, *flags],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = start(f"--server.port={port}")
    assert ran.returncode == 1
    assert f"Port {port} is not available" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_a_missing_package(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_PLOTLY)
    ran = start("--server.port=0", PYTHONPATH=str(tmp_path))
    said = ran.stdout + ran.stderr
    assert ran.returncode == 1
    assert "The server cannot start: these packages are missing" in said
    assert "plotly.\nInstall all that it needs: pip install -r requirements.txt" in said
    assert "Traceback" not in said


# The packages are imported once. Each start is one of a copy of this process.
STARTS = """
import json, os, runpy, sys
import numpy, plotly.graph_objects, streamlit
import mha_core.guide.tours, mha_core.puzzles.ladder, mha_core.worksheets.sheet

for variable, value in json.loads(sys.argv[1]):
    if not os.fork():
        os.dup2(1, 2)
        os.environ[variable] = value
        runpy.run_path("app.py")
        sys.exit()
    ended = os.waitstatus_to_exitcode(os.wait()[1])
    print(f"== ended with {ended} ==", flush=True)
"""
WRONG_VARIABLES = (
    ("EXPLORER_HISTORY_MB", "0", "must be a number of at least 1, got '0'."),
    ("EXPLORER_REPLICA", "4/2", "must be a number and how many there are, as 2/4, got '4/2'."),
    ("EXPLORER_FRAME_ANCESTORS", "foo;bar", "must be addresses as https://moodle.example.org"),
    ("EXPLORER_LOG", "jsno", "must be one of: text, json, got 'jsno'."),
    ("EXPLORER_TUNING", "of", "must be one of: on, off, got 'of'."),
)


def test_a_wrong_variable() -> None:
    given = [(variable, value) for variable, value, _ in WRONG_VARIABLES]
    command = [sys.executable, "-c", STARTS, json.dumps([*given, ("EXPLORER_LOG", "text")])]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    starts = re.findall(r"([\s\S]*?)== ended with (\d+) ==\n", ran.stdout)
    (printed, code) = starts.pop()
    assert (code, "cannot start" in printed) == ("0", False)
    for (variable, _, said), (printed, code) in zip(WRONG_VARIABLES, starts, strict=True):
        assert code == "1"
        assert f"The server cannot start: {variable} {said}" in printed
        assert "Traceback" not in printed


def test_no_page_waits_for_pandas_before_a_grid_is_opened() -> None:
    """It takes a third of a second of a start, and 70 MB of each process."""
    command = [sys.executable, "-c", EVERY_PAGE]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pages = [
        "build",
        "compare",
        "exercise",
        "explore",
        "for_class",
        "patterns",
        "real_layers",
        "tours",
        "walkthrough",
    ]
    assert said.splitlines() == [*(f"{page} False" for page in pages), "grids True"]


def test_every_required_package_is_looked_for() -> None:
    asked = packages.required(packages.REQUIREMENTS.read_text("utf-8"))
    assert {"streamlit", "numpy", "plotly", "latex2mathml"} <= set(asked)

    def find(name: str) -> str:
        raise PackageNotFoundError(name)

    assert all(packages.is_missing(name, find) for name in asked)
    assert not any(packages.is_missing(name) for name in asked)


def visit_and_edit(url: str) -> None:
    async def visit() -> None:
        async with visiting(url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            await edit(visitor, random.Random(1), 1)

    run(visit())


def test_a_home_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc/1")  # nobody can write there, not even root
    with served("app.py", tmp_path / "log") as server:
        visit_and_edit(server.url)
        assert "Traceback" not in server.log()


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    injected = tmp_path / "injected"
    injected.mkdir()
    (injected / "sitecustomize.py").write_text(FULL_DISK)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    with served("app.py", tmp_path / "log", before_all=injected) as server:
        visit_and_edit(server.url)
        assert "No space left" not in server.log()
