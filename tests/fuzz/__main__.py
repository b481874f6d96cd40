"""Fuzz each target for some minutes, and say in a table how it went.

    .venv/bin/python -m tests.fuzz [--minutes 10] [target ...]

docs/security.md has the result. An input that breaks a limit is kept in test-results/fuzz.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzz.targets import TARGETS
from tools.shell import say

ROOT: Final = Path(__file__).resolve().parents[2]
BROKEN: Final = ROOT / "test-results" / "fuzz"
# Of what atheris and one_target.py print, the last of each.
NUMBERS: Final = {
    "inputs": r"Done (\d+) runs",
    "slowest": r"slowest ([\d.]+ s)",
    "memory": r"peak_rss_mb: +(\d+)",
    "ways": r"cov: (\d+)",
}
ROW: Final = "| {:14} | {:>10} | {:>8} | {:>12} | {:>6} | {:6} |"


class Result(NamedTuple):
    """How the fuzzing of one target went, and all that was printed."""

    name: str
    is_whole: bool
    printed: str

    def row(self) -> str:
        found = (re.findall(pattern, self.printed) for pattern in NUMBERS.values())
        numbers = [each[-1] if each else "?" for each in found]
        return ROW.format(self.name, *numbers, "whole" if self.is_whole else "BROKEN")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="target", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=10, help="for each target (10)")
    parser.add_argument("--at-once", type=int, default=2, help="how many targets (2)")
    options = parser.parse_args()
    if unknown := set(options.names) - set(TARGETS):
        parser.error(f"there is no target {', '.join(sorted(unknown))}, only {', '.join(TARGETS)}")
    names = options.names or list(TARGETS)
    BROKEN.mkdir(parents=True, exist_ok=True)
    seconds = round(60 * options.minutes)
    say(f"{len(names)} targets, {seconds} s each")
    print(ROW.format("target", "inputs", "slowest", "memory (MiB)", "ways", ""), flush=True)
    with ThreadPoolExecutor(options.at_once) as pool:
        results = []
        for result in pool.map(lambda name: fuzzed(name, f"--seconds={seconds}"), names):
            print(result.row(), flush=True)
            results.append(result)
    broken = [result for result in results if not result.is_whole]
    print(*(result.printed[-4000:] for result in broken), sep="\n", end="")
    return 1 if broken else 0


def fuzzed(name: str, *options: str, broken: Path = BROKEN) -> Result:
    """Fuzz one target in a process of its own, as fuzzers end theirs."""
    code, printed = _run(name, f"--broken={broken}", *options)
    return Result(name, code == 0, printed)


def fuzzed_in_turn(names: Iterable[str], *options: str, broken: Path) -> list[Result]:
    """The same for several targets, each in a copy of one process: for few runs, far quicker."""
    code, printed = _run(*names, f"--broken={broken}", *options)
    assert code == 0, printed
    told = re.findall(r"== (.*) ==\n([\s\S]*?)== ended with (-?\d+) ==", printed)
    return [Result(name, code == "0", said) for name, said, code in told]


def _run(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "tests.fuzz.one_target", *options]
    run = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return run.returncode, run.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main())
