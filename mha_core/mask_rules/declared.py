"""What a rule of a mask is: everything about it is told once, and all read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from mha_core.checks.shapes import BoolArray
from mha_core.language import say

First = Callable[[int, int], Any]  # of the numbers of queries and keys


@dataclass(frozen=True)
class Counted:
    """A number of tokens. A new rule begins with `first`, which may depend on the sizes."""

    name: str
    label: str
    first: int | First
    least: int = 0


@dataclass(frozen=True)
class Keys:
    """Some of the keys."""

    name: str
    label: str
    first: First


@dataclass(frozen=True)
class Documents:
    """The number of the document of each key, or of each query where these are other tokens."""

    name: str
    label: str
    first: First
    of_queries: bool = False


@dataclass(frozen=True)
class Alignment:
    """Whether the queries stand at the last keys or at the first."""

    name: str = "align"
    label: str = say("Queries stand at")


ALIGN: Final = Alignment()
RuleOption = Counted | Keys | Documents | Alignment


@dataclass(frozen=True)
class MaskRule:
    """A rule by its function, with its title and what it does.

    >>> from mha_core.mask_rules.causal import RULE
    >>> RULE.name, RULE.title, RULE.meaning
    ('causal', 'Causal', 'No query sees a key after its own place.')
    """

    function: Callable[..., BoolArray]
    order: int  # its place among the others
    options: tuple[RuleOption, ...] = ()
    is_often_used: bool = False  # so it is offered at first
    words: str = ""  # "Title: what it does."; if left out, the docstring begins so

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def title(self) -> str:
        return (self.words or self.function.__doc__ or self.name).partition(": ")[0].strip()

    @property
    def meaning(self) -> str:
        words = self.words or self.function.__doc__ or ""
        meaning = words.partition("\n")[0].partition(": ")[2]
        return meaning[:1].upper() + meaning[1:]

    def first_options(self, n_q: int, n_k: int) -> dict[str, Any]:
        """Options that show at this size what the rule does, without those that may be left out."""
        first = {
            option.name: option.first if isinstance(option.first, int) else option.first(n_q, n_k)
            for option in self.options
            if not isinstance(option, Alignment)
        }
        return {name: value for name, value in first.items() if value is not None}

    def named(self, kind: type[RuleOption]) -> frozenset[str]:
        """The names of its options of this kind."""
        return frozenset(option.name for option in self.options if isinstance(option, kind))
