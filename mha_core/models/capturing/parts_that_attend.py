"""The parts of a module that attend, by what they are called, and which were not taken.

What is taken is known by the names of its tensors. A part of another kind would be missed without a
word, as the encoder beside a head that is torch.nn.MultiheadAttention.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from mha_core.language import say_number
from mha_core.models.capturing.run import Run

if TYPE_CHECKING:
    import torch

MOST_TOLD: Final = 3  # parts, by their names


class LeftOut:
    """The parts that attend in one run and are not taken."""

    def __init__(self, run: Run, module: torch.nn.Module, taken: Iterable[torch.nn.Module]) -> None:
        self._ran: list[str] = []
        inside = all_in(taken)
        for name, part in parts_that_attend(module).items():
            if inside.isdisjoint(part.modules()):
                run.watch(part, partial(_called, f"{name} ({type(part).__name__})"), self._ran)

    def warn(self) -> None:
        """Tell them, if there are any."""
        names = [*dict.fromkeys(self._ran)]
        if not names:
            return
        says = say_number(
            "{count} part of the module attends and is left out: {names} Its kind is not known "
            "here, or it stands beside others that are. Capture the part alone, or map it by hand.",
            "{count} parts of the module attend and are left out: {names} Their kind is not known "
            "here, or they stand beside others that are. Capture a part alone, or map it by hand.",
            len(names),
        )
        told = ", ".join(names[:MOST_TOLD]) + ("." if len(names) <= MOST_TOLD else ", ...")
        warnings.warn(says.format(count=len(names), names=told), stacklevel=3)


def _called(name: str, *_: object) -> str:
    return name


def parts_that_attend(module: torch.nn.Module) -> Mapping[str, torch.nn.Module]:
    """Those with numbers of their own which are called so, and have no such part in them."""
    called = {
        name: part
        for name, part in module.named_modules()
        if _is_called_so(name, part) and any(True for _ in part.parameters())
    }
    all_called = {*called.values()}
    return {
        name: part
        for name, part in called.items()
        if all_called.isdisjoint(inner for inner in part.modules() if inner is not part)
    }


def _is_called_so(name: str, part: torch.nn.Module) -> bool:
    """By its class, or by its name in the module around it: there, norms may be called so too."""
    by_class = "attention" in type(part).__name__.lower()
    own = name.rpartition(".")[-1].lower()
    return by_class or (("attention" in own or "attn" in own) and any(part.children()))


def all_in(parts: Iterable[torch.nn.Module]) -> set[torch.nn.Module]:
    """These parts, and what stands in them."""
    return {inner for part in parts for inner in part.modules()}
