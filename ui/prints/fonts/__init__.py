"""The fonts of pictures: that of the page, and another for letters that it does not have.

Source Sans is the font of the page, as Streamlit serves it. DejaVu has Hebrew, Arabic and many
signs. Letters that neither has come from a font of the machine, if it has one of `OF_A_MACHINE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
FONT_FOLDERS: Final = (
    "~/.fonts",
    "~/.local/share/fonts",
    "~/Library/Fonts",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts/Supplemental",
    "C:/Windows/Fonts",
)
OF_A_MACHINE: Final = (
    "Arial Unicode.ttf",
    "DroidSansFallbackFull.ttf",
    "NotoSansSC-Regular.ttf",
    "NotoSansJP-Regular.ttf",
    "NotoSansKR-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "malgun.ttf",
    "Nirmala.ttf",
    "seguisym.ttf",
)


@dataclass(frozen=True)
class Face:
    """One font file, by the name that pictures give it."""

    name: str
    path: Path

    @cached_property
    def widths(self) -> dict[int, float]:
        """The width of each of its letters, in font sizes."""
        from fontTools.ttLib import TTFont  # only who saves a picture waits for it

        with TTFont(self.path, lazy=True) as font:
            advance = font["hmtx"].metrics
            em = font["head"].unitsPerEm
            return {code: advance[name][0] / em for code, name in font.getBestCmap().items()}

    def has(self, letter: str) -> bool:
        return ord(letter) in self.widths


REGULAR: Final = Face("Source Sans 3", FOLDER / "SourceSans3-Regular.ttf")
BOLD: Final = Face("Source Sans 3 Semibold", FOLDER / "SourceSans3-Semibold.ttf")
ITALIC: Final = Face("Source Sans 3 Italic", FOLDER / "SourceSans3-It.ttf")
SIGNS: Final = Face("DejaVu Sans", FOLDER / "DejaVuSans.ttf")


@lru_cache(maxsize=1)
def of_this_machine() -> tuple[Face, ...]:
    """The fonts of the machine that may have letters which ours do not have."""
    folders = [Path(folder).expanduser() for folder in FONT_FOLDERS]
    found = {path.name: path for folder in folders for path in folder.rglob("*.ttf")}
    return tuple(Face(Path(name).stem, found[name]) for name in OF_A_MACHINE if name in found)


def faces_of(letters: Iterable[str], first: Face) -> dict[str, Face | None]:
    """The face of each letter; None where no font has it."""
    return {letter: _face_of(letter, first) for letter in set(letters)}


def _face_of(letter: str, first: Face) -> Face | None:
    ours = next((face for face in (first, SIGNS) if face.has(letter)), None)
    return ours or next((face for face in of_this_machine() if face.has(letter)), None)


def runs_of(text: str, first: Face) -> Iterator[tuple[Face, str]]:
    """The text in pieces of one face each. What no font has is left to the first."""
    if all(map(first.has, text)):
        yield first, text
        return
    faces = faces_of(text, first)
    for face, letters in groupby(text, key=lambda letter: faces[letter] or first):
        yield face, "".join(letters)


def width_of(text: str, size: float, first: Face) -> float:
    """Pixels of a text, without kerning."""
    return size * _width_in_sizes(text, first)


@lru_cache(maxsize=4096)  # most texts are labels and numbers, which stand in many places
def _width_in_sizes(text: str, first: Face) -> float:
    missing = first.widths[ord("n")]
    return sum(
        face.widths.get(ord(letter), missing)
        for face, letters in runs_of(text, first)
        for letter in letters
    )


def without_font(text: str) -> str:
    """Its letters for which there is no font here, each once."""
    faces = faces_of(text, REGULAR)
    return "".join(dict.fromkeys(letter for letter in text if faces[letter] is None))
