"""Say a step in one line; run a command and hear whether it succeeded; know where it runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def say(step: str) -> None:
    print(f"· {step}", flush=True)


def succeeds(
    command: Sequence[str | Path],
    *,
    timeout: float | None = None,
    env: Mapping[str, str] | None = None,
) -> bool:
    """Whether the command can be started, ends in time and reports success, whatever it says."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            env=env,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def is_ci() -> bool:
    return bool(os.environ.get("CI"))
