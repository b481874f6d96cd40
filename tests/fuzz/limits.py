"""What no input may do: raise anything but the package's own error, take long, take much memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from mha_core.checks.errors import MhaError

MOST_SECONDS: Final = 1.0  # of the processor: a busy machine is not blamed
MIB: Final = 2**20
STATM: Final = Path("/proc/self/statm")


class Target(NamedTuple):
    """`read` may raise an MhaError. It may take at most `memory` MiB for one input."""

    read: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    memory: int


class TooSlowError(Exception):
    """An input that took longer than any may."""


def seconds_for(target: Target, data: bytes) -> float:
    """Read one input within the limits; the seconds of the processor that it took."""
    began = time.process_time()
    with at_most(target.memory * MIB):
        try:
            target.read(data)
        except MhaError as error:
            str(error).encode("utf-8", "surrogatepass")  # it can be shown
    seconds = time.process_time() - began
    if seconds > MOST_SECONDS:
        raise TooSlowError(f"{seconds:.2f} s for {data[:200]!r}")
    return seconds


@contextmanager
def at_most(more: int) -> Iterator[None]:
    """Let so many more bytes be allocated. Beyond that, Python raises MemoryError.

    Only Linux keeps to such a limit and says how much there is.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    now = int(STATM.read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
