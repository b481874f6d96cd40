"""What the app opens on where the address says nothing: the file that its command got."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from mha_core import Stack, read_stack
from mha_core.language import say

# attention_explorer/command.py sets these.
VARIABLE: Final = "EXPLORER_OPENS"  # a file of layers, for the explorer
MODEL: Final = (
    "EXPLORER_OPENS_MODEL"  # one of a model, whose heads are seen on the page of real layers
)
READS: Final = "EXPLORER_READS"  # what that model reads
FIRST_TEXT: Final = say("The black cat saw the white dog, and the white dog saw the black cat.")


def opened_first(
    environment: Mapping[str, str] = os.environ,
) -> dict[str, Callable[[], Stack]]:
    """What makes the layers, by the name of the first session; nothing, where no file is given."""
    file = environment.get(VARIABLE)
    return {"": lambda: _layers_in(file)} if file else {}


def model_first(environment: Mapping[str, str] = os.environ) -> tuple[Path, str] | None:
    """The model whose heads are seen first, and what it reads."""
    file = environment.get(MODEL)
    return (Path(file), environment.get(READS, FIRST_TEXT)) if file else None


@cache
def _layers_in(file: str) -> Stack:
    return read_stack(Path(file).read_bytes(), file)
