"""The mask: which rules hide keys, and the options of each rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

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
from ui.controls.fields import show_refusal, whole_number
from ui.controls.markdown import plain
from ui.controls.sidebar.section import rare_options, section
from ui.edits import entries
from ui.edits.editable_array import Editable
from ui.figures.board import short_label
from ui.state import Session, bound, bound_choice

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
MOST_PILLS: Final = 24  # tokens to tick; more are picked from a list

# The options of the rules, by the kind of control that each needs.
COUNTED: Final = {
    "left": "Keys before",
    "right": "Keys after",
    "prefix": "Keys open to all",
    "stride": "Stride",
}
TICKED: Final = {"hidden": "Hidden tokens", "global_tokens": "Global tokens"}
LISTED: Final = {"segments": "Document of each key", "query_segments": "Document of each query"}
ONLY_ACROSS: Final = ("query_segments", "align")  # where queries are not the keys' own tokens


def mask_section(session: Session) -> None:
    more = section(session, 4, "Mask", "mask")
    if more is None:
        return
    rare_options(session, more, _rare_rules, *(f"rule {name}" for name in RARE))
    s = session.scenario
    on = rules_on(s)
    offered = [*OFTEN_USED, *(name for name in on if name in RARE)]
    st.pills(
        "Rules",
        offered,
        selection_mode="multi",
        format_func=TITLES.__getitem__,
        help="A key is visible if every rule allows it.",
        **bound_choice(session, "rules", on, lambda s, names: _with_rules(s, offered, names)),
    )
    show_refusal(session, "rules")
    for place, rule in zip(rule_places(s), s.mask.rules, strict=True):
        _options(session, rule, place)
    for sentence in _what_it_hides(session):
        st.caption(plain(sentence))
    if s.mask.custom is not None:
        _clear(session, "Clear the drawn mask", Editable("mask.custom"))
    if s.mask.additive is not None:
        _clear(session, "Clear the additive mask", Editable("mask.additive"))


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


def _rare_rules(session: Session) -> None:
    """A box to tick for each rule that is seldom used, with what it does."""
    on = rules_on(session.scenario)
    for name in RARE:
        key = f"rule {name}"
        st.checkbox(TITLES[name], **bound_choice(session, key, name in on, _switch(name)))
        st.caption(MEANINGS[name])
        show_refusal(session, key)


def _switch(name: str) -> Callable[[Scenario, bool], Scenario]:
    return lambda s, is_on: _with_rules(s, [name], [name] if is_on else [])


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


def _clear(session: Session, label: str, part: Editable) -> None:
    """A button that takes away one of the two matrices of the mask."""
    key = f"clear {part.name}"
    st.button(
        label,
        key=session.key(key),
        type="tertiary",
        icon=":material/close:",
        on_click=session.attempt,
        args=(key, label, part.left_out),
    )
    show_refusal(session, key)


def _options(session: Session, rule: Rule, at: RulePlace) -> None:
    """The controls of one rule's options, where it has any."""
    s = session.scenario
    key = f"{at.name} {at.number + 1}" if at.number else at.name
    is_alone = s.context is None
    options = {
        name: value
        for name, value in options_of(rule).items()
        if not (is_alone and name in ONLY_ACROSS and name not in rule.options)
    }
    if options:
        st.markdown(f"**{TITLES[rule.name]}**")
    for name, value in options.items():
        if name in COUNTED:
            _count(session, COUNTED[name], value, f"{key} {name}", at, name)
        elif name in TICKED:
            _tick(session, TICKED[name], value, f"{key} {name}", _change(at, name))
        elif name in LISTED:
            label = "Document of each token" if is_alone else LISTED[name]
            means = (
                "A number for each token, such as 1 1 2. "
                "Tokens with the same number belong to the same document."
            )
            _list(session, label, value, f"{key} {name}", _change_list(at, name), means)
        elif name == "align":
            _align(session, value, f"{key} {name}", _change(at, name))
        else:
            _plain_control(session, value, f"{key} {name}", at, name)


def _plain_control(session: Session, value: Any, key: str, at: RulePlace, option: str) -> None:
    """The control of an option that no table above names, by the type of its value."""
    label = option.replace("_", " ").capitalize()
    match value:
        case int():
            _count(session, label, value, key, at, option)
        case str():
            st.text_input(label, **bound(session, key, value, _change(at, option)))
            show_refusal(session, key)
        case _:
            _list(session, label, value or (), key, _change_list(at, option))


def _count(session: Session, label: str, number: int, key: str, at: RulePlace, option: str) -> None:
    called = f"{at.name}'s {option}"
    whole_number(session, label, key, number, _change(at, option), called=called)


def _tick(
    session: Session,
    label: str,
    ticked: Sequence[int],
    key: str,
    change: Callable[[Scenario, Any], Scenario],
) -> None:
    """Tokens to tick: as buttons, or from a list where they are many."""
    tokens = session.scenario.key_tokens
    labels = token_labels(tokens)
    indices = range(len(tokens))
    bond = bound_choice(session, key, list(ticked), lambda s, chosen: change(s, sorted(chosen)))
    if len(tokens) > MOST_PILLS:
        st.multiselect(label, indices, format_func=labels.__getitem__, **bond)
    else:
        marked = [plain(name) for name in labels]
        st.pills(label, indices, selection_mode="multi", format_func=marked.__getitem__, **bond)
    show_refusal(session, key)


def _list(
    session: Session,
    label: str,
    numbers: Sequence[int],
    key: str,
    change: Callable[[Scenario, str], Scenario],
    help: str | None = None,
) -> None:
    """Whole numbers, as text."""
    shown = " ".join(map(str, numbers))
    st.text_input(label, help=help, **bound(session, key, shown, change))
    show_refusal(session, key)


def _align(
    session: Session, align: str, key: str, change: Callable[[Scenario, Any], Scenario]
) -> None:
    st.segmented_control(
        "Queries stand at",
        ["end", "start"],
        required=True,
        format_func={"end": "The last keys", "start": "The first keys"}.__getitem__,
        **bound_choice(session, key, align, change),
    )
    show_refusal(session, key)


def _change(at: RulePlace, option: str) -> Callable[[Scenario, Any], Scenario]:
    return lambda s, value: with_rule_option(s, at, option, value)


def _change_list(at: RulePlace, option: str) -> Callable[[Scenario, str], Scenario]:
    return lambda s, text: with_rule_option(s, at, option, entries.whole_numbers(text))
