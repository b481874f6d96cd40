"""Write a folder of pages that any static host serves: `make site`, or OUT=elsewhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.shell import say
from ui.site.pages import EVERYTHING, Chosen, pages

ROOT: Final = Path(__file__).resolve().parent.parent


def write_site(folder: Path, chosen: Chosen = EVERYTHING) -> int:
    """How many bytes its files have together. Files of other names in the folder stay."""
    total = 0
    for file, content in pages(chosen):
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        total += len(content)
    return total


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m tools.site", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "site")
    folder = parser.parse_args(arguments).folder
    total = write_site(folder)
    say(f"{folder / 'index.html'}: open it, or copy the folder ({total / 2**20:.0f} MB) to a host")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
