"""Start the app as `make serve` does, with nginx in front of replicas, and end it."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.serving import PATIENCE, ROOT
from tools.health import Health, ask

REPLICA = re.compile(r"Replica (\d+) is process (\d+), at port (\d+)")

HOMES = [f"replica={number}" for number in (1, 2, 3)]  # cookies; each leads to another of three


class Process(NamedTuple):
    """The process that a replica is at present."""

    pid: int
    port: int

    @property
    def n_sessions(self) -> int:
        """How many pages are connected to it."""
        said = self._ask("metrics?families=active_sessions")
        return sum(
            int(count) for count in re.findall(r"^active_sessions (\d+)", said, re.MULTILINE)
        )

    @property
    def is_healthy(self) -> bool:
        return ask(self.port, PATIENCE) is Health.WELL

    def _ask(self, what: str) -> str:
        url = f"http://127.0.0.1:{self.port}/_stcore/{what}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            said: str = answer.read().decode()
        return said


@dataclass
class Front:
    """A running front: where it answers, what it and its replicas say, and their processes."""

    url: str
    log_file: Path
    pid: int

    def log(self) -> str:
        return self.log_file.read_text("utf-8")

    @property
    def replicas(self) -> dict[int, Process]:
        said = REPLICA.findall(self.log())
        return {int(number): Process(int(pid), int(port)) for number, pid, port in said}

    @property
    def busiest(self) -> int:
        """The number of the replica to which most pages are connected."""
        return max(self.replicas, key=lambda number: self.replicas[number].n_sessions)

    def kill(self, number: int) -> None:
        """Kill the process of a replica, in the middle of whatever it does."""
        killed = self.replicas[number]
        os.kill(killed.pid, signal.SIGKILL)
        wait_for(lambda: not killed.is_healthy)

    def wait_until_whole(self) -> None:
        """Wait until each replica has a process that answers."""
        wait_for(lambda: all(process.is_healthy for process in self.replicas.values()))

    def restart(self, until: str = "All replicas were restarted") -> None:
        """Restart the replicas one after the other, until the front says this once more."""
        said = self.log().count(until)
        os.kill(self.pid, signal.SIGHUP)
        wait_for(lambda: self.log().count(until) > said)


@contextmanager
def fronted(log_file: Path, replicas: int, folder: Path = ROOT) -> Iterator[Front]:
    """The front of a checkout of the project, ready to answer."""
    port = free_ports(1 + replicas)
    with (
        log_file.open("w") as log,
        subprocess.Popen(command(port, replicas), cwd=folder, stdout=log, stderr=log) as process,
    ):
        try:
            front = Front(f"http://127.0.0.1:{port}", log_file, process.pid)
            wait_for(lambda: "Open http" in front.log() or process.poll() is not None)
            if process.poll() is not None:
                pytest.fail(f"The front did not start. It said:\n{front.log()}")
            yield front
        finally:
            process.send_signal(signal.SIGINT)


def command(port: int, replicas: int) -> list[str]:
    flags = ["--address=127.0.0.1", f"--port={port}", f"--replicas={replicas}"]
    return [sys.executable, "-m", "tools.serve", *flags]


def wait_for(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up, "It did not come about."
        time.sleep(0.05)


def free_ports(count: int) -> int:
    """The first of so many free ports in a row, among those that no outgoing connection takes."""
    while True:
        first = random.randrange(20_000, 32_000)
        if all(is_free(port) for port in range(first, first + count)):
            return first


def is_free(port: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
