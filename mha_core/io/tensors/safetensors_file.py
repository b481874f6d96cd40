"""Safetensors: eight bytes with the length of a header, the header in JSON, then the numbers.

The header is checked before anything else is done. It also says where each tensor stands, so the
numbers are taken right out of the mapped file, or out of an upload. The library itself maps only
files, and its door for NumPy knows neither fp8 nor, without another package, bf16.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mha_core.io.tensors.checked import broken, called, check_count, is_shape
from mha_core.io.tensors.json_object import json_object
from mha_core.io.tensors.kinds import KINDS, Bytes, unknown
from mha_core.io.tensors.stored import Stored, StoredTensors
from mha_core.language import say

LENGTH: Final = 8
METADATA: Final = "__metadata__"


def safetensors_in(
    thing: str, data: Bytes, folder: Path | None, config: Mapping[str, Any]
) -> StoredTensors:
    """The tensors of a safetensors file. Its own config, if it has one, is taken first."""
    begin = LENGTH + _header_size(thing, data)
    listing = say("{file}, header,").format(file=thing)
    header = json_object(listing, data[LENGTH:begin].tobytes())
    metadata = header.pop(METADATA, {})
    check_count(thing, len(header))
    tensors = {name: _stored(called(thing, name), said, begin) for name, said in header.items()}
    _check_whole(thing, tensors, begin, len(data))
    return StoredTensors(thing, data, tensors, _config(thing, metadata) or config, folder)


def _header_size(thing: str, data: Bytes) -> int:
    size = int.from_bytes(data[:LENGTH].tobytes(), "little")
    if not 2 <= size <= len(data) - LENGTH:
        need = say("must begin with the length of a header that it holds")
        got = say("{size:,} in a file of {bytes:,} bytes").format(size=size, bytes=len(data))
        raise broken(thing, need, got)
    return size


def _stored(thing: str, said: object, begin: int) -> Stored:
    match said:
        case {"dtype": str(kind), "shape": [*sides], "data_offsets": [int(start), int(end)]} if (
            is_shape(sides) and 0 <= start <= end
        ):
            stored = Stored(
                KINDS.get(kind, unknown(kind)), tuple(sides), begin + start, begin + end
            )
        case _:
            need = say("must have a type, a shape and the places where it begins and ends")
            raise broken(thing, need, say("something else"))
    promised = stored.kind.size(stored.shape)
    if stored.kind.block_bytes and promised != end - start:
        need = say("must have the {bytes:,} bytes of its shape {shape} in {kind}").format(
            bytes=promised, shape=stored.shape, kind=kind
        )
        raise broken(thing, need, f"{end - start:,}")
    return stored


def _check_whole(thing: str, tensors: dict[str, Stored], begin: int, size: int) -> None:
    """Refuse a file that is longer or shorter than its tensors, as one that was cut."""
    promised = max((stored.end for stored in tensors.values()), default=begin)
    if promised != size:
        need = say("must have the {bytes:,} bytes that its header promises").format(bytes=promised)
        raise broken(thing, need, f"{size:,}")


def _config(thing: str, metadata: object) -> dict[str, Any]:
    """What a config.json would say, if its text is in the metadata."""
    match metadata:
        case {"config": str(text)}:
            return json_object(say("{file}, config,").format(file=thing), text.encode())
        case _:
            return {}
