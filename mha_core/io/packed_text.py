"""A text as one word of an address, and back."""

from __future__ import annotations

import base64
import zlib
from typing import Final

from mha_core.checks.errors import FormatError
from mha_core.language import say

PACKED: Final = "~"  # begins a packed text, so that none is taken for the name of something


def pack_text(text: str) -> str:
    """The word, whose letters no browser changes.

    >>> unpack_text(pack_text("Masks"), "The tour", 10, "Copy the link again.")
    'Masks'
    """
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()
    return PACKED + packed.rstrip("=")


def unpack_text(word: str, thing: str, most_chars: int, way_out: str) -> str:
    """The text of a word. A broken one is refused, and one of a longer text; `thing` names it."""
    packed = word.removeprefix(PACKED)
    unpacker = zlib.decompressobj()
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        text = unpacker.decompress(data, most_chars).decode()
    except (ValueError, zlib.error) as error:
        raise _broken(word, thing, way_out) from error
    if not unpacker.eof:
        raise _broken(word, thing, way_out)
    return text


def _broken(word: str, thing: str, way_out: str) -> FormatError:
    return FormatError(thing, say("must be whole"), repr(word[:40]), way_out)
