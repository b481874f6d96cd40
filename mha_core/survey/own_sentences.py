"""A person's own sentences for heads to read: typed, or out of a text file or a table."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable
from typing import Final, NamedTuple

from mha_core.checks.errors import FileError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.text_source import short_quote
from mha_core.language import say, say_number

MOST_TEXTS: Final = 500
LONGEST_TEXT: Final = 4_000  # characters
TABLE: Final = ".csv"
SENTENCE_FILE_TYPES: Final = (".txt", TABLE)
SEPARATORS: Final = ",;\t"
TITLES: Final = ("sentence", "sentences", "text", "texts")  # of a column, which nobody reads


class OwnSentences(NamedTuple):
    """The sentences, and how many were left out or cut, as there were more, or longer ones."""

    texts: tuple[str, ...] = ()
    left_out: int = 0
    cut: int = 0

    @property
    def says(self) -> str:
        """What was left out, in words; nothing if all is read."""
        said = []
        if self.left_out:
            said.append(
                say("The first {most} of {count:,} sentences are read.").format(
                    most=len(self.texts), count=len(self.texts) + self.left_out
                )
            )
        if self.cut:
            said.append(
                say_number(
                    "{count} is cut after {most:,} characters.",
                    "{count} are cut after {most:,} characters.",
                    self.cut,
                ).format(count=self.cut, most=LONGEST_TEXT)
            )
        return " ".join(said)


def sentences_of(lines: Iterable[str]) -> OwnSentences:
    """A sentence in each line. Empty lines are none.

    >>> sentences_of(["One.", "", "  Two. "]).texts
    ('One.', 'Two.')
    """
    every = [stripped for line in lines if (stripped := line.strip())]
    kept = every[:MOST_TEXTS]
    return OwnSentences(
        tuple(text[:LONGEST_TEXT] for text in kept),
        len(every) - len(kept),
        sum(len(text) > LONGEST_TEXT for text in kept),
    )


def sentences_in(name: str, data: bytes) -> OwnSentences:
    """The lines of a text file, or the first column of a .csv."""
    thing = say("The file {file}").format(file=short_quote(name))
    check_size(thing, len(data), LIMITS.text_chars, say("Take a part of it."))
    text = _decoded(thing, data)
    is_table = name.lower().endswith(TABLE)
    found = sentences_of(_first_column(thing, text) if is_table else text.splitlines())
    if not found.texts:
        raise FileError(
            thing,
            say("must have a sentence in each line"),
            say("none"),
            say("Write some, or take another file."),
        )
    return found


def _decoded(thing: str, data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, as some spreadsheets save text."""
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(
            thing,
            say("must be text in UTF-8"),
            say("another byte at {place}").format(place=error.start + 1),
            say("Save it as UTF-8."),
        ) from error


def _first_column(thing: str, text: str) -> list[str]:
    """The first cell of each row, without the title of the column."""
    first_row = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=first_row.count)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        cells = [" ".join(row[0].split()) for row in rows if row]
    except csv.Error as error:
        raise FileError(
            thing,
            say("must be a table whose quotation marks close"),
            str(error),
            say("Save it again, or give a .txt with a sentence in each line."),
        ) from error
    return cells[1:] if cells and cells[0].lower() in TITLES else cells
