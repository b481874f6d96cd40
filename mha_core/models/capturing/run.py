"""One run of a module: what its parts read and give meanwhile, as arrays."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole, is_whole, short_repr
from mha_core.io.tensors.packages import check_installed
from mha_core.io.tensors.torch_file import TORCH
from mha_core.language import say
from mha_core.scenario.scenario import Scenario

if TYPE_CHECKING:
    import torch

THE_MODULE: Final = say("The module")
BOUND: Final = 1e-4  # of a difference that rounding in float32 explains
ROUNDINGS: Final = 4  # of one that rounding in a coarser type explains, as bfloat16

Array = npt.NDArray[Any]
Given = Mapping[str, Any]  # the arguments of a call, by name
T = TypeVar("T")


class RanLayer(NamedTuple):
    """A layer as it ran: what it read and how it weighs, and what it gave.

    `name`: what people call it, where its number alone says too little.
    """

    number: int
    scenario: Scenario
    output: FloatArray
    bound: float
    name: str = ""
    is_of_encoder: bool = False  # whose text a decoder reads too
    has_tokens: bool = True  # those that the call names; an image has others


class Run:
    """One call of a module, which leaves nothing behind. Of a batch the text in `row` is taken.

    `layers` are those that are asked for, by their numbers; None: all.
    """

    def __init__(self, row: int, layers: Sequence[int] | None = None) -> None:
        self.row = row
        self.layers = layers
        self._undo = ExitStack()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def watch(self, part: torch.nn.Module, take: Callable[[Given, Any], T], taken: list[T]) -> None:
        """After each call of the part, `taken` gets what `take` makes of its arguments and result.

        What it makes is a copy: the module may write into its tensors later.
        """
        names = [*inspect.signature(part.forward).parameters]

        def hook(_: Any, given: Sequence[Any], more: Given, made: Any) -> None:
            taken.append(take({**dict(zip(names, given, strict=False)), **more}, made))

        self._undo.callback(part.register_forward_hook(hook, with_kwargs=True).remove)

    def call(self, module: torch.nn.Module, inputs: Sequence[Any], more: Given) -> None:
        import torch

        mha = torch.backends.mha
        self._undo.callback(mha.set_fastpath_enabled, mha.get_fastpath_enabled())
        mha.set_fastpath_enabled(False)  # it runs whole layers of torch without their attention
        # What torch.compile has made calls no hook that is added later, or traces it.
        with torch.no_grad(), torch.compiler.set_stance("force_eager"):
            module(*inputs, **more)

    def text_in(self, tensor: torch.Tensor, axis: int = 0) -> FloatArray:
        """The rows of one text, out of a batch or alone."""
        if tensor.ndim == 2:
            return as_array(tensor)
        if tensor.ndim != 3:
            raise ShapeError(
                say("What the layer reads"),
                say("must be rows of numbers, or texts of such rows"),
                say("shape {shape}").format(shape=tuple(tensor.shape)),
                say("Capture a layer that reads tokens."),
            )
        if not tensor.shape[axis]:
            raise ShapeError(
                say("What the layer reads"),
                say("must have a text at least"),
                say("shape {shape}").format(shape=tuple(tensor.shape)),
                say("Give a batch of one text or more."),
            )
        check_whole("row", self.row, 0, tensor.shape[axis] - 1)
        return as_array(tensor.select(axis, self.row))

    def wanted(self, here: Sequence[int]) -> Sequence[int]:
        """The layers asked for, which must be here; else all."""
        for layer in self.layers or ():
            if layer not in here:
                raise OptionError(
                    "layers",
                    say("must be of those that run: {layers}").format(
                        layers=", ".join(map(str, here)) or say("none")
                    ),
                    short_repr(layer),
                    say("Leave it out for all of them."),
                )
        return here if self.layers is None else self.layers


def check_module(module: object) -> None:
    """Refuse what is no module, one without its numbers, and one that leaves some out by chance."""
    check_installed(THE_MODULE, TORCH)
    import torch

    if not isinstance(module, torch.nn.Module):
        raise OptionError(
            THE_MODULE,
            say("must be a torch.nn.Module"),
            short_repr(module),
            say("A model in a file is opened with open_model."),
        )
    for name, parameter in module.named_parameters():
        if parameter.is_meta:
            raise OptionError(
                THE_MODULE,
                say("must hold its numbers"),
                say("{name} on the device meta").format(name=name),
                say("Load it whole, with no part of it left on the disk."),
            )
    for name, part in module.named_modules():
        if part.training and (chance := _dropout_of(part)):
            raise OptionError(
                THE_MODULE,
                say("must not leave out numbers by chance: nobody can compute that again"),
                say("a dropout of {chance} in training, in {name}").format(
                    name=name or type(part).__name__, chance=chance
                ),
                say("Write module.eval() first."),
            )


def _dropout_of(part: torch.nn.Module) -> float:
    """The largest that it says of itself, as a module of dropout or as one that calls it."""
    own = "p" if "Dropout" in type(part).__name__ else ""
    said = (value for name, value in vars(part).items() if name == own or "dropout" in name)
    return max((value for value in said if isinstance(value, float)), default=0.0)


def check_layers(layers: object) -> None:
    """Refuse anything but a list of numbers, or nothing."""
    is_list = isinstance(layers, Sequence) and all(is_whole(layer) for layer in layers)
    if layers is not None and not is_list:
        raise OptionError(
            "layers",
            say("must be a list of whole numbers"),
            short_repr(layers),
            say("Write layers=[3]."),
        )


def as_array(tensor: torch.Tensor) -> Array:
    """A copy; numbers with a point in float32, or in float64 where they are."""
    import torch

    plain = tensor.detach().to("cpu", copy=True)
    if plain.is_floating_point() and plain.dtype != torch.float64:
        plain = plain.float()
    return np.asarray(plain.numpy())


def bound_of(made: torch.Tensor) -> float:
    """How much of a difference rounding explains in what a layer gave."""
    import torch

    return max(BOUND, ROUNDINGS * torch.finfo(made.dtype).eps)
