"""Tokens, heads and numbers as sentences name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say, say_number
from mha_core.layer.trace import Trace

ROUNDING: Final = 1e-6  # a share this near to 1 counts as 1
MOST_NAMED: Final = 3  # more tokens than this are counted, not listed


def heads_in_words(heads: Sequence[int], n_heads: int) -> str:
    if len(heads) > MOST_NAMED:
        return say("{count} of {all} heads").format(count=len(heads), all=n_heads)
    numbers = listed(str(head + 1) for head in heads)
    return say_number("head {heads}", "heads {heads}", len(heads)).format(heads=numbers)


def quoted_query(trace: Trace, query: int) -> str:
    return quoted_in_its_place(trace.scenario.tokens, query)


def quoted_key(trace: Trace, key: int) -> str:
    return quoted_in_its_place(trace.scenario.key_tokens, key)


def quoted_in_its_place(labels: Sequence[str], index: int) -> str:
    """The label of a token in quotation marks; with its place, if another token has the same."""
    quoted = quoted_label(labels, index)
    is_told = labels.count(labels[index]) == 1 or not labels[index].strip()
    return quoted if is_told else f"{quoted} ({index + 1})"


def quoted_label(labels: Sequence[str], index: int) -> str:
    """The label of a token as it was given; its place, if the label is blank."""
    label = labels[index]
    if label.strip():
        return say("“{token}”").format(token=label)
    return say("token {place}").format(place=index % len(labels) + 1)


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them: A, B and C."""
    *others, last = names
    if not others:
        return last
    return say("{names} and {last}").format(names=", ".join(others), last=last)


def share_in_words(share: float, digits: int = 2) -> str:
    """A part of 1. Less than all is never written as 1, and more than nothing never as 0."""
    least = 10.0**-digits
    if 1 - least / 2 < share < 1 - ROUNDING:
        return say("over {share}").format(share=f"{1 - least:.{digits}f}")
    if 0 < share < least / 2:
        return say("under {share}").format(share=f"{least:.{digits}f}")
    return f"{share:.{digits}f}"


def range_in_words(shares: FloatArray) -> str:
    least, most = share_in_words(shares.min()), share_in_words(shares.max())
    if least == most:
        return say("{share} each").format(share=least)
    return say("{least} to {most}").format(least=least, most=most)


def score_in_words(score: float) -> str:
    """A score with three digits: 2.83, 16.0, 1000; or a power of ten: 2.5e+09."""
    size = abs(score)
    if size and not 0.01 <= size < 1e6:
        text = f"{score:.1e}"
    else:
        text = f"{score:.{2 if size < 9.995 else 1 if size < 99.95 else 0}f}"
    return text.replace("-", "\N{MINUS SIGN}")
