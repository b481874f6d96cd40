"""What a head looks at, above it: always two lines, so that another name moves nothing."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

MOST_IN_LINE: Final = 12  # letters, which stand above few and small cells


def lines_of(name: str) -> tuple[str, str]:
    """A name of a head in its two lines.

    >>> lines_of("no word stands out"), lines_of("itself")
    (('no word', 'stands out'), ('itself', ''))
    """
    first, *rest = wrap(name, MOST_IN_LINE) or [""]
    return first, " ".join(rest)
