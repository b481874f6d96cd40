"""One target in a process of its own, until its runs or its seconds are over.

    .venv/bin/python -m tests.fuzz.one_target link --runs 2000
    .venv/bin/python -m tests.fuzz.one_target link --seconds 600 --broken test-results/fuzz/
    .venv/bin/python -m tests.fuzz.one_target link tour --runs 200

Several are tried one after the other, each in a copy of this process: atheris needs four seconds to
watch the code, and 200 runs need half a second. Each has a folder of its name in `--broken`.

atheris finds inputs that take new ways through the code. If it cannot be installed, inputs are
changed by chance. The exit code is not 0 if an input broke a limit: that input is then a file in
the folder `--broken`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.fuzz.limits import Target

SEED: Final = 20261123  # the same inputs for the same code
LONGEST: Final = 4096  # bytes
GIVE_UP: Final = 100  # seconds by the clock, after which even an input that never ends is reported

BEGINS: Final = "== {} =="
ENDS: Final = "== ended with {} =="


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.one_target")
    parser.add_argument("names", nargs="+", metavar="name")
    parser.add_argument("--targets", default="tests.fuzz.targets", help="the module with TARGETS")
    parser.add_argument("--runs", type=int, default=-1)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--broken", type=Path, default=Path())
    parser.add_argument("--by-chance", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # so that seconds are those of one processor
    targets = targets_of(options)
    if len(options.names) == 1:
        fuzz(targets[options.names[0]], options)
        return
    for name in options.names:
        print(BEGINS.format(name), flush=True)
        options.broken.joinpath(name).mkdir()
        if not (copy := os.fork()):
            fuzz(
                targets[name],
                argparse.Namespace(**{**vars(options), "broken": options.broken / name}),
            )
            return
        _, status = os.waitpid(copy, 0)
        print(ENDS.format(os.waitstatus_to_exitcode(status)), flush=True)


def targets_of(options: argparse.Namespace) -> dict[str, Target]:
    """The module's targets. Atheris watches all code that is imported with them."""
    if not is_watched(options):
        return importlib.import_module(options.targets).TARGETS
    import atheris

    with atheris.instrument_imports(include=["mha_core", "ui"], enable_loader_override=False):
        return importlib.import_module(options.targets).TARGETS


def is_watched(options: argparse.Namespace) -> bool:
    return may_have_atheris() and not options.by_chance


def fuzz(target: Target, options: argparse.Namespace) -> None:
    (with_atheris if is_watched(options) else by_chance)(target, options)


def may_have_atheris() -> bool:
    """Whether requirements-dev.txt asks for it here. If so, it must be there, or the run fails."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def with_atheris(target: Target, options: argparse.Namespace) -> None:
    import atheris

    from tests.fuzz.limits import seconds_for

    slowest = 0.0

    def read(data: bytes) -> None:
        nonlocal slowest
        seconds = seconds_for(target, data)
        if seconds > slowest:
            slowest = seconds
            say_slowest(slowest)

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(warmed(target)):
            Path(corpus, str(number)).write_bytes(seed)
        atheris.Setup(
            [
                "one_target",
                *(f"-runs={options.runs}", f"-max_total_time={options.seconds}", f"-seed={SEED}"),
                *(
                    f"-max_len={LONGEST}",
                    f"-timeout={GIVE_UP}",
                    f"-report_slow_units={GIVE_UP}",
                    "-rss_limit_mb=4096",
                ),
                *(f"-artifact_prefix={options.broken}/", "-print_final_stats=1", corpus),
            ],
            read,
        )
        atheris.Fuzz()


def by_chance(target: Target, options: argparse.Namespace) -> None:
    from tests.fuzz.limits import seconds_for

    seeds, chance = list(warmed(target)), random.Random(SEED)
    give_up = time.monotonic() + (options.seconds or float("inf"))
    slowest, run = 0.0, 0
    while run != options.runs and time.monotonic() < give_up:
        run += 1
        data = changed(chance.choice(seeds), chance)
        try:
            slowest = max(slowest, seconds_for(target, data))
        except Exception:
            (options.broken / "crash-by-chance").write_bytes(data)
            raise
    say_slowest(slowest)
    print(f"Done {run} runs", file=sys.stderr)


def changed(data: bytes, chance: random.Random) -> bytes:
    """A part of the input is replaced, left out or put in."""
    start = chance.randint(0, len(data))
    end = min(len(data), start + chance.choice((0, 0, 1, 1, 2, 8)))
    return (data[:start] + chance.randbytes(chance.choice((0, 1, 1, 2, 4))) + data[end:])[:LONGEST]


def warmed(target: Target) -> list[bytes]:
    """The seeds, each read once: what is made for the first one is not the fault of an input."""
    from mha_core.checks.errors import MhaError

    seeds = list(target.seeds())
    for seed in seeds:
        try:
            target.read(seed)
        except MhaError:
            continue
    return seeds


def say_slowest(seconds: float) -> None:
    print(f"slowest {seconds:.3f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
