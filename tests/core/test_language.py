"""The words in the code, and in another language."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from mha_core.language import DOMAIN, VARIABLES, catalog_of, say, say_number, spoken

SENTENCE = "{count} of {all} cells"


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    """A folder with some words in German."""
    german = Catalog(locale="de")
    german.add(SENTENCE, "Von {all} Zellen {count}")
    german.add(("{count} token", "{count} tokens"), ("{count} Wort", "{count} Wörter"))
    place = tmp_path / "de" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / f"{DOMAIN}.mo").open("wb") as file:
        write_mo(file, german)
    return tmp_path


def test_without_a_language_words_are_as_they_stand_in_the_code() -> None:
    assert say(SENTENCE).format(count=2, all=9) == "2 of 9 cells"
    assert say_number("{count} token", "{count} tokens", 1).format(count=1) == "1 token"
    assert say_number("{count} token", "{count} tokens", 3).format(count=3) == "3 tokens"


def test_a_language_is_a_file_and_may_put_numbers_in_another_order(languages: Path) -> None:
    german = catalog_of("de", languages)
    assert german.gettext(SENTENCE).format(count=2, all=9) == "Von 9 Zellen 2"
    assert german.ngettext("{count} token", "{count} tokens", 3).format(count=3) == "3 Wörter"
    assert german.gettext("not translated yet") == "not translated yet"


def test_a_language_without_a_file_is_english(languages: Path) -> None:
    assert spoken("", languages) == spoken("fr", languages) == ""
    assert spoken("de", languages) == spoken("de_AT", languages) == "de"


def test_a_process_whose_language_has_no_file_starts_in_english(tmp_path: Path) -> None:
    environment = dict(zip(VARIABLES, ("fr", str(tmp_path)), strict=True))
    script = "from mha_core.language import LANGUAGE, say; print([LANGUAGE, say('Undo')])"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "['', 'Undo']"
