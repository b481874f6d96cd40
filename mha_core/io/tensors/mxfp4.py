"""MXFP4: numbers of 4 bits in blocks of 32, each with a power of two as its scale.

A file has two tensors for each that is meant: `NAME_blocks`, two numbers a byte, the first in the
lower half; and `NAME_scales`, a byte for each block. The experts of gpt-oss are stored so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mha_core.checks.errors import FileError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.text_source import short_quote
from mha_core.io.tensors.made import MadeTensors
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say

BLOCKS: Final = "_blocks"
SCALES: Final = "_scales"
BYTES: Final = 16  # of a block
CELLS: Final = 32  # of a block
ZERO: Final = 127  # the scale that stands for 2^0
# A sign, two bits of exponent, one of fraction.
NUMBERS: Final = np.array(
    [sign * value for sign in (1, -1) for value in (0, 0.5, 1, 1.5, 2, 3, 4, 6)], np.float32
)

BYTES_MEAN: Final = np.stack([np.tile(NUMBERS, 16), np.repeat(NUMBERS, 16)], axis=-1)
"""The two numbers of each byte, one beside the other."""


def with_mxfp4(file: TensorFile) -> TensorFile:
    """The file with each such pair as one tensor too; the same file where there are none."""
    found = {name: _shape(name, file.shapes) for name in _names(file.shapes)}

    def make(name: str) -> FloatArray:
        return unpacked(*(file.read(name + part) for part in (BLOCKS, SCALES)))

    def make_rows(name: str, rows: Sequence[int]) -> FloatArray:
        return unpacked(*(file.read_rows(name + part, rows) for part in (BLOCKS, SCALES)))

    return MadeTensors(file, found, make, make_rows) if found else file


def unpacked(blocks: FloatArray, scales: FloatArray) -> FloatArray:
    """The numbers of blocks of 16 bytes, times their scales.

    >>> block = np.zeros((1, 16))
    >>> block[0, 0] = 0x72
    >>> unpacked(block, np.array([128.0]))[:3]
    array([ 2., 12.,  0.], dtype=float32)
    """
    pairs = BYTES_MEAN.view(np.uint64).ravel().take(blocks.astype(np.uint8))  # both at once
    made = pairs.view(np.float32).reshape(*scales.shape, CELLS)
    with np.errstate(over="ignore", invalid="ignore"):  # a scale of 255 stands for no number
        made *= np.ldexp(np.float32(1), scales.astype(np.int32) - ZERO)[..., None]
    return made.reshape(*scales.shape[:-1], scales.shape[-1] * CELLS)


def _names(shapes: Mapping[str, tuple[int, ...]]) -> list[str]:
    """The tensors that are meant. One that stands there unpacked is taken as it is."""
    meant = (name.removesuffix(BLOCKS) for name in shapes if name.endswith(BLOCKS))
    return [name for name in meant if name not in shapes]


def _shape(name: str, shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    blocks, scales = shapes[name + BLOCKS], shapes.get(name + SCALES)
    if scales is None:
        raise FileError(
            say("The file"),
            say("must have the tensor {name}").format(name=short_quote(name + SCALES)),
            say("{name} alone").format(name=short_quote(name + BLOCKS)),
            say("Give all files of the model."),
        )
    if len(scales) < 2 or blocks != (*scales, BYTES):
        raise ShapeError(
            name + BLOCKS,
            say("must have {count} bytes for each of its scales").format(count=BYTES),
            say("shape {shape}, and scales of shape {scales}").format(shape=blocks, scales=scales),
            say("Load the file again from where it came."),
        )
    return (*scales[:-1], scales[-1] * CELLS)
