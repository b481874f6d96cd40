"""The words that people read, in their language.

English stands in the code, in `say("...")`. Another language is a file: see docs/languages.md.
"""

from __future__ import annotations

import os
from gettext import NullTranslations, find, translation
from pathlib import Path
from typing import Final

DOMAIN: Final = "explorer"
VARIABLES: Final = ("EXPLORER_LANGUAGE", "EXPLORER_LANGUAGES")
ASKED_FOR: Final = os.environ.get(VARIABLES[0], "")
FOLDER: Final = Path(__file__).resolve().parent.parent / "languages"
LANGUAGES: Final = Path(os.environ.get(VARIABLES[1]) or FOLDER)


def spoken(asked_for: str, languages: Path) -> str:
    """The language that is asked for, as its folder is called. Without a file it is "", English.

    A `de_AT` that has no folder of its own speaks `de`.
    """
    file = find(DOMAIN, languages, [asked_for]) if asked_for else None
    return Path(file).parts[-3] if file else ""


def catalog_of(language: str, languages: Path) -> NullTranslations:
    """The words of a language that has a file. Without a language, they stay as in the code."""
    return translation(DOMAIN, languages, [language]) if language else NullTranslations()


LANGUAGE: Final = spoken(ASKED_FOR, LANGUAGES)
_catalog: Final = catalog_of(LANGUAGE, LANGUAGES)
say: Final = _catalog.gettext
say_number: Final = _catalog.ngettext  # one sentence for one thing, another for several
