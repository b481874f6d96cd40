"""What the app opens on where the address says nothing: the file that its command got."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from mha_core import Scenario, Stack, read_stack
from mha_core.checks.limits import LIMITS
from mha_core.language import say

# attention_explorer/command.py sets these.
VARIABLE: Final = "EXPLORER_OPENS"  # a file of layers, for the explorer
MODEL: Final = (
    "EXPLORER_OPENS_MODEL"  # one of a model, whose heads are seen on the page of real layers
)
READS: Final = "EXPLORER_READS"  # what that model reads
USUAL_NAME: Final = "model"  # of a file
FIRST_TEXT: Final = say("The black cat saw the white dog, and the white dog saw the black cat.")


def opened_first(environment: Mapping[str, str] = os.environ) -> dict[str, Callable[[], Stack]]:
    """What makes the layers, by the name of the first session; nothing, where no file is given."""
    file = environment.get(VARIABLE)
    return {"": lambda: _layers_in(file)} if file else {}


def model_first(environment: Mapping[str, str] = os.environ) -> tuple[Path, str] | None:
    """The model whose heads are seen first, and what it reads."""
    file = environment.get(MODEL)
    return (Path(file), environment.get(READS, FIRST_TEXT)) if file else None


def name_of_path(path: Path) -> str:
    """What tells this model from others: many files of models have the same name.

    >>> name_of_path(Path("models/minilm/model.safetensors")), name_of_path(Path("gpt2.gguf"))
    ('minilm', 'gpt2.gguf')
    """
    is_usual = path.stem.startswith(USUAL_NAME)
    return path.parent.name if is_usual and path.parent.name else path.name


def made_by_model(s: Scenario, model: str, layer: int, text: str, of_decoder: str = "") -> Scenario:
    """The layer, with a note of what made its X. A text that is too long to be kept makes none."""
    if max(len(text), len(of_decoder)) > LIMITS.origin_chars:
        return s
    noted = of_model(s, model, layer)
    origin = replace(noted.origin, model_text=text, model_text_of_decoder=of_decoder)
    return replace(noted, origin=origin)


def of_model(s: Scenario, model: str, layer: int) -> Scenario:
    """The layer, with a note whose matrices these are. X came from elsewhere."""
    name = model[: LIMITS.label_chars]
    return replace(s, origin=replace(s.origin, model=name, model_layer=layer))


@cache
def _layers_in(file: str) -> Stack:
    return read_stack(Path(file).read_bytes(), file)
