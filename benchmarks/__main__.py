"""Measure the core against PyTorch and against the floor; print a table and write a JSON file.

python -m benchmarks [--threads 2] [--quick]
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

RESULTS: Final = Path(__file__).resolve().parent / "results" / "core.json"
# Whichever library multiplies the matrices reads one of these.
THREADS: Final = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    "VECLIB_MAXIMUM_THREADS",
)


def main() -> None:
    options = parse_options()
    # The libraries read these once, when they load. So they must be imported later.
    os.environ.update(dict.fromkeys(THREADS, str(options.threads)))
    from benchmarks.run import FULL, QUICK, run

    plan = QUICK if options.quick else FULL
    run(plan, threads=options.threads, results=options.results)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--threads", type=int, default=1, help="of both libraries (1)")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few rounds, small sizes")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the JSON file goes")
    return parser.parse_args()


if __name__ == "__main__":
    main()
