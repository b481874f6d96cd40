"""The rules of a mask, as their files declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from mha_core.checks.declared import declared_in, files_beside
from mha_core.checks.shapes import BoolArray
from mha_core.mask_rules.declared import MaskRule

RULES: Final[Mapping[str, MaskRule]] = declared_in(
    (import_module(f"mha_core.mask_rules.{name}") for name in files_beside(__file__)), "RULE"
)
MASKS: Final[Mapping[str, Callable[..., BoolArray]]] = {
    name: rule.function for name, rule in RULES.items()
}
