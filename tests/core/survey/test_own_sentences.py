"""A person's own sentences come from lines, from text files and from tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import FileError, LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.survey.own_sentences import (
    LONGEST_TEXT,
    MOST_TEXTS,
    SENTENCE_FILE_TYPES,
    sentences_in,
    sentences_of,
)

TWO = ("The cat, which sat.", "A dog; it ran.")


def test_lines_are_sentences_and_empty_ones_are_none() -> None:
    found = sentences_of([" a b ", "", "  ", "c"])
    assert found.texts == ("a b", "c")
    assert found.says == ""


def test_what_is_too_many_or_too_long_is_said() -> None:
    long = "x" * (LONGEST_TEXT + 1)
    found = sentences_of([long, *["a"] * MOST_TEXTS])
    assert (len(found.texts), found.left_out, found.cut) == (500, 1, 1)
    assert found.says == "The first 500 of 501 sentences are read. 1 is cut after 4,000 characters."
    assert sentences_of([long, long]).says == "2 are cut after 4,000 characters."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_text_file_is_read_however_it_was_saved(encoding: str, end: str) -> None:
    assert sentences_in("own.TXT", end.join(["Ein Käse.", "Zwei."]).encode(encoding)).texts == (
        "Ein Käse.",
        "Zwei.",
    )


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_of_a_table_the_first_column_is_read(separator: str) -> None:
    rows = [["Sentence", "by"], *([f'"{text}"', "me"] for text in TWO), []]
    table = "\n".join(separator.join(row) for row in rows)
    assert sentences_in("own.csv", table.encode()).texts == TWO


def test_a_table_of_one_column_needs_no_title_and_a_cell_may_have_lines() -> None:
    assert sentences_in("own.csv", b'"One\ntwo."\nThree.').texts == ("One two.", "Three.")
    assert sentences_in("own.csv", b"\n\nOne.").texts == ("One.",)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b" \n ", "The file 'a.txt' must have a sentence in each line, got none."),
        ("a.csv", b"text\n", "must have a sentence in each line, got none."),
        ("a.csv", b"", "must have a sentence in each line, got none."),
        ("a.txt", b"a\xff", "must be text in UTF-8, got another byte at 2. Save it as UTF-8."),
        ("a.csv", b'"one', "must be a table whose quotation marks close"),
    ],
)
def test_what_is_none_is_refused_in_words(name: str, data: bytes, said: str) -> None:
    with pytest.raises(FileError) as caught:
        sentences_in(name, data)
    assert said in str(caught.value)


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(LimitError, match="must be at most 20 MB"):
        sentences_in("a.txt", bytes(LIMITS.text_chars + 1))


@given(st.sampled_from(SENTENCE_FILE_TYPES), st.binary(max_size=200))
def test_any_bytes_are_sentences_or_refused(ending: str, data: bytes) -> None:
    try:
        found = sentences_in(f"own{ending}", data)
    except MhaError:
        return
    assert all(text and len(text) <= LONGEST_TEXT for text in found.texts)
