"""Measure how many visitors one server carries, beside an almost empty page.

python -m benchmarks.load [--visitors 1 10 50] [--seconds 20] [--before ../older] [--front 1 2]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.load.crowd import ACTS, Act, Outcome, crowd, seed, share_of
from benchmarks.run import processor, write
from tests.fronting import fronted
from tests.serving import ROOT, served

RESULTS: Final = Path(__file__).resolve().parent.parent / "results" / "load.json"
VISITORS: Final = (1, 10, 50)
SECONDS: Final = 20.0
TICKS: Final = os.sysconf("SC_CLK_TCK")
LINE: Final = "{:<8}{:>9}{:>9}{:>9}{:>11}{:>11}{:>12}{:>12}{:>8}{:>8}"
HEADING: Final = LINE.format(
    "",
    "visitors",
    "p50 ms",
    "p95 ms",
    "changes/s",
    "CPU ms",
    "first p95",
    "MB/session",
    "lost",
    "errors",
)
LEGEND: Final = """\
Times are from a change to the end of the run that answers it. CPU ms: the server's processor time
for a change. first p95: until the first picture of those who came, ten a second. MB/session: what
the server grew by, for each visitor. lost: changes that did not come about. floor: one figure of
2 x 2 cells and one slider on the same kind of server. before: an older checkout. front 2: two
processes behind nginx, as `make serve` starts them; CPU ms and MB/session are of these two. All are
loaded in turn, by a client on the same machine."""
FLOOR: Final = "benchmarks/floor_app.py"


@dataclass(frozen=True)
class Contestant:
    """A page that is loaded, and what its visitors do."""

    name: str
    script: str
    acts: dict[Act, int]
    folder: Path = ROOT
    replicas: int = 0  # behind a front; 0: one process without a front

    @contextmanager
    def served(self, log: Path) -> Iterator[tuple[str, list[int]]]:
        """The address where it answers, and its processes."""
        if self.replicas:
            with fronted(log, self.replicas, self.folder) as front:
                yield front.url, [process.pid for process in front.replicas.values()]
        else:
            with served(self.script, log, folder=self.folder) as server:
                yield server.url, [server.pid]


@dataclass(frozen=True)
class Result:
    """What one crowd found at one contestant."""

    name: str
    visitors: int
    p50_ms: float
    p95_ms: float
    changes_a_second: float
    cpu_ms: float
    first_p95_ms: float
    mb_a_session: float
    lost: list[str]
    errors: list[str]

    @property
    def line(self) -> str:
        numbers = (self.p50_ms, self.p95_ms, self.changes_a_second, self.cpu_ms, self.first_p95_ms)
        shown = [f"{number:,.1f}" for number in (*numbers, self.mb_a_session)]
        return LINE.format(self.name, self.visitors, *shown, len(self.lost), len(self.errors))


def main() -> None:
    args = parser().parse_args()
    contestants = [Contestant("app", "app.py", ACTS), Contestant("floor", FLOOR, {seed: 1})]
    if args.before:
        contestants.append(Contestant("before", "app.py", ACTS, args.before.resolve()))
    contestants += [Contestant(f"front {n}", "app.py", ACTS, replicas=n) for n in args.front]
    print(LEGEND, HEADING, sep="\n", flush=True)
    results = []
    for visitors in args.visitors:
        for contestant in contestants:
            results.append(measured(contestant, visitors, args.seconds))
            print(results[-1].line, flush=True)
    setting = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "cpu": processor()}
    write(args.results, {**setting, "loads": [asdict(result) for result in results]})


def measured(contestant: Contestant, visitors: int, seconds: float) -> Result:
    """A fresh server under this crowd. A few visitors come first, so that all is loaded."""
    with tempfile.NamedTemporaryFile() as log, contestant.served(Path(log.name)) as (url, pids):
        asyncio.run(crowd(url, 4 * contestant.replicas or 1, 1.0, contestant.acts))
        memory, work = total(megabytes, pids), total(processor_time, pids)
        outcome = asyncio.run(crowd(url, visitors, seconds, contestant.acts))
        grown, worked = total(megabytes, pids) - memory, total(processor_time, pids) - work
    return result_of(contestant.name, visitors, outcome, grown, worked)


def result_of(name: str, visitors: int, outcome: Outcome, grown: float, worked: float) -> Result:
    changes = outcome.changes
    return Result(
        name,
        visitors,
        1000 * share_of(changes, 0.5),
        1000 * share_of(changes, 0.95),
        len(changes) / outcome.seconds,
        1000 * worked / max(1, len(changes) + visitors),
        1000 * share_of(outcome.first, 0.95),
        grown / visitors,
        outcome.lost,
        outcome.errors,
    )


def total(measure: Callable[[int], float], pids: Iterable[int]) -> float:
    return sum(map(measure, pids))


def processor_time(pid: int) -> float:
    """The seconds that a process has been computing."""
    after_name = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    made.add_argument("--visitors", type=int, nargs="+", default=list(VISITORS))
    made.add_argument("--seconds", type=float, default=SECONDS)
    made.add_argument("--before", type=Path, help="an older checkout")
    made.add_argument(
        "--front", type=int, nargs="*", default=[], help="so many processes behind nginx"
    )
    made.add_argument("--results", type=Path, default=RESULTS)
    return made


if __name__ == "__main__":
    main()
