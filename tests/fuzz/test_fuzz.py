"""A bounded run of the fuzzer: the same inputs for the same code. `make fuzz` runs it for long.

Each target runs in a process of its own, under limits of time and memory.

Takes long: each target has hundreds of inputs, and starts a process.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fuzz.__main__ import fuzzed, fuzzed_in_turn
from tests.fuzz.limits import at_most
from tests.fuzz.one_target import may_have_atheris
from tests.fuzz.targets import TARGETS

RUNS = 200
PLANTED = "--targets=tests.fuzz.planted"
FAULTS = {"another error": "KeyError", "slow": "TooSlowError", "large": "MemoryError"}


def test_no_input_breaks_a_limit(tmp_path: Path) -> None:
    results = fuzzed_in_turn(TARGETS, f"--runs={RUNS}", broken=tmp_path)
    assert [result.name for result in results] == list(TARGETS)
    for result in results:
        assert result.is_whole, f"{result.name}: {result.printed[-4000:]}"
        (done,) = re.findall(r"Done (\d+) runs", result.printed)
        assert int(done) >= RUNS  # several inputs may be tried between two looks at the count
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("way", [(), ("--by-chance",)])
def test_a_planted_fault_is_found_and_its_input_kept(way: tuple[str, ...], tmp_path: Path) -> None:
    names = ["sound", *FAULTS]
    sound, *faults = fuzzed_in_turn(names, PLANTED, "--runs=50", *way, broken=tmp_path)
    assert sound.is_whole, sound.printed  # it refuses in the package's own words
    assert sound.row().split("|")[2].strip() == "50"
    assert sound.row().endswith("whole  |")
    assert [fault.name for fault in faults] == list(FAULTS)
    for name, is_whole, printed in faults:
        assert not is_whole
        assert FAULTS[name] in printed
        (kept,) = (tmp_path / name).iterdir()
        assert kept.name.startswith("crash-")


def test_one_target_alone_says_by_its_code_how_it_went(tmp_path: Path) -> None:
    """As `make fuzz` runs each."""
    results = [
        fuzzed(name, PLANTED, "--runs=50", "--by-chance", broken=tmp_path)
        for name in ("sound", "another error")
    ]
    assert [result.is_whole for result in results] == [True, False]


def test_where_atheris_can_be_installed_it_is_used() -> None:
    if may_have_atheris():
        import atheris

        assert atheris.Fuzz


def test_the_limit_of_memory_ends_with_its_input() -> None:
    with at_most(2**24):
        pass
    assert len(bytearray(2**27)) == 2**27
