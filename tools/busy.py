"""Run the tests some times while every core is busy with something else.

    .venv/bin/python -m tools.busy [--runs 5] [what pytest shall be told]

A test that is red on a busy machine waits for a time to pass, and not for what it needs.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.shell import say

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "test-results"
# It knows its parent's number. If this program is killed, its parent changes, and it ends.
BURN: Final = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000):
        pass
"""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.busy", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often (5)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the output goes")
    options, for_pytest = parser.parse_known_args(words)
    if options.runs < 1:
        parser.error(f"--runs must be at least 1, got {options.runs}")
    options.results.mkdir(exist_ok=True)
    cores = os.cpu_count() or 1
    say(f"{options.runs} runs of the tests, {cores} cores busy with something else")
    with busy(cores):
        outputs = (options.results / f"busy-{run + 1}.txt" for run in range(options.runs))
        are_green = [is_green(output, for_pytest) for output in outputs]
    say(f"{sum(are_green)} of {len(are_green)} runs are green")
    return 0 if all(are_green) else 1


@contextmanager
def busy(cores: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """One process for each core; all they do is count."""
    command = [sys.executable, "-c", BURN, str(os.getpid())]
    burners = [subprocess.Popen(command) for _ in range(cores)]
    try:
        yield burners
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def is_green(output: Path, for_pytest: Sequence[str]) -> bool:
    """Run the tests once, keep what they print, and say in a line how it went."""
    began = time.monotonic()
    with output.open("w") as file:
        command = [sys.executable, "-m", "pytest", *for_pytest]
        status = subprocess.run(command, cwd=ROOT, stdout=file, stderr=file, check=False).returncode
    printed = output.read_text("utf-8")
    color = "green" if status == 0 else "red"
    say(f"{output.stem}: {color}, {closing_line(printed)} ({time.monotonic() - began:.0f} s)")
    if status:
        print(
            *re.findall(r"^(?:FAILED|ERROR) .*", printed, re.MULTILINE), f"See {output}", sep="\n"
        )
    return status == 0


def closing_line(printed: str) -> str:
    """The last line of pytest's report.

    >>> closing_line("==== 3 passed in 1.20s ====")
    '3 passed in 1.20s'
    """
    lines = printed.strip().splitlines()
    return lines[-1].strip("= ") if lines else "nothing was printed"


if __name__ == "__main__":
    sys.exit(main())
