"""Texts as models read them, with labels that people can read."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from mha_core.checks.errors import OptionError
from mha_core.models.text import BYTES, Ids, Text, Words, check_ids, cut_label, readable, text_of
from tests.core.refusals import check_refused


def test_a_text_can_be_cut() -> None:
    text = Text((1, 2, 3), ("a", "##b", "c"), (0, 0, 1))
    assert len(text) == 3
    assert text.cut(2) == Text((1, 2), ("a", "##b"), (0, 0))


@pytest.mark.parametrize("written", ["5 17 2", "[5, 17, 2]", "5,17\n2"])
def test_without_a_tokenizer_ids_are_typed(written: str) -> None:
    assert Ids().read(written) == Text((5, 17, 2), ("5", "17", "2"), (0, 1, 2))


@pytest.mark.parametrize("written", ["five", "", "-1", "²", "9" * 10])
def test_what_is_no_id_is_refused(written: str) -> None:
    check_refused(
        lambda: Ids().read(written),
        OptionError(
            "The text",
            "must be the ids of tokens, as this model came without its tokenizer",
            repr(written),
            "Write 5 17 2, or put its tokenizer.json beside the file.",
        ),
    )


def test_characters_are_read_one_by_one() -> None:
    places = {"<pad>": 0, "1": 1, "2": 2, "+": 3, " ": 4}
    words = Words(places, are_characters=True)
    assert words.read("1+2").ids == (1, 3, 2)
    assert words.read("1 2").tokens == ("1", "␣", "2")
    without_blank = {"1": 1, "2": 2}
    assert Words(without_blank, are_characters=True).read("1 2").ids == (1, 2)


def test_signs_are_words_of_their_own() -> None:
    words = Words({"the": 0, "cat": 1, ".": 2, "[UNK]": 3})
    assert words.read("The cat, sat.").ids == (0, 1, 3, 3, 2)
    assert words.label(9) == "9"


def test_a_list_says_what_it_can_write() -> None:
    words = Words({"the": 0, "cat": 1, ".": 2, "[UNK]": 3, "<s>": 4})
    assert words.writes("The cat.")
    assert not words.writes("The dog.")
    assert not words.writes(" ")
    assert words.listed() == ["the", "cat", "."]
    assert Ids().writes("7 5")
    assert not Ids().writes("The cat.")
    assert Ids().listed()
    assert all(map(Ids().writes, Ids().listed()))


def test_a_text_without_words_is_refused() -> None:
    check_refused(
        lambda: Words({"a": 0, "the": 1}).read(" "),
        OptionError("The text", "must have at least one token", "''", "Type a sentence."),
    )


@pytest.mark.parametrize(
    ("pieces", "words", "labels", "numbers"),
    [
        (
            ["[CLS]", "un", "##bel", "[SEP]"],
            [None, 0, 0, None],
            "[CLS] un ##bel [SEP]",
            (0, 1, 1, 2),
        ),
        (["▁the", "▁c", "at", "."], [0, 0, 0, 0], "the c ##at .", (0, 1, 1, 2)),
        (["The", "Ġcat", "'s", "Ġ"], [0, 1, 2, 3], "The cat 's ␣", (0, 1, 2, 3)),
        (["a", "b"], [0, 1], "a b", (0, 1)),
        (["Ċ", "a", "Ã©", "Ã"], [0, 0, 0, 0], "↵ a ##é ##Ã", (0, 1, 1, 1)),
    ],
)
def test_labels_say_which_tokens_go_on_with_a_word(
    pieces: list[str], words: list[int | None], labels: str, numbers: tuple[int, ...]
) -> None:
    text = text_of(pieces, range(len(pieces)), words)
    assert text.tokens == tuple(labels.split())
    assert text.words == numbers


def test_bytes_are_all_letters_of_their_own() -> None:
    assert sorted(BYTES.values()) == list(range(256))


@given(st.text(min_size=1).filter(lambda text: "▁" not in text and not text.isspace()))
def test_what_was_written_in_bytes_is_read_again(text: str) -> None:
    letters = {byte: letter for letter, byte in BYTES.items()}
    written = "".join(letters[byte] for byte in text.encode())
    assert readable(written) in (text.strip(" "), written)


def test_a_long_label_is_cut() -> None:
    assert cut_label("a" * 200) == "a" * 200
    assert cut_label("a" * 201) == "a" * 199 + "…"


def test_ids_become_plain_numbers() -> None:
    assert check_ids([1, 0], 2) == (1, 0)
