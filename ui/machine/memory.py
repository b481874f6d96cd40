"""Memory: what is said when none is left, and how freed memory goes back to the system."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

from mha_core.checks.errors import LimitError
from mha_core.language import say

OUT_OF_MEMORY: Final = LimitError(
    say("This"),
    say("must fit into the memory that the server has left"),
    say("more"),
    say("Nothing was changed. Take fewer tokens, heads or columns, or try again in a minute."),
)


def give_back() -> None:
    """Ask the C library to give freed memory back. Only glibc has to be asked."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim:
            trim(0)
