"""Norms, linear layers and MLPs with their numbers: how they are read, and what they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.arithmetic import ACTIVATIONS, normed
from mha_core.models.plan import Activation, Linear, Mlp, Norm
from mha_core.models.stored import Stored


@dataclass(frozen=True, eq=False)
class NormWeights:
    """A norm with its numbers."""

    eps: float
    is_rms: bool
    gain: FloatArray | None
    bias: FloatArray | None


@dataclass(frozen=True, eq=False)
class LinearWeights:
    """x @ W + b."""

    weight: FloatArray
    bias: FloatArray | None

    def __call__(self, x: FloatArray) -> FloatArray:
        made: FloatArray = x @ self.weight
        return made if self.bias is None else made + self.bias


@dataclass(frozen=True, eq=False)
class MlpWeights:
    """An MLP with its numbers."""

    up: LinearWeights
    down: LinearWeights
    gate: LinearWeights | None
    activation: Activation

    def __call__(self, x: FloatArray) -> FloatArray:
        act = ACTIVATIONS[self.activation]
        if self.gate is None:
            return self.down(act(self.up(x)))
        return self.down(act(self.gate(x)) * self.up(x))


def with_norm(x: FloatArray, norm: NormWeights | None) -> FloatArray:
    """Each row normed, times its gain, plus its bias; without a norm, x itself."""
    if norm is None:
        return x
    made = normed(x, norm.eps, is_rms=norm.is_rms)
    scaled = made if norm.gain is None else made * norm.gain
    return scaled if norm.bias is None else scaled + norm.bias


def check_norm(file: TensorFile, norm: Norm | None, width: int) -> None:
    for name in () if norm is None else (norm.gain, norm.bias):
        if name:
            Stored(name).check(file.shapes, (width,))


def read_norm(file: TensorFile, norm: Norm | None, width: int) -> NormWeights | None:
    if norm is None:
        return None
    gain, bias = (
        Stored(name).read(file, (width,)) if name else None for name in (norm.gain, norm.bias)
    )
    if norm.adds_one and gain is not None:
        gain = gain + np.float32(1)
    return NormWeights(norm.eps, norm.is_rms, gain, bias)


def check_linear(file: TensorFile, linear: Linear, rows: int, columns: int) -> None:
    linear.weight.check(file.shapes, (rows, columns))
    if linear.bias is not None:
        linear.bias.check(file.shapes, (columns,))


def read_linear(file: TensorFile, linear: Linear, rows: int, columns: int) -> LinearWeights:
    return LinearWeights(
        linear.weight.read(file, (rows, columns)),
        None if linear.bias is None else linear.bias.read(file, (columns,)),
    )


def check_mlp(file: TensorFile, mlp: Mlp, width: int) -> None:
    for linear, rows, columns in _linears(mlp, width).values():
        check_linear(file, linear, rows, columns)


def read_mlp(file: TensorFile, mlp: Mlp, width: int) -> MlpWeights:
    read = {name: read_linear(file, *each) for name, each in _linears(mlp, width).items()}
    return MlpWeights(read["up"], read["down"], read.get("gate"), mlp.activation)


def _linears(mlp: Mlp, width: int) -> Mapping[str, tuple[Linear, int, int]]:
    """Each with its numbers of rows and of columns."""
    given = {"up": (mlp.up, width, mlp.width), "down": (mlp.down, mlp.width, width)}
    return given if mlp.gate is None else {**given, "gate": (mlp.gate, width, mlp.width)}
