"""How scores are made of Q and K: a field for each option that `mha_core/options/` declares.

What an option says of distances stands beside the switch of their vectors.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from mha_core.changing.changes import with_scores
from mha_core.changing.distances import OF_DISTANCES
from mha_core.language import say
from mha_core.options.kinds import END_OF_ROW, Rows, Whole, Word
from mha_core.options.option import Option, Used
from mha_core.options.registry import OPTIONS
from mha_core.scenario.scenario import Scenario
from ui.controls.form import Field, Item, Section, one_of, said, text, whole_number
from ui.edits.entries import TYPED
from ui.state import Session

MOST_BUTTONS: Final = 3  # more choices become a list


def scores_section(session: Session) -> Section:
    s = session.scenario
    in_order = sorted(OPTIONS.values(), key=lambda option: option.sidebar_order)
    there = [
        option
        for option in in_order
        if option.is_asked(s.scores)
        and option.has_what_it_needs(s.given())
        and not is_of_distances(option)
    ]
    fields: dict[Used, list[Field]] = {"often": [], "sometimes": [], "seldom": []}
    for option in there:
        fields[option.used].append(field_of(s, option))
    notes = said(*(note_of(s, option) for option in in_order if not is_of_distances(option)))
    often: list[Item] = [*fields["often"], *notes]
    has_seldom = any(
        option.used == "seldom" and getattr(s.scores, option.name) != option.default
        for option in there
    )
    return Section(
        "scores",
        say("Scores"),
        often,
        fields["sometimes"],
        few=fields["seldom"],
        is_few_open=has_seldom,
    )


def field_of(s: Scenario, option: Option) -> Field:
    name, value, label = option.name, getattr(s.scores, option.name), _label(s, option)
    match option.kind:
        case Word(choices):
            return one_of(
                name,
                label,
                {word: choice.title for word, choice in choices.items()},
                value,
                lambda s, word: with_scores(s, **{name: word}),
                help=option.help_at_its_field,
                as_list=len(choices) > MOST_BUTTONS,
            )
        case Whole(specials=()):
            return whole_number(
                name,
                label,
                value,
                lambda s, number: with_scores(s, **{name: number}),
                called=option.thing,
                help=option.help_at_its_field,
            )
        case kind:
            return text(
                name,
                label,
                kind.as_typed(value),
                TYPED[name],
                help=option.help_at_its_field,
                placeholder=option.placeholder.format(s=s),
                slider=slider_of(s, option) if option.slider else None,
                end_of_line=END_OF_ROW if isinstance(kind, Rows) else "",
            )


def is_of_distances(option: Option) -> bool:
    """Whether it speaks of the vectors of distances, which have a switch among the weights."""
    return any(name in OF_DISTANCES for name in option.needs)


def slider_of(s: Scenario, option: Option) -> dict[str, Any]:
    """What the slider of an option shows, and where it begins and ends."""
    assert option.slider is not None
    value = s.scores.number(option.name, s.d_k)
    said = {"name": option.name, "label": _label(s, option), "value": value}
    return {**said, **asdict(option.slider(s.d_k))}


def _label(s: Scenario, option: Option) -> str:
    return (option.label or option.title).format(first=_first(s))


def note_of(s: Scenario, option: Option) -> str:
    """The note on an option that applies and is not as usual."""
    value = getattr(s.scores, option.name)
    is_usual = value == option.default or not option.applies(s.scores)
    is_usual |= not option.has_what_it_needs(s.given())
    return "" if is_usual else option.note(value).format(first=_first(s))


def _first(s: Scenario) -> str:
    """What has this position: a token (query and key at once), or with two sequences a query."""
    return say("token") if s.context is None else say("query")
