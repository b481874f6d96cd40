"""What a server counts, and waiting until it has counted something."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Final
from urllib.request import urlopen

from tests.serving import AppServer

PATIENCE: Final = 90  # seconds: only a test that fails takes so long
LINE: Final = re.compile(r'explorer_(\w+(?:\{quantile="0\.\d+"\})?) (-?[\d.e+-]+)')

Metrics = dict[str, float]


def get(server: AppServer, path: str) -> str:
    with urlopen(f"{server.url}{path}") as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        text: str = answer.read().decode()
    return text


def metrics(server: AppServer) -> Metrics:
    lines = [line for line in get(server, "/metrics").splitlines() if not line.startswith("#")]
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    return {match[1]: float(match[2]) for match in found if match}


async def wait_for(server: AppServer, holds: Callable[[Metrics], bool]) -> Metrics:
    give_up = time.monotonic() + PATIENCE
    while not holds(now := await asyncio.to_thread(metrics, server)):
        assert time.monotonic() < give_up, now
    return now
