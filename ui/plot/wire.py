"""A figure on its way to the browser: one JSON text, then the numbers of all arrays as they are.

    4 bytes     the length of the text, least byte first
    the text    where an array was, {"wire": kind, "at": bytes from the first number, "shape": ...}
    the numbers each array beginning at a multiple of 8 bytes
    4 bytes     of a picture alone: see `stamped`

JSON alone would need base64, which is a third longer, and takes the browser several times as long.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

LENGTH: Final = 4  # bytes of the text's length
STAMP: Final = 4  # bytes
ALIGNED: Final = 8  # bytes: as JavaScript's arrays want to begin

# JavaScript has typed arrays of plain numbers for these. It has none for half floats, and
# one of another kind for whole numbers of 64 bits.
KINDS: Final = frozenset({"i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"})


def pack(part: Any) -> bytes:
    """Anything made of dicts, lists, arrays and what JSON knows."""
    numbers = bytearray()
    try:
        text = _json(part, numbers)
    except ValueError:  # JSON has no infinity and no NaN. They become null: no value
        numbers.clear()
        text = _json(_finite(part), numbers)
    head = bytearray(len(text).to_bytes(LENGTH, "little") + text)
    return bytes(_padded(head) + numbers)


def stamped(packed: bytes, number: int) -> bytes:
    """The same with a number behind it, so that what was packed once may be kept.

    The number is a whole one from 0, of 4 bytes.
    """
    return packed + number.to_bytes(STAMP, "little")


def _json(part: Any, numbers: bytearray) -> bytes:
    text = json.dumps(
        part, default=lambda array: _array(array, numbers), separators=(",", ":"), allow_nan=False
    )
    return text.encode()


def _array(array: Any, numbers: bytearray) -> Any:
    """What stands for an array in the text. Its numbers are added to the others."""
    if array.dtype.kind not in "iuf" or array.ndim not in (1, 2):
        return array.tolist()
    kind = array.dtype.str[1:]
    kind = kind if kind in KINDS else "f8"
    at = len(_padded(numbers))
    numbers += array.astype(f"<{kind}", copy=False).tobytes()
    return {"wire": kind, "at": at, "shape": array.shape}


def _finite(part: Any) -> Any:
    """The same, with None in place of infinity and NaN."""
    if isinstance(part, dict):
        return {name: _finite(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_finite(value) for value in part]
    return None if isinstance(part, float) and not math.isfinite(part) else part


def _padded(data: bytearray) -> bytearray:
    """The data itself, made longer to where an array may begin."""
    data += bytes(-len(data) % ALIGNED)
    return data
