"""Files of tensors made by hand, whole and harmful, and what opening them says."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from mha_core.checks.errors import MhaError
from mha_core.io.tensors.opening import tensors_of
from tests.core.array_files import changed

MATRIX = np.array([[1, -2.5, 3], [0.25, 0.5, -0.0]], np.float32)


def refusal(kind: type[MhaError], action: Callable[[], object]) -> str:
    with pytest.raises(MhaError) as caught:
        action()
    assert type(caught.value) is kind
    return str(caught.value)


def opening(name: str, data: bytes) -> Callable[[], object]:
    return lambda: tensors_of(name, data)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The file with other bytes at some places, and perhaps without its end."""
    data = whole
    places = st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=3))
    for place, new in draw(st.lists(places, max_size=4)):
        data = changed(data, int(place * len(data)), new)
    return data[: int(draw(st.sampled_from([1.0, 1.0, 0.9, 0.5])) * len(data))]


def check_opens_or_is_refused(name: str, data: bytes) -> None:
    try:
        file = tensors_of(name, data)
        read = {tensor: file.read(tensor) for tensor in file.shapes}
        dict(file.config)
    except MhaError:
        return
    assert {tensor: array.shape for tensor, array in read.items()} == file.shapes


# Safetensors


def safetensors_of(header: object, data: bytes = b"") -> bytes:
    """A file with any header: an object, or its text."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(kind: object, shape: object, *places: object) -> dict[str, object]:
    return {"dtype": kind, "shape": shape, "data_offsets": [*places]}


# GGUF

NUMBERS = {"u32": (4, "I"), "f32": (6, "f"), "bool": (7, "?"), "u64": (10, "Q")}
TEXT, LIST = 8, 9


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def number_field(name: str, kind: str, value: object) -> bytes:
    number, code = NUMBERS[kind]
    return text(name) + struct.pack(f"<I{code}", number, value)


def tensor_entry(name: str, shape: tuple[int, ...], kind: int, start: int) -> bytes:
    """As GGUF lists it: `shape` is NumPy's, and turned round here."""
    return (
        text(name)
        + struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        + struct.pack("<IQ", kind, start)
    )


def gguf_of(
    fields: list[bytes] | None = None,
    tensors: Mapping[str, tuple[tuple[int, ...], int, int]] | list[bytes] | None = None,
    data: bytes = b"",
    **said: Any,
) -> bytes:
    """A file with any fields and tensors; `said` may give other counts, magic, version or step."""
    fields = fields or []
    listed = (
        tensors
        if isinstance(tensors, list)
        else [tensor_entry(name, *values) for name, values in (tensors or {}).items()]
    )
    begin = struct.pack(
        "<4sIQQ",
        said.get("magic", b"GGUF"),
        said.get("version", 3),
        said.get("tensor_count", len(listed)),
        said.get("field_count", len(fields)),
    )
    header = begin + b"".join(fields) + b"".join(listed)
    step = said.get("step", 32)
    return header + bytes(-len(header) % step) + data
