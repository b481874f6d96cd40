"""Pixels as a PNG file: a small picture takes a hundredth of what it takes as SVG text."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Red, green, blue and opacity of each pixel as a PNG file. Shape: (rows, columns, 4)."""
    rows, columns, _ = pixels.shape
    lines = np.pad(pixels.reshape(rows, -1), ((0, 0), (1, 0)))  # each begins with its filter, none
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0),
        b"IDAT": zlib.compress(lines.tobytes()),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
