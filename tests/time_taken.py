"""The time that groups of tests and the longest files take, told with the slowest tests.

A group is a folder of `tests`, with the doctests of the package of its name. The seconds of the
processor are those of the tests, their servers and their browsers, so they say the same on a busy
machine. A file that takes many says why in its docstring, in a sentence that begins with
`Takes long:`. If it does not, the run says so, and does not fail: times must not fail tests.
"""

from __future__ import annotations

import ast
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Final

LONG: Final = 20  # seconds of the processor
MOST_FILES: Final = 10  # that are told
WHY: Final = "Takes long:"
PACKAGES: Final = {"mha_core": "core"}
PROC: Final = Path("/proc")


class TimeTaken:
    """By file: seconds of the processor, and by the clock of all who run tests side by side."""

    def __init__(self) -> None:
        self.processor: dict[str, float] = defaultdict(float)
        self.clock: dict[str, float] = defaultdict(float)

    def add(self, nodeid: str, *, processor: float, clock: float) -> None:
        file = nodeid.partition("::")[0]
        self.processor[file] += processor
        self.clock[file] += clock

    def tell(self, write_line: Callable[[str], object], root: Path) -> None:
        groups = sorted({group_of(file) for file in self.clock}, key=self._of, reverse=True)
        for group in groups:
            processor, clock = self._of(group)
            write_line(
                f"{group:12} {processor:7.0f} s of the processor {clock:7.0f} s by the clock"
            )
        longest = sorted(self.processor, key=lambda file: self.processor[file], reverse=True)
        for file in longest[:MOST_FILES]:
            write_line(f"{file} takes {self.processor[file]:.0f} s of the processor.")
        for file in longest:
            if self.processor[file] > LONG and not says_why(root / file):
                write_line(f"{file} takes long and does not say why.")

    def _of(self, group: str) -> tuple[float, float]:
        files = [file for file in self.clock if group_of(file) == group]
        return sum(self.processor[f] for f in files), sum(self.clock[f] for f in files)


def group_of(file: str) -> str:
    """The group of a file, by its path below the project.

    >>> group_of("tests/browser/plot/test_plot.py"), group_of("mha_core/layer/cells.py")
    ('browser', 'core')
    """
    first, *rest = PurePath(file).parts
    if first == "tests":
        return rest[0] if len(rest) > 1 else "tests"
    return PACKAGES.get(first, first)


def says_why(file: Path) -> bool:
    return WHY in (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "")


class Stopwatch:
    """The seconds of the processor from one lap to the next."""

    def __init__(self) -> None:
        self._last = processor_seconds()

    def lap(self) -> float:
        before, self._last = self._last, processor_seconds()
        return max(0.0, self._last - before)  # what ends unheard takes its seconds along


def processor_seconds() -> float:
    """What this process has taken, with all that it started, ended or not.

    Without /proc, as on a Mac, those that have not ended are left out.
    """
    if not (PROC / "self" / "task").exists():
        return sum(os.times()[:4])
    return sum(map(_seconds_of, _with_its_children(os.getpid())))


def _with_its_children(pid: int) -> Iterator[int]:
    yield pid
    for thread in _read_folder(PROC / str(pid) / "task"):
        for child in _read(thread / "children").split():
            yield from _with_its_children(int(child))


def _seconds_of(pid: int) -> float:
    """Its own, and those of its children that have ended."""
    _, _, fields = _read(PROC / str(pid) / "stat").rpartition(")")
    ticks = fields.split()[11:15]  # utime, stime, cutime, cstime: see `man proc_pid_stat`
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # it has ended meanwhile
        return ""


def _read_folder(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
