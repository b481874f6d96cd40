"""What the field for tokens shows is what it reads back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import LimitError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.examples import EXAMPLES, load_example
from mha_core.making.inputs import tokenize
from ui.edits.token_text import read_tokens, write_tokens

SIGNS = st.sampled_from(['"', "\\", " ", "a", "é", "\n", "\t", "\r", "\xa0", "\u2028", "\x85", "u"])
LABELS = st.text(SIGNS, max_size=8) | st.text(max_size=LIMITS.label_chars)


@given(st.lists(LABELS, min_size=1, max_size=8))
def test_labels_of_any_signs_are_read_back_as_they_were(labels: list[str]) -> None:
    text = write_tokens(labels)
    assert read_tokens(text) == tuple(labels)
    assert not set("\n\r\x85\u2028\x00") & set(text)  # which a field of one line cannot hold


@given(st.lists(LABELS, min_size=1, max_size=8))
def test_what_is_written_is_written_the_same_again(labels: list[str]) -> None:
    text = write_tokens(labels)
    assert write_tokens(read_tokens(text)) == text


@given(st.text(st.characters(exclude_characters='"'), min_size=1))
def test_without_quotes_blanks_stand_between_tokens(text: str) -> None:
    if text.split():
        assert read_tokens(text) == tokenize(text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_tokens_of_every_example_are_read_back(name: str) -> None:
    s = load_example(name)
    assert read_tokens(write_tokens(s.tokens)) == s.tokens
    if s.context_tokens:
        assert read_tokens(write_tokens(s.context_tokens)) == s.context_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ('"New York" is big', ("New York", "is", "big")),
        ('""', ("",)),
        (r'"say \"hi\"" now', ('say "hi"', "now")),
        ('a"b c"d', ('a"b', 'c"d')),
        ('"Stop", he said', ("Stop,", "he", "said")),
        ('"token 8"x "', ("token 8x", '"')),
        ('"never closed', ('"never', "closed")),
        (r'"\q" x', (r'"\q"', "x")),
        ("“New York”", ("“New", "York”")),
    ],
)
def test_quotes_hold_a_token_together_where_they_open_and_close_it(
    text: str, tokens: tuple[str, ...]
) -> None:
    assert read_tokens(text) == tokens


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (("I", "LOVE"), "I LOVE"),
        (("token 1", "token 2"), '"token 1" "token 2"'),
        (('"Stop"', "he"), r'"\"Stop\"" he'),
        (('"a', 'b"'), r'"\"a" b"'),
        (("👨\u200d👩\u200d👧", "é"), "👨\u200d👩\u200d👧 é"),
        (("a\xa0b", ""), r'"a\u00a0b" ""'),
    ],
)
def test_quotes_are_written_only_where_they_are_needed(tokens: tuple[str, ...], text: str) -> None:
    assert write_tokens(tokens) == text


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(MhaError, match="must hold at least one word"):
        read_tokens(text)


@pytest.mark.parametrize("piece", ["a ", '"a" ', '"\\q ', '" ', '"\\" '])
def test_a_text_that_is_too_long_is_refused_soon(piece: str) -> None:
    text = piece * (LIMITS.text_chars // len(piece))
    begun = time.perf_counter()
    with pytest.raises(LimitError):
        read_tokens(text)
    assert time.perf_counter() - begun < 10  # a second at most; hours, if each sign is read again
    with pytest.raises(LimitError, match="The text must be at most"):
        read_tokens(text + " " * len(piece))
