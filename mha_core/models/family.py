"""What a family of models is: how its files are known, and how its plan follows from its config."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from mha_core.checks.errors import OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import need_one_of, short_repr
from mha_core.language import say
from mha_core.models.arithmetic import BY_NAME
from mha_core.models.fields import MISSING, Fields
from mha_core.models.plan import Activation, Linear, ModelPlan, Norm
from mha_core.models.stored import Stored


class Tensors:
    """The names in a file of a family, told without the prefix that they may have there."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], prefix: str = "") -> None:
        self._shapes = shapes
        self._prefix = prefix

    def __contains__(self, name: str) -> bool:
        return self._prefix + name in self._shapes

    def has(self, place: str) -> bool:
        """Whether any of its names begins with this place."""
        return any(name.startswith(f"{self._prefix}{place}.") for name in self._shapes)

    def shape(self, name: str) -> tuple[int, ...]:
        """Its shape; that of nothing, if the file does not have it."""
        return self._shapes.get(self._prefix + name, (0, 0))

    def name(self, name: str) -> str:
        return self._prefix + name

    def given(self, name: str) -> str:
        """The name, if the file has it; else no name."""
        return self._prefix + name if name in self else ""

    def linear(self, name: str, *, is_transposed: bool = True, **part: Any) -> Linear:
        """The matrix `name.weight`, which torch's Linear keeps transposed, and its bias if any."""
        bias = self.given(f"{name}.bias")
        return Linear(
            Stored(self.name(f"{name}.weight"), is_transposed, **part),
            Stored(bias, **part) if bias else None,
        )

    def norm(self, name: str, eps: float, **more: Any) -> Norm:
        """The norm with `name.weight` and, if the file has it, `name.bias`."""
        return Norm(eps, self.name(f"{name}.weight"), self.given(f"{name}.bias"), **more)


@dataclass(frozen=True)
class Family:
    """Models whose files have the same names and whose configs have the same fields.

    `anchor` is the end of a name that all its files have; what stands before it there stands
    before all names. A file whose config names no type is known by its anchors alone.
    """

    name: str
    order: int
    model_types: Collection[str]  # as config.json says
    anchor: str
    plan: Callable[[Fields, Tensors], ModelPlan]
    beside: Collection[str] = ()  # other ends of names that must be there too
    says: str = ""  # what a reader should know of the family
    has_names_of_others: bool = False  # its names alone do not tell it from other families
    is_one_layer: bool = False  # what stands around it, and so between several, is not known
    in_code: Mapping[str, str] = field(default_factory=dict)  # parts of names there: as in files

    def as_in_files(self, name: str) -> str:
        """The name that a tensor has in files, by the name that it has while its model runs."""
        for there, here in self.in_code.items():
            name = name.replace(there, here)
        return name

    def prefix_in(self, shapes: Mapping[str, tuple[int, ...]]) -> str | None:
        """What stands before the names in this file; None: they are not there."""
        ends = [name for name in shapes if f".{name}".endswith(f".{self.anchor}")]
        prefixes = [name.removesuffix(self.anchor) for name in ends]
        found = [each for each in prefixes if all(each + name in shapes for name in self.beside)]
        return found[0] if len(found) == 1 or (found and not self.is_one_layer) else None


def activation(config: Fields, *names: str, default: str) -> Activation:
    """The activation that a config names."""
    name = config.word(*names, default=default)
    if name not in BY_NAME:
        raise OptionError(
            say("{name} of config.json").format(name=names[0]),
            need_one_of(tuple(BY_NAME)),
            short_repr(name),
            say("This activation is not known. The weights can be mapped by hand."),
        )
    return BY_NAME[name]


def inner_width(config: Fields, *names: str, default: Any = MISSING) -> int:
    """The width between the two matrices of an MLP."""
    return config.whole(*(names or ("intermediate_size",)), default=default, most=8 * LIMITS.width)
