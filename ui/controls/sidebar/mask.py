"""The mask: which rules hide keys, and the options of each rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from mha_core.changing.rules import (
    RulePlace,
    options_of,
    rule_places,
    with_rule_option,
    with_rules,
)
from mha_core.reading.sentences import setting_notes
from mha_core.scenario.mask_functions import MASKS
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

# A rule's name and what it does, as the docstring of its function begins: "Causal: nobody ..."
WORDS: Final = {
    name: (mask.__doc__ or "").partition("\n")[0].partition(": ") for name, mask in MASKS.items()
}
TITLES: Final = {name: title for name, (title, _, _) in WORDS.items()}
MEANINGS: Final = {
    name: meaning[:1].upper() + meaning[1:] for name, (_, _, meaning) in WORDS.items()
}

OFTEN_USED: Final = ("causal", "sliding_window")
RARE: Final = tuple(name for name in MASKS if name not in OFTEN_USED)

# The options of the rules, by the kind of control that each needs.
COUNTED: Final = {
    "left": "Keys before",
    "right": "Keys after",
    "prefix": "Keys open to all",
    "stride": "Stride",
}
TICKED: Final = {"hidden": "Hidden tokens", "global_tokens": "Global tokens"}
LISTED: Final = {"segments": "Document of each key", "query_segments": "Document of each query"}
SAME_DOCUMENT: Final = (
    "A number for each token, such as 1 1 2. "
    "Tokens with the same number belong to the same document."
)
ONLY_ACROSS: Final = ("query_segments", "align")  # where queries are not the keys' own tokens


def mask_section(session: Session) -> Section:
    s = session.scenario
    on = rules_on(s)
    offered = [*OFTEN_USED, *(name for name in on if name in RARE)]
    often: list[Item] = [
        some_of(
            "rules",
            "Rules",
            {name: TITLES[name] for name in offered},
            on,
            lambda s, names: _with_rules(s, offered, names),
            help="A key is visible if every rule allows it.",
        )
    ]
    for place, rule in zip(rule_places(s), s.mask.rules, strict=True):
        often += _options(s, rule, place)
    for sentence in _what_it_hides(session):
        often += said(sentence)
    if s.mask.custom is not None:
        often.append(_clear("Clear the drawn mask", Editable("mask.custom")))
    if s.mask.additive is not None:
        often.append(_clear("Clear the additive mask", Editable("mask.additive")))
    return Section("mask", "Mask", often, [_rare_rule(name, name in on) for name in RARE])


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

    return tick(f"rule {name}", TITLES[name], is_on, switch, says=MEANINGS[name])


def _with_rules(s: Scenario, offered: Sequence[str], chosen: Sequence[str]) -> Scenario:
    """Of the rules that a control offers those that were chosen; the others stay as they are."""
    others = [name for name in rules_on(s) if name not in offered]
    return with_rules(s, [*others, *chosen])


def _what_it_hides(session: Session) -> Sequence[str]:
    """The notes on the mask and on queries that see nothing; they come first of all notes."""
    trace, mask = session.trace, session.scenario.mask
    if mask.hides_nothing:
        return ["Hides nothing." if mask.additive is None else "Hides nothing, but adds to scores."]
    notes = session.make_once("notes", lambda: setting_notes(trace))
    return notes[: 2 if trace.blind_queries.any() else 1]


def _clear(label: str, part: Editable) -> Field:
    """A button that takes away one of the two matrices of the mask."""
    return press(f"clear {part.name}", label, part.left_out)


def _options(s: Scenario, rule: Rule, at: RulePlace) -> Sequence[Item]:
    """The fields of one rule's options, where it has any."""
    key = f"{at.name} {at.number + 1}" if at.number else at.name
    is_alone = s.context is None
    options = {
        name: value
        for name, value in options_of(rule).items()
        if not (is_alone and name in ONLY_ACROSS and name not in rule.options)
    }
    fields = [_option(s, f"{key} {name}", at, name, value) for name, value in options.items()]
    return [Title(TITLES[rule.name]), *fields] if fields else []


def _option(s: Scenario, key: str, at: RulePlace, name: str, value: Any) -> Field:
    """The field of one option. One that no table above names gets it by the type of its value."""
    label = name.replace("_", " ").capitalize()
    match value:
        case _ if name in TICKED:
            return _tokens(s, TICKED[name], value, key, _change(at, name))
        case _ if name in LISTED:
            label = "Document of each token" if s.context is None else LISTED[name]
            return _list(label, value, key, _change_list(at, name), SAME_DOCUMENT)
        case _ if name == "align":
            where = {"end": "The last keys", "start": "The first keys"}
            return one_of(key, "Queries stand at", where, value, _change(at, name))
        case int():
            called = f"{at.name}'s {name}"
            change = _change(at, name)
            return whole_number(key, COUNTED.get(name, label), value, change, called=called)
        case str():
            return text(key, label, value, _change(at, name))
        case _:
            return _list(label, value or (), key, _change_list(at, name))


def _tokens(
    s: Scenario,
    label: str,
    ticked: Sequence[int],
    key: str,
    change: Callable[[Scenario, Any], Scenario],
) -> Field:
    """Tokens to tick."""
    labels = dict(enumerate(token_labels(s.key_tokens)))
    return some_of(key, label, labels, ticked, lambda s, chosen: change(s, sorted(chosen)))


def _list(
    label: str,
    numbers: Sequence[int],
    key: str,
    change: Callable[[Scenario, str], Scenario],
    help: str = "",
) -> Field:
    """Whole numbers, as text."""
    return text(key, label, " ".join(map(str, numbers)), change, help=help)


def _change(at: RulePlace, option: str) -> Callable[[Scenario, Any], Scenario]:
    return lambda s, value: with_rule_option(s, at, option, value)


def _change_list(at: RulePlace, option: str) -> Callable[[Scenario, str], Scenario]:
    return lambda s, text: with_rule_option(s, at, option, entries.whole_numbers(text))
