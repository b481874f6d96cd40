"""What each file of a folder declares, such as a mask rule: all by name, in order."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any


def files_beside(registry: str) -> list[str]:
    """The other modules in the folder of this file."""
    file = Path(registry)
    return [
        each.name for each in pkgutil.iter_modules([str(file.parent)]) if each.name != file.stem
    ]


def declared_in(modules: Iterable[ModuleType], word: str) -> dict[str, Any]:
    """What the modules define under this word; those that do not have it are left out."""
    found = [getattr(module, word) for module in modules if hasattr(module, word)]
    return {each.name: each for each in sorted(found, key=lambda each: each.order)}
