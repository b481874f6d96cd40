"""A puzzle whose job is a Python function: in a notebook, never on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mha_core.puzzles.own.asked import Asked, Wanted
from mha_core.puzzles.own.own_puzzle import OwnPuzzle
from mha_core.puzzles.sentences import some_sentences

Wants = Callable[[tuple[str, ...]], Sequence[Any]]


def own_puzzle(
    wanted: Wants,
    *,
    title: str,
    job: str,
    words: Iterable[str],
    seen: Iterable[str],
    longest: int = 8,
    **others: Any,
) -> OwnPuzzle:
    """A puzzle that asks of each sentence what the function says, for each of its tokens.

    That is a key, counted from 0, or several; the word that comes next; or None. The function is
    called for the sentences that are seen, and for up to 40 others, which are checked too; what it
    says is kept. `others` are more fields of an OwnPuzzle.

    >>> made = own_puzzle(
    ...     lambda tokens: [None, *range(len(tokens) - 1)],
    ...     title="The one before",
    ...     job="Each token looks at the one before it.",
    ...     words="ab",
    ...     seen=["a b a"],
    ...     longest=4,
    ... )
    >>> made.seen[0].wanted, len(made.hidden)
    ((None, (0,), (1,)), 27)
    """
    of_words = tuple(words)
    shown = tuple(_asked(wanted, tuple(sentence.split())) for sentence in seen)
    others.setdefault("hidden", _hidden(wanted, shown, some_sentences(of_words, longest)))
    return OwnPuzzle(title=title, job=job, words=of_words, seen=shown, longest=longest, **others)


def _hidden(
    wanted: Wants, shown: tuple[Asked, ...], sentences: Iterable[tuple[str, ...]]
) -> tuple[Asked, ...]:
    """Of other sentences, those that something is wanted of."""
    known = {each.tokens for each in shown}
    asked = (_asked(wanted, tokens) for tokens in sentences if tokens not in known)
    return tuple(each for each in asked if any(want is not None for want in each.wanted))


def _asked(wanted: Wants, tokens: tuple[str, ...]) -> Asked:
    return Asked(tokens, tuple(map(_plain, wanted(tokens))))


def _plain(wanted: Any) -> Wanted:
    """A key may be any whole number, such as one of NumPy; several may be in any collection."""
    if wanted is None or isinstance(wanted, str):
        return wanted
    keys = wanted if isinstance(wanted, Iterable) else [wanted]
    return tuple(sorted(int(key) for key in keys))
