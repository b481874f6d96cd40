"""The mask's controls: which rules hold, and the options of each."""

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
from ui.controls.parts import refusal, section, whole_number
from ui.controls.text import plain
from ui.edits import entries
from ui.edits.editable_array import Editable
from ui.figures.board import short_label
from ui.state import Session, bound

TITLES: Final = {name: (mask.__doc__ or "").partition(":")[0] for name, mask in MASKS.items()}
MOST_PILLS: Final = 24  # tokens to tick; more are picked from a list

# The options of the rules, by the kind of control that each needs.
COUNTED: Final = {
    "left": "Keys before",
    "right": "Keys after",
    "prefix": "Keys open to all",
    "stride": "Stride",
}
TICKED: Final = {"hidden": "Tokens that nobody sees", "global_tokens": "Global tokens"}
LISTED: Final = {"segments": "Document of each key", "query_segments": "Document of each query"}
ONLY_ACROSS: Final = ("query_segments", "align")  # where queries are not the keys' own tokens


def mask_controls(session: Session) -> None:
    if not section(session, 4, "Mask", "mask"):
        return
    s = session.scenario
    st.pills(
        "Rules that all hold",
        list(MASKS),
        selection_mode="multi",
        format_func=TITLES.__getitem__,
        **bound(
            session,
            "rules",
            list(dict.fromkeys(rule.name for rule in s.mask.rules)),
            with_rules,
        ),
    )
    refusal(session, "rules")
    for place, rule in zip(rule_places(s), s.mask.rules, strict=True):
        _options(session, rule, place)
    for sentence in _what_it_hides(session):
        st.caption(plain(sentence))
    if s.mask.custom is not None:
        _clear(session, "Clear the drawing", Editable("mask.custom"))
    if s.mask.additive is not None:
        _clear(session, "Clear the added mask", Editable("mask.additive"))


def token_labels(tokens: Sequence[str]) -> list[str]:
    """A name to pick each token by: its label, with its place where two look alike.

    >>> token_labels(["SO", "SO", "GOOD"])
    ['1 SO', '2 SO', '3 GOOD']
    """
    labels = [short_label(" ".join(token.split())) for token in tokens]
    if all(labels) and len(set(labels)) == len(labels):
        return labels
    return [f"{place} {label}".strip() for place, label in enumerate(labels, start=1)]


def _what_it_hides(session: Session) -> Sequence[str]:
    """The notes on the mask and on queries that see nothing; they come first of all notes."""
    trace, mask = session.trace, session.scenario.mask
    if mask.hides_nothing:
        return ["Hides nothing." if mask.additive is None else "Hides nothing, but adds to scores."]
    notes = session.once("notes", lambda: setting_notes(trace))
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
    refusal(session, key)


def _options(session: Session, rule: Rule, at: RulePlace) -> None:
    """The controls of one rule's options, where it has any."""
    s = session.scenario
    key = f"{at.name} {at.number + 1}" if at.number else at.name
    alone = s.context is None
    options = {
        name: value
        for name, value in options_of(rule).items()
        if not (alone and name in ONLY_ACROSS and name not in rule.options)
    }
    if options:
        st.markdown(f"**{TITLES[rule.name]}**")
    counted = [name for name in options if name in COUNTED]
    for name, place in zip(counted, st.columns(2, gap="xsmall") if counted else (), strict=False):
        whole_number(
            session, COUNTED[name], f"{key} {name}", options[name], _change(at, name), place=place
        )
    for name, value in options.items():
        if name in TICKED:
            _tick(session, TICKED[name], value, f"{key} {name}", _change(at, name))
        elif name in LISTED:
            label = "Document of each token" if alone else LISTED[name]
            text = " ".join(map(str, value))
            st.text_input(label, **bound(session, f"{key} {name}", text, _change_list(at, name)))
        elif name == "align":
            st.segmented_control(
                "Queries stand at the keys'",
                ["end", "start"],
                required=True,
                format_func=str.title,
                **bound(session, f"{key} {name}", value, _change(at, name)),
            )
    refusal(session, *(f"{key} {name}" for name in options))


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
    bond = bound(session, key, list(ticked), lambda s, chosen: change(s, sorted(chosen)))
    if len(tokens) > MOST_PILLS:
        st.multiselect(label, indices, format_func=labels.__getitem__, **bond)
    else:
        marked = [plain(name) for name in labels]
        st.pills(label, indices, selection_mode="multi", format_func=marked.__getitem__, **bond)


def _change(at: RulePlace, option: str) -> Callable[[Scenario, Any], Scenario]:
    return lambda s, value: with_rule_option(s, at, option, value)


def _change_list(at: RulePlace, option: str) -> Callable[[Scenario, str], Scenario]:
    return lambda s, text: with_rule_option(s, at, option, entries.whole_numbers(text))
