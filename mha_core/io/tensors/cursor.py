"""A place in the header of a binary file that moves on as numbers and texts are read."""

from __future__ import annotations

import struct
from typing import Any

from mha_core.io.tensors.checked import broken
from mha_core.language import say


class Cursor:
    """Reads little-endian numbers and texts one after the other, and never beyond the end."""

    def __init__(self, thing: str, data: memoryview, at: int = 0) -> None:
        self.thing = thing
        self.data = data
        self.at = at

    def number(self, code: str) -> Any:
        """One number; `code` is its type in the words of `struct`."""
        return self.numbers(code, 1)[0]

    def numbers(self, code: str, count: int) -> tuple[Any, ...]:
        layout = struct.Struct(f"<{count}{code}")
        begin = self.skip(layout.size)
        return layout.unpack_from(self.data, begin)

    def text(self) -> str:
        """A text with its length before it."""
        begin = self.skip(length := self.number("Q"))
        return str(self.data[begin : begin + length], "utf-8", "replace")

    def skip(self, size: int) -> int:
        """Go on by so many bytes; the place before them."""
        begin = self.at
        if size > len(self.data) - begin:
            need = say("must go on for {size:,} bytes from byte {at:,} on")
            got = say("its end after {size:,}").format(size=len(self.data) - begin)
            raise broken(self.thing, need.format(size=size, at=begin), got)
        self.at = begin + size
        return begin

    def skip_texts(self, count: int) -> None:
        length = struct.Struct("<Q")
        for _ in range(count):
            (size,) = length.unpack_from(self.data, self.skip(length.size))
            self.skip(size)
