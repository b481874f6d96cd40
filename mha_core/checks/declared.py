"""What the files of a folder declare, such as a mask rule each: in their order, by their names."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any


def files_beside(registry: str) -> list[str]:
    """The modules in the folder of this file, but for itself."""
    file = Path(registry)
    return [
        each.name for each in pkgutil.iter_modules([str(file.parent)]) if each.name != file.stem
    ]


def declared_in(modules: Iterable[ModuleType], word: str) -> dict[str, Any]:
    """What those of the modules that have this word mean by it."""
    found = [getattr(module, word) for module in modules if hasattr(module, word)]
    return {each.name: each for each in sorted(found, key=lambda each: each.order)}
