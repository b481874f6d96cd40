"""A link as a QR code, made on this machine."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mha_core.language import say

MOST_BYTES: Final = 2953  # that a QR code holds
SEEN_FROM_FAR: Final = 500  # bytes; with more, modules are too small for the back row
SEVERAL: Final = 64  # codes that are kept

NEEDS_SEGNO: Final = say(
    "The package segno is missing on the server. Install it: pip install -r requirements.txt."
)


class NoCodeError(Exception):
    """A text cannot become a QR code; the message says why."""


@lru_cache(SEVERAL)
def qr_code(text: str) -> tuple[str, ...]:
    """The rows of the code, 1 for a dark module, without the light zone around them.

    segno is imported by whoever first asks for a code.
    """
    try:
        import segno
    except ImportError:
        raise NoCodeError(NEEDS_SEGNO) from None
    if len(text.encode()) > MOST_BYTES:
        says = say(
            "This link has {count:,} characters, and a QR code holds {limit:,}. Send the link by "
            "mail or chat, or begin with an example and change less."
        )
        raise NoCodeError(says.format(count=len(text.encode()), limit=MOST_BYTES))
    code = segno.make_qr(text, error="l")
    return tuple("".join("1" if module else "0" for module in row) for row in code.matrix)
