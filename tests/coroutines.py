"""Run a coroutine in a test that is not asynchronous."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_a_thread(work: Callable[[], Result]) -> Result:
    """What runs coroutines itself, in a thread of its own."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(work).result()


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """As `asyncio.run`, but in a thread of its own.

    Playwright leaves a loop in the thread of a test that has used a browser. When tests run side by
    side, such a test may come before any other.
    """
    return in_a_thread(partial(asyncio.run, coroutine))
