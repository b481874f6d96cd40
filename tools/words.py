"""All words that people read, as files that translators know.

python -m tools.words         the words as languages/explorer.pot, without a translation
python -m tools.words de      languages/de/..., made or brought up to date, ready for use
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from mha_core.language import DOMAIN, FOLDER
from tools.shell import say as tell

ROOT: Final = Path(__file__).resolve().parent.parent
ROOMS: Final = ("mha_core", "ui", "pages")
SAID_BY: Final = {"say": None, "say_number": (1, 2)}
METHODS: Final = [("**/built/**", "ignore"), ("**.py", "python"), ("**.js", "javascript")]
IN_BROWSER: Final = "browser.json"  # what the browser's scripts say


def words() -> Catalog:
    """Every text in `say` and `say_number`, with the places where it is said."""
    catalog = Catalog(project="Attention explorer", charset="utf-8")
    for room in ROOMS:
        found = extract_from_dir(ROOT / room, METHODS, keywords=SAID_BY)
        for file, line, text, comments, context in found:
            places = [(f"{room}/{file}", line)]
            catalog.add(text, locations=places, auto_comments=comments, context=context)
    return catalog


def bring(language: str, languages: Path = FOLDER) -> Path:
    """A language's file: what was translated stays, new words come, old ones go to its end."""
    place = languages / language / "LC_MESSAGES"
    place.mkdir(parents=True, exist_ok=True)
    file = place / f"{DOMAIN}.po"
    catalog = Catalog(locale=language)
    if file.exists():
        with file.open("rb") as opened:
            catalog = read_po(opened, locale=language)
    catalog.update(words(), no_fuzzy_matching=True)  # no text gets the words of one like it
    write(catalog, place)
    return file


def write(catalog: Catalog, place: Path) -> None:
    """For translators, for the server and for the browser."""
    with (place / f"{DOMAIN}.po").open("wb") as opened:
        write_po(opened, catalog)
    with (place / f"{DOMAIN}.mo").open("wb") as opened:
        write_mo(opened, catalog)
    in_browser = {
        each.id: each.string
        for each in catalog
        if each.string and any(file.endswith(".js") for file, _ in each.locations)
    }
    (place / IN_BROWSER).write_text(json.dumps(in_browser, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    if languages := sys.argv[1:]:
        for each in languages:
            tell(f"Translate {bring(each)}, then run this again")
    else:
        FOLDER.mkdir(exist_ok=True)
        found = words()
        with (FOLDER / f"{DOMAIN}.pot").open("wb") as opened:
            write_po(opened, found)
        tell(f"{len(found)} texts in {FOLDER / DOMAIN}.pot")
