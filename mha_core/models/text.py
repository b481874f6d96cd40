"""A text as a model reads it: ids, labels that people can read, and the words they belong to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import as_array
from mha_core.checks.text_source import short_quote
from mha_core.checks.values import check_limit, check_whole, short_repr
from mha_core.language import say

GOES_ON: Final = "##"  # before a token that goes on with a word
UNKNOWN: Final = ("<unk>", "[UNK]")  # tokens that stand for any other


@dataclass(frozen=True)
class Text:
    """The tokens of a text: their ids, their labels, and the number of each one's word.

    A label that begins with ## goes on with the word before it, whatever the tokenizer's own mark.
    A model with a decoder reads a second text there.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    words: tuple[int, ...]
    of_decoder: Text | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def longest(self) -> int:
        """The count of tokens; with a decoder, of the longer of the two texts.

        >>> Text((7,), ("a",), (0,), Text((0, 7), ("<pad>", "a"), (0, 1))).longest
        2
        """
        return max(len(self), len(self.of_decoder or ()))

    def cut(self, length: int) -> Text:
        """The first so many tokens."""
        return Text(self.ids[:length], self.tokens[:length], self.words[:length])

    def behind(self, token: int, label: str, end: int) -> Text:
        """The text as a decoder reads it: behind a token, and without the one that ends it.

        >>> Text((7, 8, 1), ("a", "b", "</s>"), (0, 1, 2)).behind(0, "<pad>", end=1).tokens
        ('<pad>', 'a', 'b')
        """
        plain = self.cut(-1) if self.ids[-1:] == (end,) else self
        words = (0, *(word + 1 for word in plain.words))
        return Text((token, *plain.ids), (label, *plain.tokens), words)


class Tokenizer(Protocol):
    """What turns a text into tokens."""

    def read(self, text: str) -> Text: ...

    def label(self, token: int) -> str:
        """What a token is called that stands alone."""

    def writes(self, text: str) -> bool:
        """Whether it has tokens for all of a text: none stands for what is unknown."""

    def listed(self) -> Sequence[str]:
        """Words that it has, each a text of its own, in the order of their ids."""


class Ids:
    """No tokenizer: the ids themselves are typed."""

    def read(self, text: str) -> Text:
        parts = re.split(r"[\s,]+", text.strip("[] \n,"))
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
            raise OptionError(
                say("The text"),
                say("must be the ids of tokens, as this model came without its tokenizer"),
                short_quote(text),
                say("Write 5 17 2, or put its tokenizer.json beside the file."),
            )
        return self.of([int(part) for part in parts])

    def of(self, ids: Sequence[int]) -> Text:
        return Text(tuple(ids), tuple(map(self.label, ids)), tuple(range(len(ids))))

    def label(self, token: int) -> str:
        return str(token)

    def writes(self, text: str) -> bool:
        return _can_be_read(self, text)

    def listed(self) -> Sequence[str]:
        return tuple("0123456789")  # how many there are, only the model knows


class Words:
    """Words of a list, with blanks between them; or characters, where all of the list are such.

    >>> Words({"the": 0, "cat": 1}).read("The cat").ids
    (0, 1)
    """

    def __init__(
        self, places: Mapping[str, int], *, are_characters: bool = False, unknown: str = ""
    ) -> None:
        self._places = places
        self._unknown = unknown  # the word that stands for all others
        self._labels = {place: word for word, place in places.items()}
        self._are_characters = are_characters

    def read(self, text: str) -> Text:
        pieces = self._pieces(text)
        if not pieces:
            raise _no_words(text)
        ids = tuple(map(self._place, pieces))
        return Text(ids, tuple(map(self.label, ids)), tuple(range(len(ids))))

    def label(self, token: int) -> str:
        return readable(self._labels.get(token, str(token)))

    def writes(self, text: str) -> bool:
        pieces = self._pieces(text)
        return bool(pieces) and all(self._own_place(piece) is not None for piece in pieces)

    def listed(self) -> Sequence[str]:
        words = (word for _, word in sorted(self._labels.items()))
        return [word for word in words if self._pieces(word) == [word] and not is_special(word)]

    def _pieces(self, text: str) -> list[str]:
        if self._are_characters:
            return [each for each in text if each in self._places or not each.isspace()]
        return re.findall(r"\w+|[^\w\s]|<\w+>", text)

    def _own_place(self, word: str) -> int | None:
        return self._places.get(word, self._places.get(word.lower()))

    def _place(self, word: str) -> int:
        if (own := self._own_place(word)) is not None:
            return own
        for unknown in (self._unknown, *UNKNOWN):
            if unknown in self._places:
                return self._places[unknown]
        known = [word for word in self.listed() if word.isalnum()]
        raise OptionError(
            say("A word"),
            say("must be one of the {count:,} that the model knows").format(count=len(known)),
            short_repr(word),
            say("It knows {words}, and others.").format(words=", ".join(known[:8])),
        )


def text_of(pieces: Sequence[str], ids: Sequence[int], words: Sequence[int | None]) -> Text:
    """The text of a tokenizer's pieces, of which it says the words; None: a special token.

    Some tokenizers call a whole sentence one word, so what stands in the pieces counts too.

    >>> text_of(["[CLS]", "play", "##ing", "Ġcats", "!"], [1, 2, 3, 4, 5], [None, 0, 0, 0, 0])
    Text(ids=(1, 2, 3, 4, 5), tokens=('[CLS]', 'play', '##ing', 'cats', '!'), words=(0, 1, 1, 2, 3))
    """
    labels: list[str] = []
    numbers: list[int] = []
    for place, (piece, word) in enumerate(zip(pieces, words, strict=True)):
        is_of_one = place > 0 and word is not None and word == words[place - 1]
        goes_on = is_of_one and _goes_on(pieces[place - 1], piece)
        numbers.append((numbers[-1] if numbers else -1) + (not goes_on))
        label = piece if word is None else readable(piece.removeprefix(GOES_ON))
        labels.append(cut_label(GOES_ON + label if goes_on else label))
    return Text(tuple(ids), tuple(labels), tuple(numbers))


def _goes_on(before: str, piece: str) -> bool:
    """Whether a piece goes on with the word of the one before it: letters behind letters."""
    if piece.startswith(MARKS_OF_BLANKS):
        return False
    return piece.startswith(GOES_ON) or (
        readable(piece)[0].isalnum() and readable(before)[-1].isalnum()
    )


MARKS_OF_BLANKS: Final = ("Ġ", "▁", " ")  # before a token that begins a word


def readable(piece: str) -> str:
    """A piece of a tokenizer as people read it: without the mark of the blank before it.

    >>> readable("Ġcat"), readable("▁"), readable("Ċ"), readable("Ã©")
    ('cat', '␣', '↵', 'é')
    """
    plain = _from_bytes(piece)
    plain = plain.replace("▁", " ")
    if plain.isspace():
        return plain.replace(" ", "␣").replace("\n", "↵").replace("\t", "⇥")
    return plain.strip(" ") or piece


def _from_bytes(piece: str) -> str:
    """The text of a piece in which each character stands for a byte, as GPT-2's tokenizer has it.

    A part of a longer character stays as it is.
    """
    if not all(letter in BYTES for letter in piece):
        return piece
    try:
        return bytes(BYTES[letter] for letter in piece).decode()
    except UnicodeDecodeError:
        return piece


def _bytes_by_letter() -> dict[str, int]:
    """Bytes that print stand for themselves. The others are letters from 256 on, in order."""
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printed]
    return {
        **{chr(byte): byte for byte in printed},
        **{chr(256 + place): byte for place, byte in enumerate(others)},
    }


BYTES: Final = _bytes_by_letter()


def _can_be_read(tokenizer: Tokenizer, text: str) -> bool:
    try:
        tokenizer.read(text)
    except OptionError:
        return False
    return True


def cut_label(label: str) -> str:
    """No label is longer than a scenario takes."""
    most = LIMITS.label_chars
    return label if len(label) <= most else label[: most - 1] + "…"


def check_ids(ids: Any, n_words: int) -> tuple[int, ...]:
    """Refuse no ids, too many, and ids beyond the vocabulary. A tensor of one text is taken too."""
    if isinstance(ids, str) or not isinstance(ids, Sequence):
        ids = _as_list(ids)
    check_limit(say("The number of tokens"), len(ids), LIMITS.tokens, say("Take a part of it."))
    if not len(ids):
        raise _no_words("")
    for token in ids:
        check_whole(say("A token's id"), token, 0, n_words - 1)
    return tuple(int(token) for token in ids)


def _as_list(ids: object) -> Sequence[int]:
    array = as_array(say("The tokens' ids"), ids)
    if array.ndim != 1:
        raise ShapeError(
            say("The tokens' ids"),
            say("must be a list of whole numbers, of one text"),
            say("shape {shape}").format(shape=array.shape) if array.ndim else short_repr(ids),
            say("Of a batch, give one row, as in ids[0]."),
        )
    listed: list[int] = array.tolist()
    return listed


def is_special(word: str) -> bool:
    """Whether it stands for no text, as <pad> and [CLS]."""
    return len(word) > 2 and (word[0] + word[-1]) in ("<>", "[]")


def _no_words(text: str) -> OptionError:
    return OptionError(
        say("The text"),
        say("must have at least one token"),
        short_quote(text),
        say("Type a sentence."),
    )
