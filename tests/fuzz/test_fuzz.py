"""A bounded run of the fuzzer: the same inputs for the same code. `make fuzz` runs it for long.

Takes long: each target runs in a process of its own, under limits of time and memory.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fuzz.__main__ import fuzzed
from tests.fuzz.limits import at_most
from tests.fuzz.one_target import may_have_atheris
from tests.fuzz.targets import TARGETS

RUNS = 200
PLANTED = "--targets=tests.fuzz.planted"
FAULTS = {"another error": "KeyError", "slow": "TooSlowError", "large": "MemoryError"}


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_limit(name: str, tmp_path: Path) -> None:
    result = fuzzed(name, f"--runs={RUNS}", broken=tmp_path)
    assert result.is_whole, result.printed[-4000:]
    (done,) = re.findall(r"Done (\d+) runs", result.printed)
    assert int(done) >= RUNS  # several inputs may be tried between two looks at the count
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("way", [(), ("--by-chance",)])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_its_input_kept(
    fault: str, way: tuple[str, ...], tmp_path: Path
) -> None:
    result = fuzzed(fault, PLANTED, "--runs=50", *way, broken=tmp_path)
    assert not result.is_whole
    assert FAULTS[fault] in result.printed
    assert [file.name.startswith("crash-") for file in tmp_path.iterdir()] == [True]


@pytest.mark.parametrize("way", [(), ("--by-chance",)])
def test_what_refuses_in_the_packages_own_words_is_whole(
    way: tuple[str, ...], tmp_path: Path
) -> None:
    result = fuzzed("sound", PLANTED, "--runs=50", *way, broken=tmp_path)
    assert result.is_whole, result.printed
    assert result.row().split("|")[2].strip() == "50"
    assert result.row().endswith("whole  |")


def test_where_atheris_can_be_installed_it_is_used() -> None:
    if may_have_atheris():
        import atheris

        assert atheris.Fuzz


def test_the_limit_of_memory_ends_with_its_input() -> None:
    with at_most(2**24):
        pass
    assert len(bytearray(2**27)) == 2**27
