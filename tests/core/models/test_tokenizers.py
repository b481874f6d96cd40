"""Tokenizers out of the files beside a model. Nothing is asked of a network."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

from mha_core.checks.errors import FileError, OptionError
from mha_core.models.text import Ids, Text
from mha_core.models.tokenizers_of_models import PIECES, FromLibrary, tokenizer_of
from tests.core.models.held import Held
from tests.core.refusals import check_refused


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Whoever asks for a connection is refused, and the test fails."""
    asked: list[str] = []

    def refuse(*_: object, **__: object) -> NoReturn:
        asked.append("a connection")
        raise OSError("no network here")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield asked
    assert asked == []


def beside(folder: Path, config: dict[str, Any] | None = None, **files: Any) -> Held:
    """A model with these files beside it; `__` in a name stands for a point."""
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return Held({}, config or {}, folder)


def test_the_guard_of_these_tests_sees_a_connection(no_network: list[str]) -> None:
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("127.0.0.1", 9))
    assert no_network == ["a connection"]
    no_network.clear()


PIECES_OF_WORDS = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "the": 3, "cat": 4, "##s": 5, ".": 6}


def test_word_pieces_are_read_from_a_list(tmp_path: Path) -> None:
    file = beside(tmp_path, vocab__txt="\n".join(PIECES_OF_WORDS))
    text = tokenizer_of(file).read("The cats.")
    assert text == Text(
        (1, 3, 4, 5, 6, 2), ("[CLS]", "the", "cat", "##s", ".", "[SEP]"), (0, 1, 2, 2, 3, 4)
    )


def test_a_tokenizer_says_what_it_can_write_and_which_words_it_has(tmp_path: Path) -> None:
    tokenizer = tokenizer_of(beside(tmp_path, vocab__txt="\n".join(PIECES_OF_WORDS)))
    assert tokenizer.writes("The cats.")
    assert not tokenizer.writes("The dog.")
    assert not tokenizer.writes("")
    assert tokenizer.listed() == ["the", "cat"]


def test_a_config_of_the_tokenizer_may_keep_capitals(tmp_path: Path) -> None:
    file = beside(
        tmp_path,
        vocab__txt="\n".join(PIECES_OF_WORDS),
        tokenizer_config__json={"do_lower_case": False},
    )
    assert tokenizer_of(file).read("The cat").tokens == ("[CLS]", "[UNK]", "cat", "[SEP]")


OF_A_JSON = {
    "version": "1.0",
    "truncation": {"max_length": 2, "stride": 0, "strategy": "LongestFirst", "direction": "Right"},
    "padding": {
        "strategy": {"Fixed": 9},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[UNK]",
    },
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "the": 1, "cat": 2}, "unk_token": "[UNK]"},
}


def test_tokenizer_json_is_taken_first_and_neither_cuts_nor_fills(tmp_path: Path) -> None:
    file = beside(tmp_path, tokenizer__json=OF_A_JSON, vocab__txt="[UNK]")
    tokenizer = tokenizer_of(file)
    assert tokenizer.read("the cat the dog").ids == (1, 2, 1, 0)
    assert tokenizer.label(2) == "cat"
    assert tokenizer.label(77) == "77"


def test_a_text_that_the_library_has_no_token_for_is_refused(tmp_path: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"the": 1}, "unk_token": "[UNK]"}
    tokenizer = tokenizer_of(beside(tmp_path, tokenizer__json=OF_A_JSON | {"model": model}))
    with pytest.raises(OptionError, match="must be one that the model's tokenizer can read"):
        tokenizer.read("the cat")
    assert tokenizer.read("the the").ids == (1, 1)


def test_a_pattern_that_the_library_gives_up_on_is_refused_and_not_tried_again(
    tmp_path: Path,
) -> None:
    split = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}
    made = OF_A_JSON | {"pre_tokenizer": split | {"invert": False}}
    tokenizer = tokenizer_of(beside(tmp_path, tokenizer__json=made))
    assert tokenizer.read("the").ids == (1,)
    for text in ("a" * 40 + "b", "the"):
        with pytest.raises(OptionError, match="retry-limit"):
            tokenizer.read(text)


def test_who_stops_the_program_stops_it() -> None:
    class Stopped:
        def no_padding(self) -> None: ...

        def no_truncation(self) -> None: ...

        def encode(self, text: str) -> NoReturn:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        FromLibrary(Stopped()).read("the")


BYTE_PAIRS = {"Ġ": 0, "t": 1, "h": 2, "e": 3, "th": 4, "the": 5, "Ġthe": 6, "Ċ": 7}
MERGES = ["t h", "th e", "Ġ the"]


def test_byte_pairs_are_read_from_two_files(tmp_path: Path) -> None:
    file = beside(
        tmp_path, vocab__json=BYTE_PAIRS, merges__txt="\n".join(["#version: 0.2", *MERGES])
    )
    text = tokenizer_of(file).read("the the\nhe")
    assert text.ids == (5, 6, 7, 2, 3)
    assert text.tokens == ("the", "the", "↵", "h", "##e")
    assert text.words == (0, 1, 2, 3, 3)


def test_byte_pairs_are_read_from_a_gguf() -> None:
    said = {"tokens": list(BYTE_PAIRS), "merges": MERGES, "model": "gpt2"}
    config = {f"tokenizer.ggml.{name}": value for name, value in said.items()}
    assert tokenizer_of(Held({}, config)).read("the the").ids == (5, 6)
    other = {**config, "tokenizer.ggml.model": "llama"}
    assert isinstance(tokenizer_of(Held({}, other)), Ids)


def test_a_list_of_characters_is_read_without_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mha_core.io.tensors.packages.find_spec", lambda name: None)
    file = beside(tmp_path, vocab__json={"<pad>": 0, "1": 1, "+": 2})
    assert tokenizer_of(file).read("1+1").ids == (1, 2, 1)


def test_a_list_of_words_is_read_too(tmp_path: Path) -> None:
    assert tokenizer_of(beside(tmp_path, vocab__json={"cat": 0, "the": 1})).read("the cat").ids == (
        1,
        0,
    )


def test_pairs_of_characters_may_be_joined_within_words() -> None:
    pieces = {"alphabet": ["▁", "a", "b", "\n"], "merges": [["a", "b"], ["▁", "ab"]]}
    text = tokenizer_of(Held({}, {PIECES: pieces})).read("ab ab\nba x")
    assert text.ids == (8, 9, 7, 6, 5, 4, 1)  # behind <pad>, <unk>, <bos> and <eos>
    assert text.tokens == ("ab", "ab", "↵", "b", "##a", "␣", "<unk>")


def test_without_any_of_them_ids_are_typed(tmp_path: Path) -> None:
    for file in (Held({}, {}), beside(tmp_path)):
        assert isinstance(tokenizer_of(file), Ids)


def test_without_the_library_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_spec("tokenizers")
    monkeypatch.setattr("mha_core.io.tensors.packages.find_spec", lambda name: None)
    check_refused(
        lambda: tokenizer_of(beside(tmp_path, tokenizer__json=OF_A_JSON)),
        FileError(
            "The text",
            "must be read with the package tokenizers",
            "no such package",
            "Install it: pip install tokenizers.",
        ),
    )


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"tokenizer__json": "{"}, "tokenizer.json must be a tokenizer, got"),
    ({"tokenizer__json": {"model": 3}}, "tokenizer.json must be a tokenizer, got"),
    ({"vocab__json": "["}, "vocab.json must be a tokenizer, got"),
    ({"vocab__json": [1]}, "vocab.json must be a tokenizer, got"),
    ({"vocab__json": {"a": "1"}}, "vocab.json must be a tokenizer, got a place"),
    ({"vocab__json": BYTE_PAIRS, "merges__txt": "x y"}, "vocab.json must be a tokenizer, got"),
    ({"vocab__txt": "a", "tokenizer_config__json": "{"}, "vocab.txt must be a tokenizer"),
    ({"vocab__txt": "a", "tokenizer_config__json": [3]}, "vocab.txt must be a tokenizer"),
]


@pytest.mark.parametrize(("files", "said"), BROKEN)
def test_a_file_that_is_no_tokenizer_is_told(
    tmp_path: Path, files: dict[str, Any], said: str
) -> None:
    with pytest.raises(FileError) as caught:
        tokenizer_of(beside(tmp_path, **files)).read("a")
    assert str(caught.value).startswith(said)
    assert caught.value.way_out == "Take the file that came with the model."


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes(b"\xff\xfe\x00")
    check_refused(
        lambda: tokenizer_of(beside(tmp_path)),
        FileError("vocab.txt", "must be text in UTF-8", "other bytes", "Check the file."),
    )


def test_a_text_of_which_nothing_is_left_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="must have at least one token"):
        tokenizer_of(beside(tmp_path, tokenizer__json=OF_A_JSON)).read("  ")
