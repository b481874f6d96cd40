"""The rules of a mask, as their files declare them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from mha_core.checks.shapes import BoolArray
from mha_core.mask_rules.declared import MaskRule

_FILES: Final = (each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)]))
_DECLARED: Final = (
    getattr(import_module(f"mha_core.mask_rules.{name}"), "RULE", None)
    for name in _FILES
    if name != "registry"
)

# By their names, in their order.
RULES: Final[Mapping[str, MaskRule]] = {
    rule.name: rule for rule in sorted(filter(None, _DECLARED), key=lambda rule: rule.order)
}
MASKS: Final[Mapping[str, Callable[..., BoolArray]]] = {
    name: rule.function for name, rule in RULES.items()
}
