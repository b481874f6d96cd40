"""An own puzzle as a file that a person can read, and as a word of a link; and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from mha_core.checks.values import check_limit
from mha_core.io.packed_text import pack_text, unpack_text
from mha_core.io.scenario.fields import (
    VERSION,
    Reader,
    format_error,
    list_of,
    one_of,
    read_fields,
    read_text,
    read_whole,
    refused,
)
from mha_core.io.scenario.plain_json import laid_out, parsed
from mha_core.language import say
from mha_core.puzzles.own.asked import read_asked, write_asked
from mha_core.puzzles.own.own_puzzle import OwnPuzzle

KIND: Final = "attention puzzle"
MOST_CHARS: Final = 200_000  # of the text
MOST_PACKED: Final = 2_500  # characters: an address holds an answer beside it
SENTENCES: Final = ("seen", "hidden")
WORDS: Final = "words"  # what is wanted
WEIGHTS: Final = "weights"
COPY_AGAIN: Final = say("Copy the whole link again, or open the puzzle's file.")


def write_puzzle(own: OwnPuzzle) -> str:
    """The puzzle as a JSON text, which `read_puzzle` reads."""
    return laid_out(_as_plain(own)) + "\n"


def read_puzzle(text: str) -> OwnPuzzle:
    """The puzzle of a file. What it says is checked, and never run."""
    check_limit(
        say("The length of the puzzle"), len(text), MOST_CHARS, say("Take fewer sentences.")
    )
    return _of_plain(parsed(text))


def pack_puzzle(own: OwnPuzzle) -> str:
    """The puzzle as one word of an address."""
    text = json.dumps(_as_plain(own), ensure_ascii=False, separators=(",", ":"))
    word = pack_text(text)
    way_out = say("Take fewer sentences, or give the file instead of a link.")
    check_limit(say("The length of the puzzle's link"), len(word), MOST_PACKED, way_out)
    return word


def unpack_puzzle(word: str) -> OwnPuzzle:
    """The puzzle that a word of an address holds."""
    return read_puzzle(unpack_text(word, say("The puzzle in the link"), MOST_CHARS, COPY_AGAIN))


def _as_plain(own: OwnPuzzle) -> dict[str, Any]:
    """Its fields that are not as usual; of the sentences, their text."""
    wants = WORDS if own.predicts else WEIGHTS
    said: dict[str, Any] = {"kind": KIND, "version": VERSION, "wants": wants}
    for each in fields(OwnPuzzle):
        value = getattr(own, each.name)
        if each.name in SENTENCES:
            said[each.name] = write_asked(value).splitlines()
        elif value != each.default and value not in ((), {}):
            said[each.name] = list(value) if isinstance(value, tuple) else value
    return said


def _of_plain(data: object) -> OwnPuzzle:
    said = read_fields("", data, READERS, REQUIRED)
    if said.pop("kind") != KIND:
        need = say('must say "kind": "{kind}"').format(kind=KIND)
        raise format_error(say("The file"), need, say("another"), say("Open a saved puzzle."))
    if (version := said.pop("version")) != VERSION:
        need = say("must be of version {version}").format(version=VERSION)
        way_out = say("Open it with the version of this app that wrote it.")
        raise format_error(say("The puzzle"), need, str(version), way_out)
    predicts = said.pop("wants") == WORDS
    for name in SENTENCES:
        lines = "\n".join(said.get(name, ()))
        said[name] = read_asked(lines, predicts=predicts)
    return OwnPuzzle(**said)


def _texts(path: str, value: object) -> tuple[str, ...]:
    texts: list[str] = list_of(read_text)(path, value)
    return tuple(texts)


def _lines(path: str, value: object) -> tuple[str, ...]:
    """Each is one line: else sentences would be more than they are counted as."""
    lines = _texts(path, value)
    if any("\n" in line or "\r" in line for line in lines):
        raise refused(path, say("must be lines"), value)
    return lines


def _named_texts(path: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise refused(path, say("must be an object with named fields"), value)
    return {name: read_text(f"{path}.{name}", text) for name, text in value.items()}


READERS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("kind", "title", "job", "x", "mask"), read_text),
    "wants": one_of(WORDS, WEIGHTS),
    **dict.fromkeys(("version", "longest", "d_k", "d_v", "layers", "most_numbers"), read_whole),
    **dict.fromkeys(("words", "free", "hints"), _texts),
    **dict.fromkeys(SENTENCES, _lines),
    **dict.fromkeys(("given", "solution"), _named_texts),
}
REQUIRED: Final = ("kind", "version", "wants", "title", "job", "words", "seen")
