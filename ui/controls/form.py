"""The fields of the sidebar, as data. The browser draws all as one form (js/entering/form.js).

Each widget of Streamlit's costs half a millisecond of every run, and reports its value with every
event. A form is one element, and reports only what a person enters. Entries travel as those into
cells do: numbered, in order, until the server has said that it took or refused them
(ui/plot/js/entering/entries.js).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mha_core.checks.errors import NumberError, OptionError
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack
from ui import plot
from ui.state import Session, sessions_of_page

Change = Callable[[Scenario, Any], Scenario]
OnStack = Callable[[Stack, Any], Stack]
LONGEST: Final = 40  # characters of an entry that a refusal repeats
MOST_NUMBERS_HELD: Final = 2**13  # that are sent for each value of a field: 64 KB
GONE: Final = "field that has gone"  # the key of its refusal


@dataclass(frozen=True)
class Field:
    """What it shows, and what an entry does to the scenario.

    `kind` is as in fields.js, and `look` holds what else this kind needs. `takes` says whether a
    value is an entry at all: anyone can send anything.
    """

    key: str
    kind: str
    label: str
    shown: Any
    change: Change | None  # of the layer that is shown
    takes: Callable[[Any], bool]
    help: str = ""
    look: Mapping[str, Any] = field(default_factory=dict)
    layer: int | None = None  # that it changes; by default the one that is shown
    on_stack: OnStack | None = None  # in place of `change`, of what all layers share
    draws: bool = False  # other numbers into arrays of the same sizes, and changes nothing else


@dataclass(frozen=True)
class Said:
    """A sentence between the fields."""

    text: str


@dataclass(frozen=True)
class Title:
    """The name of the fields below it."""

    text: str


Item = Field | Said | Title


@dataclass(frozen=True)
class Section:
    """Fields that are often used, and behind "More" those that are rare; a few are folded there."""

    name: str
    title: str
    often: Sequence[Item]
    rare: Sequence[Item]
    notes: Sequence[str] = ()  # beside the title, where they come and go without moving anything
    few: Sequence[Item] = ()  # as a few trained models have them
    is_few_open: bool = False

    @property
    def items(self) -> Iterable[Item]:
        return (*self.often, *self.rare, *self.few)

    @property
    def fields(self) -> Iterable[Field]:
        return (item for item in self.items if isinstance(item, Field))


def text(
    key: str,
    label: str,
    shown: str,
    change: Change,
    *,
    help: str = "",
    placeholder: str = "",
    slider: Mapping[str, Any] | None = None,
    end_of_line: str = "",
) -> Field:
    """A field to type in; with the ends of a `slider`, there is one below it.

    Where several lines are pasted, `end_of_line` takes the place of their ends.
    """
    look: dict[str, Any] = {"placeholder": placeholder, "slider": slider}
    look |= {"end_of_line": end_of_line} if end_of_line else {}
    return Field(key, "text", label, shown, change, _is_text, help, look)


def whole_number(
    key: str,
    label: str,
    number: int,
    change: Change,
    *,
    called: str,
    help: str = "",
    draws: bool = False,
) -> Field:
    """A field for a whole number, with buttons for one less and one more.

    `called` is its name in the refusals of the change, so that all refusals of a field use one.
    """
    return Field(
        key,
        "whole",
        label,
        str(number),
        lambda s, text: change(s, whole(called, text)),
        _is_text,
        help,
        draws=draws,
    )


def one_of(
    key: str,
    label: str,
    choices: Mapping[Any, str],
    chosen: Any,
    change: Change | None,
    *,
    help: str = "",
    as_list: bool = False,
) -> Field:
    """One of some values, each with its title: all in sight as buttons, or as a list to open."""
    kind = "list" if as_list else "one"
    look = {"choices": [*choices.items()]}
    return Field(
        key, kind, label, chosen, change, lambda value: _is_among(value, choices), help, look
    )


def some_of(
    key: str,
    label: str,
    choices: Mapping[Any, str],
    chosen: Sequence[Any],
    change: Change,
    *,
    help: str = "",
) -> Field:
    """Any of some values, each to be switched on or off."""

    def takes(entered: Any) -> bool:
        return isinstance(entered, list) and all(_is_among(each, choices) for each in entered)

    return Field(
        key, "some", label, [*chosen], change, takes, help, {"choices": [*choices.items()]}
    )


def tick(
    key: str, label: str, is_on: bool, change: Change | None, *, help: str = "", says: str = ""
) -> Field:
    """A box to tick; `says` stands below it."""
    return Field(
        key, "tick", label, is_on, change, lambda v: isinstance(v, bool), help, {"says": says}
    )


def press(key: str, label: str, change: Callable[[Scenario], Scenario]) -> Field:
    """A button."""
    return Field(key, "press", label, False, lambda s, _: change(s), lambda value: value is True)


def said(*sentences: str) -> Sequence[Said]:
    """One item with all sentences that are not empty; none if all are empty."""
    words = " ".join(sentence for sentence in sentences if sentence)
    return [Said(words)] if words else []


def show_form(session: Session, sections: Iterable[tuple[int, Section]], key: str = "") -> None:
    """Draw sections with their numbers; below each field, why its last entry was refused.

    A page may have several forms. The first, without a `key`, says which field has gone.
    """
    numbered = list(sections)
    _forget_what_was_changed_since(session, (f for _, each in numbered for f in each.fields))
    plot.form(
        session.key(key or "form"),
        group=session.name,
        gone="" if key else _reason_under(session, GONE),
        sections=[_as_data(session, number, section) for number, section in numbered],
    )


def enter_field(
    session: Session, fields: Mapping[str, Field], key: str, entered: Any, *, goes_on: bool = False
) -> None:
    """Take an entry into the field with this key, or remember why not.

    One that `goes_on` from the last one there is one step with it.
    """
    session.refusals.forget_if_said(GONE, session.conversation.last_whole_run)
    into = fields.get(key)
    if into is None:
        session.attempt(GONE, entered, _refuse_what_has_gone)
    elif not into.takes(entered):
        return
    elif entered == into.shown or (into.kind == "whole" and not entered.strip()):
        session.refusals.pop(key, None)  # emptied, or the same as what it shows
    elif on_stack := into.on_stack:
        session.attempt_on_stack(key, entered, lambda s: on_stack(s, entered), into.shown)
    elif change := into.change:
        layer = into.layer
        session.attempt(
            key, entered, lambda s: change(s, entered), into.shown, layer=layer, goes_on=goes_on
        )


def whole(called: str, text: str) -> int:
    """A whole number as typed.

    >>> whole("d_k", " 4 "), whole("d_k", "4.0"), whole("d_k", "\N{MINUS SIGN}1")
    (4, 4, -1)
    """
    number = _as_number(text.strip().replace("\N{MINUS SIGN}", "-").replace(",", "."))
    if number is None or not number.is_integer():
        has_fraction = number is not None
        way_out = say("Leave out the fraction.") if has_fraction else say("Write digits, as in 4.")
        raise NumberError(called, say("must be a whole number"), text.strip()[:LONGEST], way_out)
    return int(number)


def _as_number(words: str) -> float | None:
    """None if it is not a number. Python's own `1_0`, `inf` and `nan` do not count here."""
    try:
        number = float(words)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in words else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_among(value: Any, choices: Mapping[Any, str]) -> bool:
    """In Python True equals 1; here it does not."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _refuse_what_has_gone(_: Scenario) -> Scenario:
    raise OptionError(
        say("The field"),
        say("must be on the page"),
        say("one that another change has taken away"),
        say("Nothing was entered. Go on with what is there now."),
    )


def _forget_what_was_changed_since(session: Session, fields: Iterable[Field]) -> None:
    """A refused entry stays in its field until something else changes what the field shows."""
    for each in fields:
        refusal = session.refusals.get(each.key)
        if refusal and refusal.instead_of != each.shown:
            del session.refusals[each.key]


def _as_data(session: Session, number: int, section: Section) -> Mapping[str, Any]:
    return {
        "number": number,
        "name": section.name,
        "title": section.title,
        "notes": " · ".join(filter(None, section.notes)),
        "often": [_item_as_data(session, item) for item in section.often],
        "rare": [_item_as_data(session, item) for item in section.rare],
        "few": [_item_as_data(session, item) for item in section.few],
        "isFewOpen": section.is_few_open,
    }


def _item_as_data(session: Session, item: Item) -> Mapping[str, Any]:
    if isinstance(item, Said):
        return {"kind": "said", "text": item.text}
    if isinstance(item, Title):
        return {"kind": "title", "text": item.text}
    refusal = session.refusals.get(item.key)
    refused = {"entered": refusal.entered, "reason": refusal.reason} if refusal else None
    about = {"key": item.key, "kind": item.kind, "label": item.label, "help": item.help}
    shown = {**about, **item.look, "shown": item.shown, "refused": refused}
    return shown | ({"asks_as": session.id} if may_be_held(session, item) else {})


def may_be_held(session: Session, field: Field) -> bool:
    """Whether pictures follow while a key is held in a field: the browser asks for each value.

    A page of several sessions compares them, which only the server does.
    """
    if not field.draws or not session.stack.is_one_layer:
        return False
    is_small = sum(a.size for a in session.scenario.given().values()) <= MOST_NUMBERS_HELD
    return is_small and len(sessions_of_page(session)) == 1


def _reason_under(session: Session, key: str) -> str:
    refusal = session.refusals.get(key)
    return refusal.reason if refusal else ""
