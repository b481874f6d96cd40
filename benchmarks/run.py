"""The whole benchmark: every size, then the path for long sequences, then the file."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from benchmarks.layers import DTYPES, SIZES, Size, check_same_numbers, contestants
from benchmarks.long_rows import measured_in_own_process
from benchmarks.table import HEADING, Row, long_line
from benchmarks.timing import Clock, clock_for, pace_within, race


@dataclass(frozen=True)
class Plan:
    """What is measured, and how thoroughly."""

    sizes: tuple[Size, ...]
    seconds: float  # for each size
    rounds: int  # for each size, at least
    long_tokens: int


FULL: Final = Plan(SIZES, seconds=8.0, rounds=11, long_tokens=16_384)
QUICK: Final = Plan(SIZES[:6], seconds=0.1, rounds=3, long_tokens=1_024)
MOST_ROUNDS: Final = 1001
LEGEND: Final = """\
Milliseconds are medians; a ratio is the median of all rounds' ratios (and their quartiles).
torch: nn.MultiheadAttention(d_model, heads) as constructed, only inferring: the aim is for it.
fused: the same with batch_first and a batch of one, its fastest: it then runs as one function."""


def run(plan: Plan, *, threads: int, results: Path) -> None:
    """Print the table line by line and write the same as JSON."""
    torch.set_num_threads(threads)
    clock = clock_for(threads)
    setting = setting_of(threads, clock)
    print(*(f"{name}: {value}" for name, value in setting.items()), sep=", ")
    print(LEGEND, HEADING, sep="\n")
    layers = [row.data() for row in print_each(measured(size, plan, clock) for size in plan.sizes)]
    long_rows = []
    for dtype in DTYPES:
        long_rows.append(measured_in_own_process(plan.long_tokens, dtype))
        print(long_line(long_rows[-1]), flush=True)
    write(results, {**setting, "layers": layers, "long_rows": long_rows})
    print(f"Written to {results}")


def setting_of(threads: int, clock: Clock) -> dict[str, Any]:
    """All that the times depend on beside the code."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": processor(),
        "threads": threads,
        "clock": clock.__name__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def measured(size: Size, plan: Plan, clock: Clock) -> Row:
    with torch.inference_mode():
        racers = contestants(size)
        check_same_numbers(racers)
        pace = pace_within(plan.seconds, racers, clock, least=plan.rounds, most=MOST_ROUNDS)
        return Row(size, race(racers, pace, clock))


def print_each(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        print(row.line(), flush=True)
        yield row


def write(results: Path, data: dict[str, Any]) -> None:
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def processor() -> str:
    """The processor's name, where the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
