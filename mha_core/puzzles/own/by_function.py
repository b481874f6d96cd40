"""A puzzle whose job is a Python function: in a notebook, never on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from mha_core.checks.errors import OptionError
from mha_core.checks.values import is_whole, short_repr
from mha_core.language import say
from mha_core.puzzles.own.asked import Asked, Wanted
from mha_core.puzzles.own.own_puzzle import OwnPuzzle
from mha_core.puzzles.sentences import some_sentences

Wants = Callable[[tuple[str, ...]], Sequence[Any]]
WANTED: Final = say("Return a list such as [None, 0, (0, 1)]: keys are counted from 0.")


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
    shown = tuple(_asked(wanted, tuple(sentence.split())) for sentence in seen)
    made = OwnPuzzle(
        title=title, job=job, words=tuple(words), seen=shown, longest=longest, **others
    )
    return made if "hidden" in others else replace(made, hidden=_hidden(wanted, made))


def _hidden(wanted: Wants, made: OwnPuzzle) -> tuple[Asked, ...]:
    """Of other sentences, those that something is wanted of."""
    known = {each.tokens for each in made.seen}
    sentences = some_sentences(made.words, made.longest)
    asked = (_asked(wanted, tokens) for tokens in sentences if tokens not in known)
    return tuple(each for each in asked if any(want is not None for want in each.wanted))


def _asked(wanted: Wants, tokens: tuple[str, ...]) -> Asked:
    said: object = wanted(tokens)
    if not isinstance(said, Iterable):
        need = say("must be a list, with one thing for each token")
        raise OptionError(_what_is_said_of(tokens), need, short_repr(said), WANTED)
    return Asked(tokens, tuple(_plain(tokens, each) for each in said))


def _plain(tokens: tuple[str, ...], wanted: Any) -> Wanted:
    """A key may be any whole number, such as one of NumPy; several may be in any collection."""
    if wanted is None or isinstance(wanted, str):
        return wanted
    keys = tuple(wanted) if isinstance(wanted, Iterable) else (wanted,)
    if not all(map(is_whole, keys)):
        need = say("must be, for each token, a key, several of them, a word or None")
        raise OptionError(_what_is_said_of(tokens), need, short_repr(wanted), WANTED)
    return tuple(sorted(int(key) for key in keys))


def _what_is_said_of(tokens: tuple[str, ...]) -> str:
    return say("What the function says of “{sentence}”").format(sentence=" ".join(tokens)[:40])
