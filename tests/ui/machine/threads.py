"""Threads that a test starts, and how it waits for what they do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

PATIENCE = 60  # seconds: only a test that fails takes so long


@contextmanager
def running(*does: Callable[[], object]) -> Iterator[list[threading.Thread]]:
    threads = [threading.Thread(target=each, daemon=True) for each in does]
    for thread in threads:
        thread.start()
    yield threads
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def wait_until(holds: Callable[[], bool]) -> None:
    changed = threading.Event()
    for _ in range(10 * PATIENCE):
        if holds():
            return
        changed.wait(0.1)
    pytest.fail("It does not come about.")
