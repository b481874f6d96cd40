"""The words that people read, in their language.

English stands in the code, in `say("...")`. Another language is a file: see docs/languages.md.
"""

from __future__ import annotations

import os
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

DOMAIN: Final = "explorer"
VARIABLES: Final = ("EXPLORER_LANGUAGE", "EXPLORER_LANGUAGES")
LANGUAGE: Final = os.environ.get(VARIABLES[0], "")
FOLDER: Final = Path(__file__).resolve().parent.parent / "languages"
LANGUAGES: Final = Path(os.environ.get(VARIABLES[1]) or FOLDER)


def catalog_of(language: str, languages: Path) -> NullTranslations:
    """Without a language, words stay as in the code. A language without a file is an error."""
    return translation(DOMAIN, languages, [language]) if language else NullTranslations()


_catalog: Final = catalog_of(LANGUAGE, LANGUAGES)
say: Final = _catalog.gettext
say_number: Final = _catalog.ngettext  # one sentence for one thing, another for several
