r"""Tokens as a line of text, and back. A text field can read again what it shows.

    I LOVE PIZZA              three tokens
    "New York" is big         three tokens, the first with a blank inside

Blanks separate tokens. A token with a blank inside, or an empty one, is in double quotes. Inside
quotes the backslash has its meaning of JSON: `\"` is a quote, `\n` a new line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.values import check_tokens
from mha_core.language import say

_WORD: Final = re.compile(r"\S+")
_UNSEEN: Final = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # a text field drops some
_QUOTED: Final = json.JSONDecoder(strict=False)  # a tab that is typed inside quotes is a tab
_LONGEST_QUOTED: Final = 6 * LIMITS.label_chars + 2  # each sign as \u1234


def write_tokens(tokens: Sequence[str]) -> str:
    """Tokens as a person would type them; `read_tokens` gives the same tokens back.

    >>> write_tokens(["I", "LOVE", "New York"])
    'I LOVE "New York"'
    """
    return " ".join(_write_token(token) for token in tokens)


def read_tokens(text: str) -> tuple[str, ...]:
    r"""The tokens of a typed text, at least one. A quote that is not closed is a plain sign.

    >>> read_tokens('I  LOVE "New York"')
    ('I', 'LOVE', 'New York')
    >>> read_tokens('he said 5" and "so')
    ('he', 'said', '5"', 'and', '"so')
    """
    check_size(say("The text"), len(text), LIMITS.text_chars, say("Paste a part of it."))
    return check_tokens(_split(text))


def _split(text: str) -> list[str]:
    """The tokens of a text; of a text with too many, one more than allowed."""
    tokens: list[str] = []
    word = _WORD.search(text)
    while word and len(tokens) <= LIMITS.tokens:
        token, end = _token_at(text, word)
        tokens.append(token)
        word = _WORD.search(text, end)
    return tokens


def _token_at(text: str, word: re.Match[str]) -> tuple[str, int]:
    """The token that begins with this word, and where it ends: at the next blank."""
    if not word[0].startswith('"'):
        return word[0], word.end()
    start = word.start()
    try:
        quoted, length = _QUOTED.raw_decode(text[start : start + _LONGEST_QUOTED])
    except ValueError:  # not closed, or with a backslash that has no meaning
        return word[0], word.end()
    rest = _WORD.match(text, start + length)  # "New York"er
    return (quoted + rest[0], rest.end()) if rest else (quoted, start + length)


def _write_token(token: str) -> str:
    is_one_word = _WORD.fullmatch(token) and not _UNSEEN.search(token)
    if is_one_word and not token.startswith('"'):
        return token
    quoted = json.dumps(token, ensure_ascii=False)
    return _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)
