"""The options of the scores, as their files declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final

from mha_core.checks.declared import declared_in, files_beside
from mha_core.checks.shapes import FloatArray
from mha_core.options.option import Option

OPTIONS: Final[Mapping[str, Option]] = declared_in(
    (import_module(f"mha_core.options.{name}") for name in files_beside(__file__)), "OPTION"
)

# The option that decides how fast pairs of columns turn under RoPE, and how.
WAVELENGTHS: Final = next((name, o.wavelengths) for name, o in OPTIONS.items() if o.wavelengths)

# Listed once: each forward pass goes through them.
_SLIDING: Final = [(name, option) for name, option in OPTIONS.items() if option.slider]
_CHANGING: Final = [(name, option, option.step) for name, option in OPTIONS.items() if option.step]

Change = Callable[[FloatArray], None]


def numbers_of(scores: Any, d_k: int) -> dict[str, Any]:
    """The numbers that the options stand for, in a layer of this d_k."""
    return {name: option.number(getattr(scores, name), d_k) for name, option in _SLIDING}


def changes_of(numbers: Mapping[str, Any], *, after_mask: bool) -> list[Change]:
    """What is done to scores in place, before they are masked or after."""
    return [
        partial(_changed, option, numbers[name])
        for name, option, step in _CHANGING
        if step.is_after_mask == after_mask and numbers[name] != step.idle
    ]


def _changed(option: Option, number: float, scores: FloatArray) -> None:
    assert option.step is not None
    option.step.change(scores, number)
