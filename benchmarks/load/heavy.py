"""Measure what visitors of small examples notice of heavy ones, and what these leave behind.

python -m benchmarks.load.heavy [--visitors 50] [--seconds 20] [--before ../older-checkout]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final

from websockets.exceptions import WebSocketException

from benchmarks.load.__main__ import megabytes
from benchmarks.load.crowd import ACTS, PICTURE, Outcome, crowd, edit, share_of
from benchmarks.load.uploading import TAKEN, upload_many
from benchmarks.load.visitor import visiting
from tests.serving import ROOT, AppServer, served

TOKENS: Final = "+".join(f"w{number}" for number in range(128))
HEAVY: Final = f"tokens={TOKENS}&d_model=1024&heads=32&x=random&weights=random"
SMALL: Final = 5  # visitors of small examples
UPLOADS: Final = 20
UPLOADED: Final = 20 * 2**20  # bytes
OF_ONE: Final = 12  # files of one visitor
LARGEST: Final = 40 * 2**20  # bytes of each
CONNECTIONS: Final = 500
TIDY: Final = 10.0  # seconds after which memory is looked at again
LINE: Final = "{:<8}{:<13}{:>11}{:>11}{:>11}{:>11}{:>11}{:>10}{:>10}{:>8}{:>8}"
HEADING: Final = LINE.format(
    *("", "beside them", "small p50", "small p95", "heavy p50", "heavy p95", "heavy/s"),
    *("peak MB", "after MB", "lost", "errors"),
)
LEGEND: Final = f"""\
{SMALL} visitors of small examples make changes, with a second to think. Beside them: nobody;
visitors of a layer of 128 tokens, 32 heads and width 1024 who hold a key; {UPLOADS} uploads
of 20 MB at once, each by another visitor; {OF_ONE} of 40 MB by one; {CONNECTIONS} connections,
opened and closed. Milliseconds are from a change to the end of the run that answers it. MB: of the
server's process, at most, and {TIDY:g} seconds after they have gone. Errors: visitors who were cut
off, and files that were refused."""

Beside = Callable[[AppServer, int, float], Coroutine[None, None, Outcome]]


async def nobody(server: AppServer, visitors: int, seconds: float) -> Outcome:
    return Outcome()


async def held_keys(server: AppServer, visitors: int, seconds: float) -> Outcome:
    return await crowd(server.url, visitors, seconds, {edit: 1}, HEAVY, thinks=0)


async def uploads(server: AppServer, visitors: int, seconds: float) -> Outcome:
    """Files that are sent at once, each over the session of a visitor who is there."""
    async with AsyncExitStack() as there:
        senders = [await there.enter_async_context(visiting(server.url)) for _ in range(UPLOADS)]
        for sender in senders:
            await sender.open("example=pizza", PICTURE)
        return await sent(server, [sender.session for sender in senders], UPLOADED)


async def one_sender(server: AppServer, visitors: int, seconds: float) -> Outcome:
    """Files that one visitor sends at once."""
    async with visiting(server.url) as sender:
        await sender.open("example=pizza", PICTURE)
        return await sent(server, [sender.session] * OF_ONE, LARGEST)


async def sent(server: AppServer, sessions: Sequence[str], size: int) -> Outcome:
    """Send files; those that the server refuses are errors."""
    answers = await upload_many(server.url, sessions, size)
    refused = [f"{answer.status} {answer.words}" for answer in answers if answer.status != TAKEN]
    return Outcome(errors=refused)


async def connections(server: AppServer, visitors: int, seconds: float) -> Outcome:
    outcome, gate = Outcome(), asyncio.Semaphore(visitors)

    async def come_and_go() -> None:
        try:
            async with gate, visiting(server.url) as visitor:
                outcome.first.append(await visitor.open("example=pizza", PICTURE))
        except (OSError, WebSocketException, TimeoutError) as error:
            outcome.errors.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*(come_and_go() for _ in range(CONNECTIONS)))
    return outcome


BESIDE: Final[dict[str, Beside]] = {
    "nobody": nobody,
    "held keys": held_keys,
    "uploads": uploads,
    "one sender": one_sender,
    "connections": connections,
}


async def both(
    server: AppServer, beside: Beside, visitors: int, seconds: float
) -> tuple[Outcome, Outcome]:
    """The small ones make changes for as long as the others are there, and a while longer."""
    others = asyncio.create_task(beside(server, visitors, seconds))
    small = Outcome()
    while not (others.done() and small.changes):
        some = await crowd(server.url, SMALL, 5.0, ACTS)
        for name in ("changes", "lost", "errors"):
            getattr(small, name).extend(getattr(some, name))
    return small, await others


@contextmanager
def peak_of(pid: int) -> Iterator[list[float]]:
    """The most memory that the process took meanwhile, as the only number of a list."""
    peak, ended = [megabytes(pid)], threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            peak[0] = max(peak[0], megabytes(pid))

    looker = threading.Thread(target=look)
    looker.start()
    yield peak
    ended.set()
    looker.join()


def measured(name: str, folder: Path, beside: str, visitors: int, seconds: float) -> str:
    """One line on a fresh server under this load."""
    with tempfile.NamedTemporaryFile() as log, served("app.py", Path(log.name), folder=folder) as s:
        asyncio.run(crowd(s.url, 1, 1.0, ACTS))
        with peak_of(s.pid) as peak:
            small, others = asyncio.run(both(s, BESIDE[beside], visitors, seconds))
        asyncio.run(crowd(s.url, 1, TIDY, ACTS))
        after = megabytes(s.pid)
    times = [1000 * share_of(o.changes, share) for o in (small, others) for share in (0.5, 0.95)]
    rate = len(others.changes) / seconds
    shown = [f"{number:,.1f}" for number in (*times, rate, peak[0], after)]
    lost, errors = (len(small.lost + others.lost), len(small.errors + others.errors))
    return LINE.format(name, beside, *shown, lost, errors)


def main() -> None:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    made.add_argument("--visitors", type=int, default=10)
    made.add_argument("--seconds", type=float, default=20.0)
    made.add_argument("--before", type=Path, help="an older checkout")
    made.add_argument("--beside", nargs="+", choices=BESIDE, default=list(BESIDE))
    args = made.parse_args()
    folders = {"app": ROOT, **({"before": args.before.resolve()} if args.before else {})}
    print(LEGEND, HEADING, sep="\n", flush=True)
    for beside in args.beside:
        for name, folder in folders.items():
            print(measured(name, folder, beside, args.visitors, args.seconds), flush=True)


if __name__ == "__main__":
    main()
