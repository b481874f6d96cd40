"""A language that nobody speaks: each text stands as it is, between « and »."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mha_core.language import VARIABLES
from tools.words import words, write

NAME: Final = "de"  # of a language that the library of catalogues knows


def marked_language(languages: Path) -> dict[str, str]:
    """Writes its files there, and gives the variables with which a process speaks it."""
    place = languages / NAME / "LC_MESSAGES"
    place.mkdir(parents=True)
    catalog = words()
    catalog.locale = NAME
    for each in catalog:
        if isinstance(each.id, tuple):
            each.string = tuple(map(marked, each.id))
        elif each.id:
            each.string = marked(each.id)
    write(catalog, place)
    return dict(zip(VARIABLES, (NAME, str(languages)), strict=True))


def marked(text: str) -> str:
    """Titles end at a colon, and are shown alone."""
    return "«" + text.replace(": ", "»: «", 1) + "»"
