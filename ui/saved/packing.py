"""The parts of a page in one file: each packed by itself, so that a browser unpacks what it shows.

ui/plot/js/saved/packed.js and parts.js read them.
"""

from __future__ import annotations

import gzip
from base64 import b85encode
from typing import Any, Final

import numpy as np

from ui.plot.wire import ALIGNED, LENGTH, pack

# Base 85 is a sixteenth shorter than base 64. HTML reads three of its signs as its own; those that
# stand in their place mean nothing there, neither in a script nor in an attribute. There is no "/":
# so nothing looks like an address.
IN_HTML: Final = bytes.maketrans(b"&<>", b".,[")

PLACES: Final = (4, 6, 7)  # of the bytes of a number, where it is taken apart


def packed(part: bytes) -> str:
    """Bytes as text that may stand in HTML.

    >>> packed(b"") == packed(b""), set("&<>'") & set(packed(bytes(range(256))))
    (True, set())
    """
    return b85encode(gzip.compress(part, 9, mtime=0)).translate(IN_HTML).decode()


def packed_data(part: Any) -> str:
    """What `pack` knows. Its numbers are taken apart: the first four bytes of all come first.

    Numbers of one kind have similar exponents, which are in the last two bytes: all seventh bytes
    stand together, and all eighth ones, so they pack better. The rest looks like chance, and a
    browser has fewer steps if it stays together.
    """
    whole = pack(part)
    text = LENGTH + int.from_bytes(whole[:LENGTH], "little")
    text += -text % ALIGNED
    numbers = whole[text:] + bytes(-len(whole[text:]) % ALIGNED)
    by_place = np.split(np.frombuffer(numbers, np.uint8).reshape(-1, ALIGNED), PLACES, axis=1)
    return packed(b"".join([whole[:text], *(places.tobytes() for places in by_place)]))
