"""One thread of NumPy's linear algebra while a model reads a text.

The matrices of a sentence are small. Two threads that share them wait for each other busily, and on
cores that others use they wait long: MiniLM took 16 ms of the processor a sentence with one thread,
and 200 to 400 with two. The number of threads belongs to the whole process. So it is one while
anybody reads, and then what it was.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

# The wheels of NumPy bring OpenBLAS, under these names.
SET: Final = ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads")
GET: Final = ("scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads")


class Threads(NamedTuple):
    """How many threads there are, and how others are asked for."""

    how_many: Callable[[], int]
    become: Callable[[int], object]


class OneThread:
    """`with ONE_THREAD:` may be said in several threads at a time."""

    def __init__(self, threads: Threads | None) -> None:
        self._threads = threads
        self._changing = threading.Lock()
        self._inside = 0
        self._before = 1

    def __enter__(self) -> None:
        with self._changing:
            if self._threads and not self._inside:
                self._before = self._threads.how_many()
                self._threads.become(1)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._changing:
            self._inside -= 1
            if self._threads and not self._inside:
                self._threads.become(self._before)


def threads_of(libraries: Iterator[Path]) -> Threads | None:
    """Those of the first library that has such names; None where there is none."""
    for library in libraries:
        try:
            names = ctypes.CDLL(str(library))
        except OSError:  # of another machine, or no library at all
            continue
        for how_many, become in zip(GET, SET, strict=True):
            if hasattr(names, how_many) and hasattr(names, become):
                return Threads(getattr(names, how_many), getattr(names, become))
    return None


def libraries_of_numpy() -> Iterator[Path]:
    """Where wheels put them: for Linux and Windows beside NumPy, for macOS within it."""
    numpy = Path(np.__file__).parent
    for folder in (numpy.parent / "numpy.libs", numpy / ".dylibs"):
        yield from sorted(folder.glob("*openblas*"))


ONE_THREAD: Final = OneThread(threads_of(libraries_of_numpy()))
