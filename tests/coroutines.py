"""Run what is asynchronous in a test that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """As `asyncio.run`, and in a thread of its own.

    Playwright leaves a loop in the thread of whoever has used a browser. Of tests that run side by
    side, one in a browser may come first anywhere.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
