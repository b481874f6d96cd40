"""Say a step in one line, run a command, ask the system for a package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def say(step: str) -> None:
    print(f"· {step}", flush=True)


def succeeds(command: Sequence[str | Path], *, timeout: float | None = None) -> bool:
    """Whether the command can be started, ends in time and reports success, whatever it says."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def administrator() -> list[str] | None:
    """What makes a command run as administrator; None where that would need a password."""
    if sys.platform != "win32" and os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds(["sudo", "-n", "true"]) else None


def can_apt() -> bool:
    return shutil.which("apt-get") is not None and administrator() is not None


def apt_install(package: str) -> bool:
    """Install a Debian or Ubuntu package, where that is possible without asking for a password."""
    as_administrator = administrator()
    if shutil.which("apt-get") is None or as_administrator is None:
        return False
    say(f"Installing the system package {package} (apt-get)")
    quietly = [*as_administrator, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    succeeds([*quietly, "update"])  # a list out of date may still serve
    return succeeds([*quietly, "install", "--yes", package])
