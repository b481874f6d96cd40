"""What the explorer opens on where the address says nothing: the file that its command got."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from mha_core import Stack, read_stack

VARIABLE: Final = "EXPLORER_OPENS"  # attention_explorer/command.py sets it


def opened_first(
    environment: Mapping[str, str] = os.environ,
) -> dict[str, Callable[[], Stack]]:
    """What makes the layers, by the name of the first session; nothing, where no file is given."""
    file = environment.get(VARIABLE)
    return {"": lambda: _layers_in(file)} if file else {}


@cache
def _layers_in(file: str) -> Stack:
    return read_stack(Path(file).read_bytes(), file)
