"""Read what was packed for a plot or for a page in one file, as the browser does."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b85decode
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

PLACES: Final = (0, 4, 6, 7, 8)  # of the bytes of a number, where it is taken apart
PART: Final = re.compile(r'(?<=class="packed">)[^<]*')


def unpacked(data: bytes) -> Any:
    """What `ui.plot.wire.pack` packed; arrays where arrays were."""
    length = int.from_bytes(data[:4], "little")
    numbers = data[-(-(4 + length) // 8) * 8 :]

    def with_array(part: dict[str, Any]) -> Any:
        if "wire" not in part:
            return part
        count = int(np.prod(part["shape"]))
        return np.frombuffer(numbers, part["wire"], count, part["at"]).reshape(part["shape"])

    return json.loads(data[4 : 4 + length], object_hook=with_array)


def parts_of(page: str) -> list[bytes]:
    """The parts of a page in one file: its program, its data, and what it shows later."""
    parts = [_unzipped(part) for part in PART.findall(page)]
    return parts[:1] + [_in_order(part) for part in parts[1:]]


def in_the_open(page: str) -> str:
    """The page with the text of each part in its place; that of the program is its script."""
    texts = iter(part.decode("latin-1") for part in parts_of(page))
    return PART.sub(lambda _: next(texts), page)


@lru_cache(64)  # the program is the same in many pages
def _unzipped(part: str) -> bytes:
    return gzip.decompress(b85decode(part.encode().translate(bytes.maketrans(b".,[", b"&<>"))))


def _in_order(part: bytes) -> bytes:
    """The bytes of each number beside each other."""
    start = -(-(4 + int.from_bytes(part[:4], "little")) // 8) * 8
    numbers = np.frombuffer(part[start:], np.uint8)
    count = len(numbers) // 8
    apart = [numbers[a * count : b * count].reshape(count, b - a) for a, b in pairwise(PLACES)]
    return part[:start] + np.hstack(apart).tobytes()
