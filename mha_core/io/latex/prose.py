"""Sentences as LaTeX. They may hold anybody's labels, and break into lines whatever these are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mha_core.io.latex.widths import shortened
from mha_core.io.latex.words import escaped
from mha_core.reading.words import listed

MOST_LISTED: Final = 12  # tokens that a sentence names
WIDEST_WORD: Final = 110.0  # points; LaTeX breaks no line within a word that it does not know
# Symbols in sentences of the package, which are set as in formulas.
_SYMBOL: Final = re.compile(r"1/sqrt\(d_k\)|\b(?:d_[kv]|[Wb]_[QKVO])\b")


def prose(sentence: str) -> str:
    r"""A sentence of the package, with its symbols as in formulas.

    >>> print(prose("Head i owns d_k columns: 50 %"))
    Head i owns $d_k$ columns: 50 \%
    """
    return " ".join(map(_word, sentence.split()))


def tokens_in_words(labels: Sequence[str]) -> str:
    r"""Labels as a sentence lists them; if there are many, the first ones.

    >>> print(tokens_in_words(["I", "LOVE", "50%"]))
    I, LOVE and 50\%
    """
    named = [escaped(shortened(label, WIDEST_WORD)) for label in labels[:MOST_LISTED]]
    if more := len(labels) - len(named):
        named.append(f"{more} more")
    return listed(named)


def counted(count: int, thing: str) -> str:
    """A number of things in words.

    >>> counted(1, "head"), counted(2, "query"), counted(3, "key")
    ('1 head', '2 queries', '3 keys')
    """
    if count == 1:
        return f"1 {thing}"
    return f"{count} queries" if thing == "query" else f"{count} {thing}s"


def _word(word: str) -> str:
    symbol = _SYMBOL.search(word)
    if symbol is None:
        return escaped(shortened(word, WIDEST_WORD))
    before, after = word[: symbol.start()], word[symbol.end() :]
    latex = symbol[0].replace("sqrt(d_k)", r"\sqrt{d_k}")
    return f"{escaped(before)}${latex}${escaped(after)}"
