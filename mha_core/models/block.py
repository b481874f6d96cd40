"""The weights of one block: of its attention, its MLP and its norms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.experts import ExpertsWeights, check_experts, read_experts
from mha_core.models.mlp_and_norm import (
    MlpWeights,
    NormWeights,
    check_mlp,
    check_norm,
    read_mlp,
    read_norm,
)
from mha_core.models.plan import Block, Experts, Mlp, Norms
from mha_core.models.weights import LayerWeights, check_layer, read_weights


@dataclass(frozen=True, eq=False)
class BlockWeights:
    """A block with its numbers. `norms` has each place where a norm may stand."""

    attention: LayerWeights
    mlp: MlpWeights | ExpertsWeights | None
    norms: Mapping[str, NormWeights | None]
    is_parallel: bool
    factor: float


def check_block(file: TensorFile, block: Block, width: int) -> None:
    """Refuse a file that lacks a tensor of the block, or has it in another shape."""
    check_layer(file, block.attention, width)
    for field in fields(Norms):
        check_norm(file, getattr(block.norms, field.name), width)
    if isinstance(block.mlp, Experts):
        check_experts(file, block.mlp, width)
    if isinstance(block.mlp, Mlp):
        check_mlp(file, block.mlp, width)


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


def _read_mlp(
    file: TensorFile, mlp: Mlp | Experts | None, width: int
) -> MlpWeights | ExpertsWeights | None:
    if mlp is None:
        return None
    if isinstance(mlp, Experts):
        return read_experts(file, mlp, width)
    return read_mlp(file, mlp, width)
