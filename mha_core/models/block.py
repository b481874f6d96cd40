"""The weights of one block: of its attention, its MLP and its norms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.arithmetic import normed
from mha_core.models.experts import ExpertsWeights, check_experts, read_experts
from mha_core.models.plan import Activation, Block, Experts, Linear, Mlp, Norm, Norms
from mha_core.models.stored import Stored
from mha_core.models.weights import LayerWeights, check_layer, read_weights


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


@dataclass(frozen=True, eq=False)
class BlockWeights:
    """A block with its numbers. `norms` has each place where a norm may stand."""

    attention: LayerWeights
    mlp: MlpWeights | ExpertsWeights | None
    norms: Mapping[str, NormWeights | None]
    is_parallel: bool
    factor: float


def with_norm(x: FloatArray, norm: NormWeights | None) -> FloatArray:
    """Each row normed, times its gain, plus its bias; without a norm, x itself."""
    if norm is None:
        return x
    made = normed(x, norm.eps, is_rms=norm.is_rms)
    scaled = made if norm.gain is None else made * norm.gain
    return scaled if norm.bias is None else scaled + norm.bias


def check_block(file: TensorFile, block: Block, width: int) -> None:
    """Refuse a file that lacks a tensor of the block, or has it in another shape."""
    check_layer(file, block.attention, width)
    for field in fields(Norms):
        check_norm(file, getattr(block.norms, field.name), width)
    if isinstance(block.mlp, Experts):
        check_experts(file, block.mlp, width)
    if isinstance(block.mlp, Mlp):
        for linear, rows, columns in _of_mlp(block.mlp, width):
            check_linear(file, linear, rows, columns)


def read_block(file: TensorFile, block: Block, width: int) -> BlockWeights:
    return BlockWeights(
        attention=read_weights(file, block.attention, width),
        mlp=_read_mlp(file, block.mlp, width),
        norms={
            field.name: read_norm(file, getattr(block.norms, field.name), width)
            for field in fields(Norms)
        },
        is_parallel=block.is_parallel,
        factor=block.factor,
    )


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


def _of_mlp(mlp: Mlp, width: int) -> list[tuple[Linear, int, int]]:
    given = [(mlp.up, width, mlp.width), (mlp.down, mlp.width, width)]
    return given if mlp.gate is None else [*given, (mlp.gate, width, mlp.width)]


def _read_mlp(
    file: TensorFile, mlp: Mlp | Experts | None, width: int
) -> MlpWeights | ExpertsWeights | None:
    if mlp is None:
        return None
    if isinstance(mlp, Experts):
        return read_experts(file, mlp, width)
    up, down, *gate = (read_linear(file, *each) for each in _of_mlp(mlp, width))
    return MlpWeights(up, down, gate[0] if gate else None, mlp.activation)
