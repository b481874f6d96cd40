"""Kinds of quantised numbers, which the `gguf` package turns into floats."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.io.tensors.kinds import Bytes, Kind, unknown
from mha_core.io.tensors.packages import check_installed
from mha_core.language import say

GGUF: Final = "gguf"


def quantised(thing: str, number: int) -> Kind:
    """The kind that GGUF knows by this number. `thing` is the file, for the error."""
    check_installed(thing, GGUF)
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType
    from gguf.quants import dequantize

    try:
        kind = GGMLQuantizationType(number)
    except ValueError:
        return unknown(say("type {type}").format(type=number))

    def numbers(raw: Bytes) -> FloatArray:
        if raw.size == 0:  # some of its functions take no blocks at all
            return np.empty(0, np.float32)
        return dequantize(raw, kind)

    return Kind(kind.name, *GGML_QUANT_SIZES[kind], numbers)
