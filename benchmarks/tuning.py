"""How much processor time each row of `ui/running/tuning.py` saves in a change.

    .venv/bin/python -m benchmarks.tuning [rounds]

One server runs in its own process. In each round, one visitor makes the same changes with all rows,
with none, and without each row in turn. The order changes from round to round.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.load.crowd import PICTURE, edit, share_of
from benchmarks.load.visitor import visiting
from ui.running.tuning import TABLE

ROOT: Final = Path(__file__).resolve().parent.parent
CHANGES: Final = 5  # that count, in each round; one before them fills the caches
ALL: Final = "all"
NONE: Final = "none"
CLOCK: Final = "clock"
QUIET: Final = 0.2  # the quickest of the changes: other programs only slow them down


class Server:
    """A server whose rows are put in and taken out while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.url = f"http://127.0.0.1:{self._answer()}"

    def leave_out(self, name: str) -> None:
        """Put in all rows but this one."""
        self._say(name)

    @property
    def seconds(self) -> float:
        """The processor time that it took so far."""
        return self._say(CLOCK)

    def _say(self, word: str) -> float:
        assert self._process.stdin
        print(word, file=self._process.stdin, flush=True)
        return float(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout
        while not (line := self._process.stdout.readline()).startswith("> "):
            if not line:
                raise ConnectionError("The server has ended.")
        return line[2:].strip()


@contextmanager
def serving() -> Iterator[Server]:
    command = [sys.executable, "-m", "benchmarks.tuning", "serve"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Server(process)
        finally:
            process.terminate()


def serve() -> None:
    """The process of the server: serve, and do what each line of the input says."""
    import uvicorn

    from ui.running import tuning

    put_in: dict[str, Callable[[], None]] = {}
    tune = tuning.tune
    setattr(tuning, "tune", dict)  # noqa: B010 # the app would put in all, which nobody could take out
    from app import app

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))

    def obey() -> None:
        while not server.started:
            time.sleep(0.05)
        print(">", server.servers[0].sockets[0].getsockname()[1], flush=True)
        for line in sys.stdin:
            without = line.strip()
            if without == CLOCK:
                print(">", time.process_time(), flush=True)
                continue
            for take_out in put_in.values():
                take_out()
            put_in.clear()
            put_in.update(tune([row for row in tuning.TABLE if without not in (NONE, row.name)]))
            print(">", time.process_time(), flush=True)

    threading.Thread(target=obey, daemon=True).start()
    server.run()


async def measure(server: Server, rounds: int) -> dict[str, list[float]]:
    """The milliseconds of each change, by the row that is left out."""
    states = [ALL, NONE, *(row.name for row in TABLE)]
    took: dict[str, list[float]] = {state: [] for state in states}
    dice, numbers = random.Random(1), count(1)
    async with visiting(server.url) as visitor:
        await visitor.open("example=pizza", PICTURE)
        for _ in range(rounds):
            for state in dice.sample(states, len(states)):
                server.leave_out(state)
                await edit(visitor, dice, next(numbers))
                for _ in range(CHANGES):
                    began = server.seconds
                    await edit(visitor, dice, next(numbers))
                    took[state].append((server.seconds - began) * 1000)
    return took


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with serving() as server:
        took = asyncio.run(measure(server, rounds))
    print(f"Without {'':>14} quiet ms of a change   gain      middle ms   gain")
    quiet_all, middle_all = (share_of(took[ALL], share) for share in (QUIET, 0.5))
    for state, each in took.items():
        quiet, middle = share_of(each, QUIET), share_of(each, 0.5)
        print(
            f"{state:>22} {quiet:20.2f} {quiet / quiet_all - 1:6.1%}"
            f" {middle:14.2f} {middle / middle_all - 1:6.1%}"
        )


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
