"""The mask: which rules hide keys, and the options of each rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mha_core.changing.rules import RulePlace, options_of, rule_places, with_rule_option, with_rules
from mha_core.language import say
from mha_core.mask_rules.declared import Alignment, Counted, Documents, Keys, RuleOption
from mha_core.mask_rules.registry import RULES
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario
from ui.controls.form import (
    Field,
    Item,
    Section,
    Title,
    one_of,
    press,
    said,
    some_of,
    text,
    tick,
    whole_number,
)
from ui.edits import entries
from ui.edits.editable_array import Editable
from ui.figures.board import short_label
from ui.state import Session

OFTEN_USED: Final = tuple(name for name, rule in RULES.items() if rule.is_often_used)
RARE: Final = tuple(name for name in RULES if name not in OFTEN_USED)
SAME_DOCUMENT: Final = say(
    "A number for each token, such as 1 1 2. "
    "Tokens with the same number belong to the same document."
)


def mask_section(session: Session) -> Section:
    s = session.scenario
    on = rules_on(s)
    offered = [*OFTEN_USED, *(name for name in on if name in RARE)]
    often: list[Item] = [
        some_of(
            "rules",
            say("Rules"),
            {name: RULES[name].title for name in offered},
            on,
            lambda s, names: _with_rules(s, offered, names),
            help=say("A key is visible if every rule allows it."),
        )
    ]
    for place, rule in zip(rule_places(s), s.mask.rules, strict=True):
        often += _options(s, rule, place)
    for sentence in _what_it_hides(session):
        often += said(sentence)
    if s.mask.custom is not None:
        often.append(_clear(say("Clear the drawn mask"), Editable("mask.custom")))
    if s.mask.additive is not None:
        often.append(_clear(say("Clear the additive mask"), Editable("mask.additive")))
    return Section("mask", say("Mask"), often, [_rare_rule(name, name in on) for name in RARE])


def rules_on(s: Scenario) -> list[str]:
    """The names of the rules that the mask has, each once."""
    return list(dict.fromkeys(rule.name for rule in s.mask.rules))


def token_labels(tokens: Sequence[str]) -> list[str]:
    """A name to pick each token by: its label, with its place where two look alike.

    >>> token_labels(["SO", "SO", "GOOD"])
    ['1 SO', '2 SO', '3 GOOD']
    """
    labels = [short_label(" ".join(token.split())) for token in tokens]
    if all(labels) and len(set(labels)) == len(labels):
        return labels
    return [f"{place} {label}".strip() for place, label in enumerate(labels, start=1)]


def _rare_rule(name: str, is_on: bool) -> Field:
    """A box to tick for a rule that is seldom used, with what it does."""

    def switch(s: Scenario, is_on: bool) -> Scenario:
        return _with_rules(s, [name], [name] if is_on else [])

    return tick(f"rule {name}", RULES[name].title, is_on, switch, says=RULES[name].meaning)


def _with_rules(s: Scenario, offered: Sequence[str], chosen: Sequence[str]) -> Scenario:
    """Set the chosen rules among those that a control offers. The others stay as they are."""
    others = [name for name in rules_on(s) if name not in offered]
    return with_rules(s, [*others, *chosen])


def _what_it_hides(session: Session) -> Sequence[str]:
    """The notes on the mask and on queries that see nothing; they come first of all notes."""
    trace, mask = session.trace, session.scenario.mask
    if mask.hides_nothing:
        return [
            say("Hides nothing.")
            if mask.additive is None
            else say("Hides nothing; it adds to the scores.")
        ]
    notes = session.make_once_for_all("notes", lambda: setting_notes(trace))
    return notes[: 2 if trace.blind_queries.any() else 1]


def _clear(label: str, part: Editable) -> Field:
    """A button that takes away one of the two matrices of the mask."""
    return press(f"clear {part.name}", label, part.left_out)


def _options(s: Scenario, rule: Rule, at: RulePlace) -> Sequence[Item]:
    """The fields of one rule's options, where it has any."""
    key = f"{at.name} {at.number + 1}" if at.number else at.name
    is_alone = s.context is None
    fields = [
        _option(s, f"{key} {option.name}", at, option, options_of(rule)[option.name])
        for option in RULES[rule.name].options
        if not (is_alone and _is_only_across(option) and option.name not in rule.options)
    ]
    return [Title(RULES[rule.name].title), *fields] if fields else []


def _is_only_across(option: RuleOption) -> bool:
    """Whether it matters only if queries and keys come from different tokens."""
    return isinstance(option, Alignment) or (isinstance(option, Documents) and option.of_queries)


def _option(s: Scenario, key: str, at: RulePlace, option: RuleOption, value: Any) -> Field:
    """The field of one option."""
    label = option.label

    def change(s: Scenario, value: Any) -> Scenario:
        return with_rule_option(s, at, option.name, value)

    match option:
        case Keys():
            labels = dict(enumerate(token_labels(s.key_tokens)))
            return some_of(key, label, labels, value, lambda s, chosen: change(s, sorted(chosen)))
        case Documents():
            label = say("Document of each token") if s.context is None else label
            numbers = " ".join(map(str, value))

            def enter(s: Scenario, typed: str) -> Scenario:
                return change(s, entries.whole_numbers(typed))

            return text(key, label, numbers, enter, help=SAME_DOCUMENT)
        case Alignment():
            where = {"end": say("The last keys"), "start": say("The first keys")}
            return one_of(key, label, where, value, change)
        case Counted():
            called = f"{at.name}'s {option.name}"
            return whole_number(key, label, value, change, called=called)
