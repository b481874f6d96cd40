"""Kinds of quantised numbers, which the `gguf` package turns into floats."""

from __future__ import annotations

from typing import Final

from mha_core.io.tensors.kinds import Kind, unknown
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
    return Kind(kind.name, *GGML_QUANT_SIZES[kind], lambda raw: dequantize(raw, kind))
