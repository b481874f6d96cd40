"""The words that people read, in their language.

English stands in the code, in `say("...")`. Another language is a file: see docs/languages.md.
"""

from __future__ import annotations

import os
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

DOMAIN: Final = "explorer"
VARIABLE: Final = "EXPLORER_LANGUAGE"
LANGUAGES: Final = Path(__file__).resolve().parent.parent / "languages"


def catalog_of(language: str, folder: Path = LANGUAGES) -> NullTranslations:
    """Without a language, words are as they stand in the code. One without a file is an error."""
    return translation(DOMAIN, folder, [language]) if language else NullTranslations()


_catalog: Final = catalog_of(os.environ.get(VARIABLE, ""))
say: Final = _catalog.gettext
say_number: Final = _catalog.ngettext  # one sentence for one thing, another for several
