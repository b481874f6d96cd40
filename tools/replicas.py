"""The replicas: processes of the app, each at a port of its own, watched and replaced.

A thread asks each process for its health, as one that hangs never answers. What a process prints is
passed on, and its last lines are kept: they tell why it did not start.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tools.health import LOOPBACK, Health, ask
from tools.shell import say

ROOT: Final = Path(__file__).resolve().parent.parent
PATIENCE: Final = 180.0  # seconds for a replica to start on a busy machine
GRACE: Final = 10.0  # seconds for a process to end
GLANCE: Final = 0.2  # seconds between two looks at the processes
PAUSE: Final = 1.0  # seconds before another takes the place of one that has ended
LONGEST_PAUSE: Final = 60.0  # seconds: the pause grows while no process starts
# A process that hangs is replaced after 4 questions without an answer: after half a minute, or a
# whole one if it leaves each question waiting. The busiest server answers sooner.
BETWEEN: Final = 10.0  # seconds between two questions
ANSWERS_WITHIN: Final = 10.0  # seconds
MISSES: Final = 4
LAST_LINES: Final = 12

# There is a process for each core: threads of NumPy would only take turns with them.
ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# Streamlit greets with an address that only this machine can reach: the front says the right one.
FLAGS: Final = (
    "--server.headless=true",
    f"--server.address={LOOPBACK}",
    "--logger.hideWelcomeMessage=true",
)

Child = subprocess.Popen[str]


class Process:
    """A process that serves at a port: what it says, and whether it answers."""

    def __init__(
        self, command: Sequence[str], port: int, name: str, environment: Mapping[str, str]
    ) -> None:
        self.port = port
        self.name = name
        self.begun = time.monotonic()
        self.is_up = False  # it has answered as the app does
        self.misses = 0  # questions without an answer since then
        self.is_other = False  # something else has answered
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self.child = start(
            command, ROOT, environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._reader = threading.Thread(target=self._pass_on, daemon=True)
        self._reader.start()
        threading.Thread(target=self._ask, daemon=True).start()

    @property
    def trouble(self) -> str:
        """Why another must take its place, in words; "" if none must."""
        status = self.child.poll()
        if status is not None:
            return f"has ended with status {status}"
        if self.misses >= MISSES:
            return f"has not answered {self.misses} times in a row"
        if not self.is_up and self.is_other:
            return f"does not answer at port {self.port} as the app does"
        if not self.is_up and time.monotonic() > self.begun + PATIENCE:
            return f"has not answered for {PATIENCE:g} seconds"
        return ""

    @property
    def last_words(self) -> str:
        """The last lines of a process that has ended, below each other."""
        self._reader.join(GRACE)
        said = "".join(f"\n    {line}" for line in self.last_lines)
        return f"It said last:{said}" if said else "It said nothing."

    def kill(self) -> None:
        self.child.kill()
        self.child.wait()

    def _pass_on(self) -> None:
        """Write what it prints to the log, with its name. A line of JSON has the name in it."""
        assert self.child.stdout
        with self.child.stdout as lines:
            for line in lines:
                self.last_lines.append(line.rstrip())
                named = line if line.startswith("{") else f"{self.name}: {line}"
                with suppress(OSError, ValueError):  # a log that is gone holds no replica up
                    print(named, end="", file=sys.stderr, flush=True)

    def _ask(self) -> None:
        """Ask it for its health until it has ended."""
        while self.child.poll() is None:
            health = ask(self.port, ANSWERS_WITHIN)
            self.is_up |= health is Health.WELL and self.child.poll() is None
            self.is_other = health is Health.OTHER
            self.misses = self.misses + 1 if self.is_up and health is not Health.WELL else 0
            time.sleep(BETWEEN if self.is_up else GLANCE)


class Replica:
    """One of the replicas. If its process ends or hangs, another one takes its place."""

    def __init__(self, number: int, of: int, port: int) -> None:
        self.number = number
        self.of = of
        self.port = port
        self.process: Process | None = None
        self.failures = 0  # processes in a row that did not start
        self._starts_at = 0.0

    @property
    def is_up(self) -> bool:
        return self.process is not None and self.process.is_up

    @property
    def command(self) -> list[str]:
        flags = [*FLAGS, f"--server.port={self.port}"]
        return [sys.executable, "-m", "tools.start_app", *flags]

    def start(self) -> None:
        told = {"EXPLORER_REPLICA": f"{self.number}/{self.of}", "PYTHONUNBUFFERED": "1"}
        self.process = Process(
            self.command, self.port, f"replica {self.number}", {**ONE_THREAD, **told}
        )
        pid = self.process.child.pid
        say(f"Replica {self.number} is process {pid}, at port {self.port}")

    def restart(self) -> None:
        if self.process:
            end([self.process.child])
        self.failures = 0
        self.start()

    def look(self) -> None:
        """Replace a process that is in trouble; if there is none, start one when it is time."""
        if self.process is None:
            if time.monotonic() >= self._starts_at:
                self.start()
            return
        if self.failures and self.process.is_up:
            self.failures = 0
            say(f"Replica {self.number} has started")
        trouble = self.process.trouble
        if trouble:
            self._make_room(self.process, trouble)

    def _make_room(self, process: Process, trouble: str) -> None:
        process.kill()
        if process.is_up:
            pause = PAUSE
            say(f"Replica {self.number} {trouble}; another takes its place")
        else:
            pause = min(PAUSE * 2**self.failures, LONGEST_PAUSE)
            self.failures += 1
            say(
                f"Replica {self.number} does not start: it {trouble}. "
                f"It is tried again in {pause:g} s. {process.last_words}"
            )
        self.process = None
        self._starts_at = time.monotonic() + pause


def start_all(replicas: Sequence[Replica]) -> None:
    """Start them and wait until all are up. Where one does not start, end with its reason."""
    for replica in replicas:
        replica.start()
    while not all(replica.is_up for replica in replicas):
        for replica in replicas:
            process = replica.process
            if process and (trouble := process.trouble):
                process.kill()
                sys.exit(
                    f"The app cannot be served: replica {replica.number} {trouble}. "
                    f"{process.last_words}"
                )
        time.sleep(GLANCE)


def roll(replicas: Sequence[Replica]) -> Iterator[None]:
    """Restart one after the other; each `next` goes one step on.

    Those that are down come first, so that the others serve meanwhile. If one does not start, all
    others are left as they are.
    """
    for replica in sorted(replicas, key=lambda replica: replica.is_up):
        replica.restart()
        while not replica.is_up:
            if replica.failures:
                say(
                    f"The restart has stopped at replica {replica.number}: "
                    "all others are left as they are. Mend what it says, and restart again"
                )
                return
            yield
    say("All replicas were restarted")


def start(
    command: Sequence[str],
    cwd: Path,
    environment: Mapping[str, str],
    stdout: int | None = None,
    stderr: int | None = None,
) -> Child:
    """A process that does not hear the Ctrl+C of this program, which ends it in its turn."""
    return subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=stdout,
        stderr=stderr,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


def end(children: Sequence[Child]) -> None:
    for each in children:
        each.terminate()
    give_up = time.monotonic() + GRACE
    for each in children:
        try:
            each.wait(max(0.0, give_up - time.monotonic()))
        except subprocess.TimeoutExpired:
            each.kill()
            each.wait()
