"""How the numbers of a tensor are written in its bytes, and how floats are made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray

Bytes = npt.NDArray[np.uint8]
Numbers = Callable[[Bytes], FloatArray]
"""Makes floats of bytes, along the last axis."""


class Kind(NamedTuple):
    """A way to write numbers: in blocks of so many, each of so many bytes. Most have blocks of one.

    A kind that is not known has blocks of 0 bytes.
    """

    name: str
    block_cells: int
    block_bytes: int
    numbers: Numbers

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether each row of such a tensor has whole blocks."""
        return self.block_cells == 1 or (shape != () and shape[-1] % self.block_cells == 0)

    def size(self, shape: tuple[int, ...]) -> int:
        """How many bytes a tensor of this shape takes."""
        return math.prod(shape) // self.block_cells * self.block_bytes


def unknown(name: str) -> Kind:
    """A kind that cannot be read here."""

    def refuse(_: Bytes) -> FloatArray:
        raise NotImplementedError(name)

    return Kind(name, 1, 0, refuse)


def _plain(name: str, stored: str, given: str = "f4") -> Kind:
    """Numbers that NumPy knows. Those that fit are given as they stand, without a copy."""

    def numbers(raw: Bytes) -> FloatArray:
        array: FloatArray = np.require(raw.view(stored), np.dtype(given), ["C", "A"])
        return array

    return Kind(name, 1, np.dtype(stored).itemsize, numbers)


def _booleans(raw: Bytes) -> FloatArray:
    return raw.astype(np.bool_).astype(np.float32)  # any byte but 0 counts as True


def _bfloat16(raw: Bytes) -> FloatArray:
    """bfloat16 is the upper half of float32."""
    bits = raw.view("<u2").astype(np.uint32)
    bits <<= 16
    return bits.view(np.float32)


def _float8_e5m2(raw: Bytes) -> FloatArray:
    """This one is the upper half of float16."""
    bits = raw.astype(np.uint16)
    bits <<= 8
    return bits.view(np.float16).astype(np.float32)


def _all_of_float8_e4m3() -> FloatArray:
    """The 256 numbers with a sign, 4 bits of exponent and 3 of fraction. None is infinite."""
    bits = np.arange(128)
    exponent, fraction = bits >> 3, bits & 7
    positive = np.where(
        exponent > 0, np.ldexp(8.0 + fraction, exponent - 10), np.ldexp(1.0 * fraction, -9)
    )
    positive[-1] = np.nan
    return np.concatenate([positive, -positive]).astype(np.float32)


_FLOAT8_E4M3: Final = _all_of_float8_e4m3()

# Whole numbers of 32 and 64 bits become float64: float32 would round them.
F64: Final = _plain("F64", "<f8", "f8")
F32: Final = _plain("F32", "<f4")
F16: Final = _plain("F16", "<f2")
BF16: Final = Kind("BF16", 1, 2, _bfloat16)
I64: Final = _plain("I64", "<i8", "f8")
I32: Final = _plain("I32", "<i4", "f8")
I16: Final = _plain("I16", "<i2")
I8: Final = _plain("I8", "i1")

KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        *(F64, F32, F16, BF16, I64, I32, I16, I8),
        *(_plain("U64", "<u8", "f8"), _plain("U32", "<u4", "f8"), _plain("U16", "<u2")),
        *(_plain("U8", "u1"), Kind("BOOL", 1, 1, _booleans)),
        Kind("F8_E4M3", 1, 1, lambda raw: _FLOAT8_E4M3[raw]),
        Kind("F8_E5M2", 1, 1, _float8_e5m2),
    )
}
"""What safetensors files hold, by the names that they use.

Numbers of 8 bits often have a scale in a tensor of its own (`weight_scale_inv`), which nothing here
applies.
"""
