"""Reference pictures: kept small, compared with what is seen today, renewed when asked."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image  # it comes with Streamlit

from tests.browser.comparing import (
    LEVELS,
    PATCH,
    Marks,
    Picture,
    are_alike,
    busiest,
    differences,
    marked,
)
from tests.serving import ROOT

WAY_OUT: Final = "If the page is right and its picture is old, run: make pictures"
COLORS: Final = 256  # in a kept picture
KEPT_EXACTLY: Final = 64  # of them, the most frequent


class PictureError(AssertionError):
    """What the page looks like is not what its reference picture shows."""


@dataclass(frozen=True)
class Album:
    """Where the references are, which browser took each, and where differences are left."""

    taken_by: Path
    failures: Path

    def check(self, reference: Path, picture: Picture, browser: str) -> None:
        """Fail if the picture differs from the reference, and show where."""
        reference_name = path_in_repository(reference)
        new = self.failures / reference.name
        see_new = f"See {path_in_repository(new)}"
        if not reference.exists():
            write(new, picture)
            raise PictureError(
                f"There is no reference picture {reference_name}. {see_new}: "
                "if it is right, run: make pictures"
            )
        old, browsers = read(reference), self.browsers_in_words(reference, browser)
        if old.shape != picture.shape:
            write(new, picture)
            raise PictureError(
                f"The page is {size_in_pixels(picture)} pixels and its reference picture "
                f"{reference_name} {size_in_pixels(old)}. {see_new}. {browsers} {WAY_OUT}"
            )
        marks = differences(old, picture)
        if not are_alike(marks):
            write(new, picture)
            marking = new.with_stem(f"{new.stem}-differences")
            write(marking, marked(picture, marks))
            raise PictureError(
                f"The page no longer looks like its reference picture {reference_name}: "
                f"{where_most_differ(marks)}. {see_new}, and {path_in_repository(marking)} "
                f"with the differences in red. {browsers} {WAY_OUT}"
            )

    def shows(self, reference: Path, png: bytes) -> bool:
        """Whether this picture is the reference, to every pixel but for its few colours."""
        return reference.exists() and differ_by_palette_alone(read(reference), read(png))

    def renew(self, reference: Path, picture: Picture, browser: str) -> None:
        """Keep this picture as the reference, unless the present one shows the same."""
        if reference.exists() and differ_by_palette_alone(read(reference), picture):
            return
        write(reference, picture)
        self.write_notes({**self.browser_of, reference.name: browser})

    def remove_others(self, references: set[Path]) -> None:
        """Remove the notes, and in their folder the pictures, that belong to no reference."""
        for picture in self.left_over(references):
            picture.unlink()
        names = {reference.name for reference in references}
        self.write_notes({name: who for name, who in self.browser_of.items() if name in names})

    def left_over(self, references: set[Path]) -> list[Path]:
        return sorted(set(self.taken_by.parent.glob("*.png")) - references)

    def browsers_in_words(self, reference: Path, browser: str) -> str:
        then = self.browser_of.get(reference.name, "an unknown browser")
        now = "the same" if then == browser else browser
        return f"The reference was taken by {then}, this picture by {now}."

    @property
    def browser_of(self) -> dict[str, str]:
        """Which browser took which reference."""
        if not self.taken_by.exists():
            return {}
        notes: dict[str, str] = json.loads(self.taken_by.read_text("utf-8"))
        return notes

    def write_notes(self, browser_of: dict[str, str]) -> None:
        text = json.dumps(browser_of, indent=2, sort_keys=True) + "\n"
        self.taken_by.write_text(text, "utf-8")


def where_most_differ(marks: Marks) -> str:
    _, left, top = busiest(marks)
    x, y = left + PATCH // 2, top + PATCH // 2
    return f"{marks.sum()} pixels differ, most of all around x = {x}, y = {y}"


def size_in_pixels(picture: Picture) -> str:
    height, width, _ = picture.shape
    return f"{width} x {height}"


def path_in_repository(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def differ_by_palette_alone(kept: Picture, picture: Picture) -> bool:
    """Whether they differ only by what keeping a picture does to its colours."""
    if kept.shape != picture.shape:
        return False
    return int(np.abs(kept.astype(np.int16) - picture).max()) <= LEVELS


# ---- files --------------------------------------------------------------------------------------


def read(png: Path | bytes) -> Picture:
    source = io.BytesIO(png) if isinstance(png, bytes) else png
    with Image.open(source) as image:
        return np.asarray(image.convert("RGB"))


def write(path: Path, picture: Picture) -> None:
    """As a PNG. Few colours make it a third of the size, and no colour is far from its own."""
    colors, places = with_few_colors(picture)
    image = Image.fromarray(places)
    image.putpalette(colors.tobytes())
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)


def with_few_colors(picture: Picture) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A palette, colours x 3, and for every pixel its place in it.

    The most frequent colours are kept, since the eye sees a plain ground shift. Then the colour
    that is furthest from the palette joins it, again and again. So the many greys around letters do
    not push out the rare colours of a cell or a line, as they do where a palette is averaged.
    """
    colors, place_of, counts = np.unique(
        picture.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    order = np.argsort(-counts, kind="stable")
    palette = [colors[order[0]]]
    distances = distance(colors, palette[0])
    nearest = np.zeros(len(colors), np.uint8)
    while len(palette) < min(COLORS, len(colors)):
        by_count = len(palette) < KEPT_EXACTLY
        joins = colors[order[len(palette)] if by_count else distances.argmax()]
        closer = (to_it := distance(colors, joins)) < distances
        nearest[closer] = len(palette)
        distances[closer] = to_it[closer]
        palette.append(joins)
    return np.array(palette), nearest[place_of].reshape(picture.shape[:2])


def distance(colors: NDArray[np.uint8], color: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The largest difference in red, green or blue."""
    apart: NDArray[np.int16] = np.abs(colors.astype(np.int16) - color).max(axis=1)
    return apart
