"""The programs that some tests need: found, or installed if nobody must be asked, or named.

    .venv/bin/python -m tools.programs

Root may install with apt-get, anybody with Homebrew, and `make javascript` has tried npm. Elsewhere
the tests that need a missing program are left out, and the end of their run says so. Where CI is
set, a missing one is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.find_browser import find_browser
from tools.find_latex import find_latex
from tools.find_letters import find_letters
from tools.find_nginx import find_nginx
from tools.javascript import BRINGS, find_packages
from tools.shell import is_ci, say, succeeds

# Debian asks this file whether to start a service. An nginx of its own would take port 80.
POLICY: Final = Path("/usr/sbin/policy-rc.d")
START_NOTHING: Final = "#!/bin/sh\nexit 101\n"


@dataclass(frozen=True)
class Program:
    """One program: its name, how it is found, and the packages that bring it.

    A test needs it if it asks for the `fixture`, itself or through others.
    """

    name: str
    fixture: str
    find: Callable[[], Path | None]
    debian: tuple[str, ...] = ()  # what apt-get is told
    homebrew: tuple[str, ...] = ()
    make: str = ""  # the command of the Makefile that brings it on any machine, and has tried to

    @property
    def command(self) -> str:
        """What brings it on this machine, to be copied."""
        if self.make:
            return self.make
        if sys.platform == "darwin":
            return f"brew install {' '.join(self.homebrew)}"
        return f"sudo apt-get install {' '.join(self.debian)}"

    @property
    def way_out(self) -> str:
        return f"There is no {self.name} here. This brings it: {self.command}"


PROGRAMS: Final = (
    Program(
        "Liberation and DejaVu (fonts)",
        "letters",
        find_letters,
        ("fontconfig-config", "fonts-liberation", "fonts-dejavu-core"),
    ),
    Program(
        "Chromium or Chrome",
        "browser",
        find_browser,
        ("chromium-headless-shell",),
        ("--cask", "chromium"),
    ),
    Program("nginx", "nginx", find_nginx, ("nginx-light",), ("nginx",)),
    Program(
        "pdfLaTeX with Beamer and TikZ",
        "pdflatex",
        find_latex,
        # Alone: what it recommends is several times as large.
        ("--no-install-recommends", "texlive-latex-recommended", "texlive-pictures"),
        ("--cask", "mactex-no-gui"),
    ),
    Program(
        "node_modules (esbuild, ESLint, TypeScript)", "node_modules", find_packages, make=BRINGS
    ),
)


def program_of(fixture: str) -> Path:
    """Where the program is that this fixture stands for; else the way out is said."""
    program = next(each for each in PROGRAMS if each.fixture == fixture)
    return program.find() or sys.exit(program.way_out)


def main() -> int:
    missing = [program for program in PROGRAMS if program.find() is None]
    if others := [program for program in missing if not program.make]:
        install(others)
    missing = [program for program in missing if program.find() is None]
    for program in missing:
        say(program.way_out)
    return 1 if missing and is_ci() else 0


def install(programs: Sequence[Program]) -> None:
    """Install them if nobody must be asked; else a browser for this user alone."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        with no_service_started():
            apt("update")
            for program in programs:
                if program.find() is None:  # one may be all that another lacked
                    say(f"Installing {program.name} (apt-get)")
                    apt("install", "--yes", *program.debian)
    elif brew := shutil.which("brew"):
        for program in programs:
            say(f"Installing {program.name} (brew)")
            succeeds([brew, "install", *program.homebrew])
    if any(program.fixture == "browser" and program.find() is None for program in programs):
        say("Downloading Playwright's own browser (150 MB) into your cache")
        succeeds([sys.executable, "-m", "playwright", "install", "chromium"])


def apt(*words: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(
        ["apt-get", "-qq", *words], env=environment, stdout=subprocess.DEVNULL, check=False
    )


@contextmanager
def no_service_started() -> Iterator[None]:
    if POLICY.exists():
        yield
        return
    POLICY.write_text(START_NOTHING)
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink()


if __name__ == "__main__":
    sys.exit(main())
