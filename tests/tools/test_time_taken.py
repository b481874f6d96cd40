"""The end of a run says how long each group of tests took, and which take long without a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serving import ROOT
from tests.time_taken import LONG, MOST_FILES, TimeTaken, processor_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

# It works, says how long, and stays until it is told to go.
WORKS = """
import time
while time.process_time() < 0.5: pass
print(time.process_time(), flush=True)
input()
"""


def test_what_was_started_counts_before_and_after_it_has_ended() -> None:
    before = processor_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", WORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        took = float(child.stdout.readline())
        tick = 0.02  # two: the seconds of the user, and those of the system
        assert processor_seconds() - before >= took - tick
        child.communicate("\n")
    assert processor_seconds() - before >= took - tick


def test_groups_and_the_longest_files_are_told_and_who_does_not_say_why(tmp_path: Path) -> None:
    (tmp_path / "tests/ui").mkdir(parents=True)
    for name, says in (("silent", "A law."), ("says", "A law.\n\nTakes long: all sizes.")):
        (tmp_path / f"tests/ui/test_{name}.py").write_text(f'"""{says}"""\n')
    taken = TimeTaken()
    for file in ("silent", "says", "says"):
        taken.add(f"tests/ui/test_{file}.py::test_x", processor=LONG + 1, clock=2)
    for number in range(MOST_FILES):
        taken.add(f"tests/tools/test_{number}.py::test_x", processor=1, clock=1)
    taken.add("mha_core/layer/cells.py::mha_core.layer.cells", processor=LONG, clock=1)
    assert told(taken, tmp_path) == [
        "ui                63 s of the processor       6 s by the clock",
        "core              20 s of the processor       1 s by the clock",
        "tools             10 s of the processor      10 s by the clock",
        "tests/ui/test_says.py takes 42 s of the processor.",
        "tests/ui/test_silent.py takes 21 s of the processor.",
        "mha_core/layer/cells.py takes 20 s of the processor.",
        *(f"tests/tools/test_{number}.py takes 1 s of the processor." for number in range(7)),
        "tests/ui/test_silent.py takes long and does not say why.",
    ]


def told(taken: TimeTaken, root: Path) -> Sequence[str]:
    lines: list[str] = []
    taken.tell(lines.append, root)
    return lines


@pytest.mark.parametrize("side_by_side", [["-n", "0"], ["-n", "1"]])
def test_a_run_that_asks_for_its_slowest_tests_is_told(
    side_by_side: list[str], tmp_path: Path
) -> None:
    (tmp_path / "test_good.py").write_text("def test_x(): pass")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, "--durations=1", *side_by_side, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert " s of the processor " in run.stdout
