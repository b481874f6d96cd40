"""Time and peak memory of the path for long sequences, each run in a process of its own.

    python -m benchmarks.long_rows 16384 float64

prints one JSON object.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

D_MODEL, N_HEADS = 512, 8
MEBIBYTE: Final = 2**20
ROOT: Final = Path(__file__).resolve().parent.parent


def measured_in_own_process(n: int, dtype: str) -> dict[str, Any]:
    """Peak memory counts for a whole process, so this one must hold nothing else."""
    command = [sys.executable, "-m", "benchmarks.long_rows", str(n), dtype]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(printed)
    return result


def measure(n: int, dtype: str) -> dict[str, Any]:
    import time

    import numpy as np

    from mha_core.layer.chosen_rows import attend_rows
    from mha_core.scenario.scenario import Scenario

    rng = np.random.default_rng(0)

    def random(*shape: int, spread: float = 1.0) -> Any:
        return spread * rng.standard_normal(shape, dtype=np.dtype(dtype).type)

    w_q, w_k, w_v, w_o = (random(D_MODEL, D_MODEL, spread=D_MODEL**-0.5) for _ in range(4))
    x = random(n, D_MODEL)
    scenario = Scenario(x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, n_heads=N_HEADS)
    start, processor_start = time.perf_counter(), time.process_time()
    attend_rows(scenario, [0, n // 2, n - 1])
    return {
        "n": n,
        "d_model": D_MODEL,
        "n_heads": N_HEADS,
        "dtype": dtype,
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - processor_start,
        "peak_mib": peak_bytes() / MEBIBYTE,
        "all_weights_mib": N_HEADS * n * n * np.dtype(dtype).itemsize / MEBIBYTE,
    }


def peak_bytes() -> int:
    """The most memory this process has held, its libraries and all."""
    # Linux counts in ru_maxrss what the parent held when it started this process; VmHWM is our own.
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"))[0])
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), sys.argv[2])))
