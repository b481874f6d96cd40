"""Serve the app to many: a process for each core, and nginx in front of them.

    .venv/bin/python -m tools.serve [--port 8501] [--replicas 2] [--address 0.0.0.0]

A replica that dies is started again. Ctrl+C ends all. A hangup (kill -HUP and the number that is
said at the start) restarts the replicas one after the other, so that the page never goes away.

The settings of nginx are in hosting/nginx.conf. The front has the given port, and the replicas have
the next ones, at which only this machine can reach them.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from string import Template
from typing import Final

from tools.find_nginx import get_nginx
from tools.shell import say

ROOT: Final = Path(__file__).resolve().parent.parent
HOSTING: Final = ROOT / "hosting"
LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
PATIENCE: Final = 180.0  # seconds for a replica to start on a busy machine
GRACE: Final = 10.0  # seconds for a process to end, or to answer
GLANCE: Final = 0.2  # seconds between two looks at the processes
PAUSE: Final = 1.0  # seconds before a dead replica is started again, which may die at once

# There is a process for each core: threads of NumPy would only take turns with them.
ONE_THREAD: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

Child = subprocess.Popen[bytes]


class Replica:
    """A process of the app. If it dies, another one takes its place at the same port."""

    def __init__(self, number: int, port: int) -> None:
        self.number = number
        self.port = port
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += [f"--server.address={LOOPBACK}", f"--server.port={self.port}"]
        self.process = child(command, cwd=ROOT)
        say(f"Replica {self.number} is process {self.process.pid}, at port {self.port}")

    def restart(self) -> None:
        end([self.process])
        self.start()
        self.wait_until_healthy()

    def replace_if_dead(self) -> None:
        status = self.process.poll()
        if status is not None:
            say(f"Replica {self.number} has ended with status {status}; another takes its place")
            time.sleep(PAUSE)
            self.start()

    def wait_until_healthy(self) -> None:
        wait_until_it_answers(self.process, f"http://{LOOPBACK}:{self.port}/_stcore/health")


def main(arguments: Sequence[str] | None = None) -> None:
    args = parser().parse_args(arguments)
    if args.replicas < 1:
        sys.exit("At least one replica is needed, as in make serve REPLICAS=1")
    nginx = get_nginx()
    ports = range(args.port + 1, args.port + 1 + args.replicas)
    for address, port in [(args.address, args.port), *((LOOPBACK, port) for port in ports)]:
        refuse_taken(address, port)
    open_many_files()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(
            number, signal.default_int_handler
        )  # also where a shell lets it ignore Ctrl+C
    with suppress(KeyboardInterrupt), ExitStack() as at_the_end:
        replicas = [Replica(number, port) for number, port in enumerate(ports, start=1)]
        at_the_end.callback(lambda: end([replica.process for replica in replicas]))
        for replica in replicas:
            replica.wait_until_healthy()
        folder = Path(at_the_end.enter_context(tempfile.TemporaryDirectory(prefix="front-")))
        fill(folder, f"{args.address}:{args.port}", ports)
        front = child([str(nginx), "-p", str(folder), "-c", str(folder / "nginx.conf")], cwd=folder)
        at_the_end.callback(lambda: end([front]))
        here = LOOPBACK if args.address == EVERYWHERE else args.address
        wait_until_it_answers(front, f"http://{here}:{args.port}/healthz")
        say(
            f"Open http://localhost:{args.port} · Ctrl+C ends it · kill -HUP {os.getpid()} restarts"
        )
        watch(front, replicas)
    say("All have ended")


def watch(front: Child, replicas: Sequence[Replica]) -> None:
    """Put new replicas in the place of dead ones, until nginx ends or somebody interrupts."""
    hangups: list[int] = []
    signal.signal(signal.SIGHUP, lambda number, _: hangups.append(number))
    while front.poll() is None:
        for replica in replicas:
            replica.replace_if_dead()
        if hangups:
            hangups.clear()
            for replica in replicas:
                replica.restart()
            say("All replicas were restarted")
        time.sleep(GLANCE)
    sys.exit(f"nginx has ended with status {front.returncode}; its reason stands above.")


def fill(folder: Path, listen: str, ports: Iterable[int]) -> None:
    """Write what nginx reads into its folder."""
    # A dead replica refuses at once, so it costs nothing to ask each one first, every time.
    servers = "\n        ".join(f"server {LOOPBACK}:{port} max_fails=0;" for port in ports)
    template = Template((HOSTING / "nginx.conf").read_text("utf-8"))
    written = template.safe_substitute(
        LISTEN=listen, SERVERS=servers
    )  # nginx has $names of its own
    (folder / "nginx.conf").write_text(written, "utf-8")
    shutil.copy(HOSTING / "headers.conf", folder)
    folder.chmod(0o755)  # where root starts nginx, another user reads the cache


def child(command: Sequence[str], cwd: Path) -> Child:
    """A process that does not hear the Ctrl+C of this one: it is ended in its turn."""
    return subprocess.Popen(command, cwd=cwd, env=os.environ | ONE_THREAD, start_new_session=True)


def wait_until_it_answers(process: Child, url: str) -> None:
    """Until it answers, or has ended, or patience has."""
    give_up = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < give_up:
        with suppress(OSError), urllib.request.urlopen(url, timeout=GRACE):
            return
        time.sleep(GLANCE)


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


def refuse_taken(address: str, port: int) -> None:
    """End with a way out if somebody listens at this port, or it may not be taken."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((address, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            sys.exit(
                f"Port {port} of {address} must be free, but cannot be taken: {reason}. The front "
                f"takes one port, and each replica one of the next. Choose others, as in "
                f"make serve PORT=8600"
            )


def open_many_files() -> None:
    """Take all that the system allows: each visitor is two connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # a Mac says "without limit", and refuses it
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    made.add_argument("--port", type=int, default=8501)
    made.add_argument("--replicas", type=int, default=os.cpu_count() or 1)
    made.add_argument("--address", default=EVERYWHERE, help="127.0.0.1: for this machine alone")
    return made


if __name__ == "__main__":
    main()
