"""Serve the app to many: a process for each core, and nginx in front of them.

    .venv/bin/python -m tools.serve [--port 8501] [--replicas 2] [--address 0.0.0.0]

A replica that dies or hangs is started again. Ctrl+C ends all. A hangup (kill -HUP and the number
that is said at the start) restarts the replicas one after the other, so that the page never goes
away. Where one does not start again, the others are left as they are.

The settings of nginx are in hosting/nginx.conf. The front has the given port, and the replicas have
the next ones, at which only this machine can reach them.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from string import Template
from typing import Final

from tools.find_nginx import get_nginx
from tools.health import LOOPBACK, Health, ask
from tools.replicas import ANSWERS_WITHIN, GLANCE, ROOT, Child, Replica, end, roll, start, start_all
from tools.shell import say

HOSTING: Final = ROOT / "hosting"
EVERYWHERE: Final = "0.0.0.0"
LAST_PORT: Final = 65535


def main(arguments: Sequence[str] | None = None) -> None:
    args = parser().parse_args(arguments)
    n_replicas = whole_number("REPLICAS", args.replicas, 1, LAST_PORT - 1)
    port = whole_number("PORT", args.port, 1, LAST_PORT - n_replicas)
    nginx = get_nginx()
    ports = range(port + 1, port + 1 + n_replicas)
    for address, taken in [(args.address, port), *((LOOPBACK, each) for each in ports)]:
        refuse_taken(address, taken)
    open_many_files()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(
            number, signal.default_int_handler
        )  # also where a shell lets it ignore Ctrl+C
    hangups: list[int] = []
    signal.signal(signal.SIGHUP, lambda number, _: hangups.append(number))
    with suppress(KeyboardInterrupt), ExitStack() as at_the_end:
        replicas = [Replica(number, n_replicas, each) for number, each in enumerate(ports, start=1)]
        at_the_end.callback(lambda: end([each.process.child for each in replicas if each.process]))
        start_all(replicas)
        folder = Path(at_the_end.enter_context(tempfile.TemporaryDirectory(prefix="front-")))
        fill(folder, f"{args.address}:{port}", ports)
        front = start([str(nginx), "-p", str(folder), "-c", str(folder / "nginx.conf")], folder, {})
        at_the_end.callback(lambda: end([front]))
        here = LOOPBACK if args.address == EVERYWHERE else args.address
        while ask(port, ANSWERS_WITHIN, here) is not Health.WELL:
            look_after(front, replicas)
        say(f"Open http://localhost:{port} · Ctrl+C ends it · kill -HUP {os.getpid()} restarts")
        watch(front, replicas, hangups)
    say("All have ended")


def watch(front: Child, replicas: Sequence[Replica], hangups: list[int]) -> None:
    """Look after them and restart the replicas when asked, until somebody interrupts."""
    rolling: Iterator[None] = iter(())
    while True:
        if hangups:
            hangups.clear()
            rolling = roll(replicas)
        next(rolling, None)
        look_after(front, replicas)


def look_after(front: Child, replicas: Sequence[Replica]) -> None:
    """Put new replicas in the place of those in trouble. Without nginx nobody is served."""
    status = front.poll()
    if status is not None:
        sys.exit(f"nginx has ended with status {status}; its reason stands above.")
    for replica in replicas:
        replica.look()
    time.sleep(GLANCE)


def fill(folder: Path, listen: str, ports: Sequence[int]) -> None:
    """Write what nginx reads into its folder."""
    numbered = dict(enumerate(ports, start=1))
    template = Template((HOSTING / "nginx.conf").read_text("utf-8"))
    written = template.safe_substitute(  # nginx has $names of its own
        LISTEN=listen,
        SERVERS=servers(ports),
        REPLICAS="\n    ".join(upstream(number, numbered) for number in numbered),
        HOMES="\n        ".join(f"{number} replica_{number};" for number in numbered),
        ADDRESSES="\n        ".join(
            f'"~{re.escape(LOOPBACK)}:{port}$" {number};' for number, port in numbered.items()
        ),
    )
    (folder / "nginx.conf").write_text(written, "utf-8")
    shutil.copy(HOSTING / "headers.conf", folder)
    folder.chmod(0o755)  # where root starts nginx, another user reads the cache


def upstream(number: int, ports: Mapping[int, int]) -> str:
    """Where the visitors of this replica go: to it, or to the others while it is dead."""
    others = [port for other, port in ports.items() if other != number]
    return f"""upstream replica_{number} {{
        {servers([ports[number]])}
        {servers(others, " backup")}
        keepalive 64;
    }}"""


def servers(ports: Iterable[int], only: str = "") -> str:
    """A dead replica refuses at once, so it costs nothing to ask each one first, every time."""
    return "\n        ".join(f"server {LOOPBACK}:{port} max_fails=0{only};" for port in ports)


def whole_number(name: str, said: str, least: int, most: int) -> int:
    """A number that a person gave, or an end with a way out.

    >>> whole_number("PORT", "8600", 1, 65533)
    8600
    """
    if said.isdecimal() and least <= int(said) <= most:
        return int(said)
    sys.exit(
        f"{name} must be a whole number from {least} to {most}, got {said[:40]!r}. The front takes "
        f"one port, and each replica one of the next. Choose others, as in "
        f"make serve PORT=8600 REPLICAS=4"
    )


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
    made.add_argument("--port", default="8501")
    made.add_argument("--replicas", default=str(cores()), help="one for each core by default")
    made.add_argument("--address", default=EVERYWHERE, help="127.0.0.1: for this machine alone")
    return made


def cores() -> int:
    """How many cores this process may use; the machine may have more."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # a Mac cannot say it in another way


if __name__ == "__main__":
    main()
