"""Memory: what the server has, what is said when none is left, and how freed memory goes back."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Final

from mha_core.checks.errors import LimitError
from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from ui.machine.limits import MACHINE, MEGABYTE

OUT_OF_MEMORY: Final = LimitError(
    say("This"),
    say("must fit into the memory that the server has left"),
    say("more"),
    say("Nothing was changed. Take fewer tokens, heads or columns, or try again in a minute."),
)


OF_THE_SYSTEM: Final = Path("/proc/meminfo")
OF_THE_CONTAINER: Final = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current"))


def room() -> int:
    """The bytes that one computation may take: what the server gives to all, if it has that."""
    given = int(MACHINE.arrays_mb * MEGABYTE)
    return min([given, *_free_in_system(), *_free_in_container()])


def takes(need: int) -> str:
    """What a computation takes, before it is begun.

    >>> takes(3 * 2**20).startswith("This takes about 3 MB; the server has ")
    True
    """
    says = say("This takes about {need}; the server has {room}.")
    return says.format(need=size_in_words(need), room=size_in_words(room()))


def check_room(need: int, way_out: str) -> None:
    """Refuse what takes more memory than the server has, before any of it is taken."""
    has = room()
    if need > has:
        raise LimitError(
            say("This"),
            say("must fit into the {room} that the server has").format(room=size_in_words(has)),
            say("about {need}").format(need=size_in_words(need)),
            way_out,
        )


def _free_in_system() -> list[int]:
    """What the system can give; nothing where it does not tell it in this way."""
    for line in _text(OF_THE_SYSTEM).splitlines():
        if line.startswith("MemAvailable:"):
            return [int(line.split()[1]) * 1024]
    return []


def _free_in_container() -> list[int]:
    """What is left of the limit of a container, if there is one."""
    most, used = map(_text, OF_THE_CONTAINER)
    is_limited = most.strip().isdigit() and used.strip().isdigit()
    return [max(0, int(most) - int(used))] if is_limited else []


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except OSError:
        return ""


def give_back() -> None:
    """Ask the C library to give freed memory back. Only glibc has to be asked."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim:
            trim(0)
