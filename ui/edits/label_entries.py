"""What a person does to a label in a picture: rename, add, remove, move it, or switch it off.

A label stands for a token, with its row of X and all else that belongs to it, for a column of X, or
for a head.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mha_core.changing.changes import with_changes, with_heads_off
from mha_core.changing.reordering import (
    COLUMNS_OF,
    ROWS_OF,
    with_column_added,
    with_column_moved,
    with_column_removed,
    with_head_moved,
    with_token_added,
    with_token_moved,
    with_token_removed,
)
from mha_core.changing.sizes_taken_along import sizes_for_context, sizes_for_input
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.values import check_limit
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from ui.edits.new_names import new_names


@dataclass(frozen=True)
class LabelEntry:
    """An act on the label at a place of a source, counted from 0.

    `source` is tokens, context_tokens, d_model, d_model_kv, d_model_v or heads. `text` is the new
    name. `to` is where a label is moved; one that is added gets the place itself. `matrix` is where
    the person did it.

    >>> from mha_core.examples import load_example
    >>> LabelEntry("x", "tokens", 0, "move", to=1).put(load_example("pizza")).tokens
    ('LOVE', 'I', 'PEPPERONI', 'PIZZA')
    """

    matrix: str
    source: str
    place: int
    act: str
    text: str = ""
    to: int = 0

    @property
    def is_rename(self) -> bool:
        return self.act == "rename"

    def labels(self, s: Scenario) -> tuple[str, ...]:
        """All labels of the source; none if the scenario has no such source."""
        is_of_context = self.source in ("context_tokens", "d_model_kv")
        if is_of_context and s.context is None:
            return ()
        if self.source == "d_model_v" and s.context_v is None:
            return ()
        if self.source in ROWS_OF:
            tokens: tuple[str, ...] = getattr(s, self.source)
            return tokens
        if self.source in COLUMNS_OF:
            return tuple(str(i + 1) for i in range(s.sizes[self.source]))
        if self.source == "heads":
            return tuple(say("Head {head}").format(head=i + 1) for i in range(s.n_heads))
        return ()

    def is_there(self, s: Scenario) -> bool:
        """Whether the scenario has the label: another control may have taken it away."""
        count = len(self.labels(s))
        places = range(count + 1 if self.act == "add" and count else count)
        return self.place in places and self.to in places

    def has_array(self, s: Scenario) -> bool:
        """Whether the scenario has such labels, even if this one has gone."""
        return bool(self.labels(s))

    def present(self, s: Scenario) -> object:
        """What the label says, or the labels that stand beside each other."""
        return self.labels(s)[self.place] if self.is_rename else self.labels(s)

    def put(self, s: Scenario) -> Scenario:
        """The scenario after the act."""
        acts = ACTS.get(self.source, {})
        if not self.is_there(s) or self.act not in acts:
            raise ShapeError(
                say("The labels"),
                say("must still have the one that was edited"),
                say("an entry for number {number} of {labels}, which has gone").format(
                    number=self.place + 1, labels=self.source
                ),
                say("Another change has taken it away. Look at the picture again."),
            )
        return acts[self.act](s, self)


def _renamed(s: Scenario, entry: LabelEntry) -> Scenario:
    """Another word for a token. What a recipe makes of the words follows, as if all were typed."""
    name = entry.text.strip()
    if not name:
        way_out = say("Type a word, or remove it.")
        raise OptionError(say("A token"), say("must have a name"), say("nothing"), way_out)
    labels = entry.labels(s)
    words = (*labels[: entry.place], name, *labels[entry.place + 1 :])
    if entry.source == "tokens":
        return with_changes(s, tokens=words, sizes=sizes_for_input(s, s.origin.x, words))
    return with_changes(s, context_tokens=words, sizes=sizes_for_context(s, words))


def _token_added(s: Scenario, entry: LabelEntry) -> Scenario:
    """One more token, whose name no other has."""
    labels = entry.labels(s)
    check_limit(
        say("The number of tokens on this page"),
        len(labels) + 1,
        PAGE_LIMITS.tokens,
        say("Remove one."),
    )
    (name,) = new_names(entry.source, labels, 1)
    return with_token_added(s, entry.source, entry.place, name)


def _column_added(s: Scenario, entry: LabelEntry) -> Scenario:
    count = len(entry.labels(s)) + 1
    check_limit(
        say("{width} on this page").format(width=entry.source),
        count,
        PAGE_LIMITS.width,
        say("Remove a column."),
    )
    return with_column_added(s, entry.source, entry.place)


Act = Callable[[Scenario, LabelEntry], Scenario]
TOKEN_ACTS: Final[Mapping[str, Act]] = {
    "rename": _renamed,
    "add": _token_added,
    "remove": lambda s, entry: with_token_removed(s, entry.source, entry.place),
    "move": lambda s, entry: with_token_moved(s, entry.source, entry.place, entry.to),
}
COLUMN_ACTS: Final[Mapping[str, Act]] = {
    "add": _column_added,
    "remove": lambda s, entry: with_column_removed(s, entry.source, entry.place),
    "move": lambda s, entry: with_column_moved(s, entry.source, entry.place, entry.to),
}
HEAD_ACTS: Final[Mapping[str, Act]] = {
    "move": lambda s, entry: with_head_moved(s, entry.place, entry.to),
    # Off or on again: what the browser shows may be behind what it has sent.
    "switch": lambda s, entry: with_heads_off(s, s.heads_off ^ {entry.place}),
}
ACTS: Final[Mapping[str, Mapping[str, Act]]] = {
    **dict.fromkeys(ROWS_OF, TOKEN_ACTS),
    **dict.fromkeys(COLUMNS_OF, COLUMN_ACTS),
    "heads": HEAD_ACTS,
}
