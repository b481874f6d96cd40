"""Whether the machine has the letters that the reference pictures show.

The page's own letters come with it. But what it leaves to the browser, and signs that its letters
lack, are shown by the fonts of the system.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

SETTINGS: Final = Path("/etc/fonts/fonts.conf")
FONTS: Final = Path("/usr/share/fonts")
NEEDED: Final = ("LiberationSans-Regular.ttf", "DejaVuSans.ttf")


def find_letters() -> Path | None:
    """The folder of the fonts, if all are there. Only Linux may come without any."""
    if sys.platform != "linux":
        return Path()
    are_there = SETTINGS.exists() and all(any(FONTS.rglob(name)) for name in NEEDED)
    return FONTS if are_there else None
