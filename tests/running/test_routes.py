"""Whether the server is well, and how busy it is: in numbers, without a word of a visitor."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any, Final
from urllib.request import urlopen

from benchmarks.load.crowd import PICTURE, edit
from benchmarks.load.visitor import Visitor, visiting
from tests.coroutines import run
from tests.metrics import get, metrics, wait_for
from tests.serving import AppServer, served

# No example: those are made once, for all.
WORDS: Final = "+".join(f"w{number}" for number in range(128))
HEAVY: Final = f"tokens={WORDS}&d_model=1024&heads=32&x=random&weights=random"


def test_the_server_says_that_it_is_well(app_server: AppServer) -> None:
    assert json.loads(get(app_server, "/healthz")) == {"status": "ok"}


def test_it_does_so_below_a_base_path_too(tmp_path: Any) -> None:
    with served("app.py", tmp_path / "log", "course/week-3") as server:
        assert json.loads(get(server, "/healthz")) == {"status": "ok"}
        assert metrics(server)["visitors"] == 0


def test_visitors_changes_and_times_are_counted_and_nothing_is_told_of_them(
    app_server: AppServer,
) -> None:
    async def come_and_change() -> tuple[dict[str, float], dict[str, float]]:
        before = await asyncio.to_thread(metrics, app_server)
        async with visiting(app_server.url) as visitor:
            await visitor.open("example=pizza&title=SECRET", PICTURE)
            await edit(visitor, random.Random(1), 1)
            here = await asyncio.to_thread(metrics, app_server)
        return before, here

    before, here = run(come_and_change())
    grown = {name: here[name] - before[name] for name in before}
    assert grown["visitors"] == 1
    assert grown["changes_total"] == 1
    assert grown["run_seconds_count"] >= 2
    assert 0 < here['run_seconds{quantile="0.5"}'] <= here['run_seconds{quantile="0.95"}']
    assert here["memory_bytes"] > 2**26
    text = get(app_server, "/metrics")
    assert "SECRET" not in text
    assert text.count("# TYPE") == text.count("# HELP") > 10


def test_the_memory_of_a_heavy_visitor_goes_back_to_the_system(tmp_path: Any) -> None:
    async def stay_and_go(server: AppServer) -> list[dict[str, float]]:
        async with visiting(server.url) as small:
            await small.open("example=pizza", PICTURE)
            at_first = await asyncio.to_thread(metrics, server)
            async with visiting(server.url) as heavy:
                await heavy.open(HEAVY, PICTURE)
                for number in range(1, 4):
                    await edit(heavy, random.Random(number), number)
                there = await asyncio.to_thread(metrics, server)
            grown = there["memory_bytes"] - at_first["memory_bytes"]
            third = at_first["memory_bytes"] + grown / 3
            gone = await wait_for(
                server, lambda now: now["memory_bytes"] < third and now["shown_bytes"] < 2**20
            )
            await edit(small, random.Random(1), 1)
        return [at_first, there, gone]

    with served("app.py", tmp_path / "log") as server:
        at_first, there, gone = run(stay_and_go(server))
    assert [each["visitors"] for each in (at_first, there, gone)] == [1, 2, 1]
    assert there["memory_bytes"] - at_first["memory_bytes"] > 2**25
    assert gone["shown_bytes"] < 2**20 < there["shown_bytes"]


def test_connections_that_are_opened_and_closed_leave_nothing(app_server: AppServer) -> None:
    async def open_and_close(gate: asyncio.Semaphore) -> None:
        async with gate, visiting(app_server.url) as visitor:
            assert visitor.bytes_received == 0

    async def all_of_them() -> dict[str, float]:
        gate = asyncio.Semaphore(50)
        before = await asyncio.to_thread(metrics, app_server)
        await asyncio.gather(*(open_and_close(gate) for _ in range(200)))
        async with visiting(app_server.url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            assert isinstance(visitor, Visitor)
        now = await wait_for(app_server, lambda now: now["visitors"] <= before["visitors"])
        assert now["sessions"] <= before["sessions"] + 2  # those who never asked have none
        return now

    assert run(all_of_them())["memory_bytes"] > 0


def test_streamlits_own_metrics_are_not_hidden(app_server: AppServer) -> None:
    with urlopen(f"{app_server.url}/_stcore/metrics") as answer:
        assert "explorer_" not in answer.read().decode()
