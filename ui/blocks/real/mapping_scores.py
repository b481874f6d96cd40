"""How many heads a layer has, what becomes of its scores, and what may see what.

There is a field for each option of the scores and for each rule of a mask, as they are declared:
those of most layers in sight, all others under "More".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from mha_core.changing.rules import options_of
from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.mask_rules.declared import Alignment, Counted
from mha_core.mask_rules.registry import RULES
from mha_core.models.by_hand.choice import GATE, RARE, SYMBOLS, Choice
from mha_core.models.weights import GAINS
from mha_core.options.kinds import Rows, Word
from mha_core.options.option import Option
from mha_core.options.registry import OPTIONS
from ui.blocks.real.fields import FIELD, count, select, some, switch, typed
from ui.blocks.real.mapping_tensors import additions, gate, of_axes, tensors
from ui.reports import reported
from ui.state.layer_to_map import LayerToMap
from ui.state.real_layers import RealLayers

IN_SIGHT: Final = ("positions", "rope_pairs", "rope_base")
# What is said elsewhere: gains by their tensors, where a text begins in the explorer.
ELSEWHERE: Final = (*RARE, "query_start")
IN_MORE: Final = tuple(
    option.name
    for option in sorted(OPTIONS.values(), key=lambda option: option.sidebar_order)
    if option.name not in (*IN_SIGHT, *ELSEWHERE)
)
USUAL_GAINS: Final = ("q_gain", "k_gain")
CAUSAL: Final = "causal"
# The other rules that a layer may have, whatever it reads.
WHATEVER_IS_READ: Final = tuple(
    name
    for name, rule in RULES.items()
    if name != CAUSAL and all(isinstance(each, Counted | Alignment) for each in rule.options)
)


def heads_and_scores(shown: RealLayers, layer: LayerToMap) -> None:
    choice = layer.choice
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(layer.layers) > 1:
            select(
                "hand-layer",
                say("Layer"),
                layer.layers,
                layer.layer,
                layer.choose_layer,
                lambda number: str(number + 1),
                width=90,
            )
        _size(layer, "heads", say("Number of heads"), "n_heads", say("say it"))
        _size(layer, "key-heads", say("Heads of keys"), "n_kv_heads", say("by the shapes"))
        if choice.fused:
            _cut(layer)
        for name in IN_SIGHT:
            _option(shown, layer, OPTIONS[name])
        switch(
            "hand-causal",
            say("No token sees a later one"),
            is_on=CAUSAL in _rules_of(choice),
            take=partial(_see_no_later, layer),
        )
    with st.expander(say("More"), expanded=_says_more(choice), key="hand-more"):
        _more(shown, layer)


def _more(shown: RealLayers, layer: LayerToMap) -> None:
    """What few layers have."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _size(
            layer,
            "width",
            say("Width of a head"),
            "d_k",
            say("by the heads"),
            say("Say it where you know it, and not the number of heads."),
        )
        for name in IN_MORE:
            _option(shown, layer, OPTIONS[name])
        _masks(layer)
    gate(layer)
    additions(layer)
    of_norms = [name for name in of_axes(layer, 2) if "norm" in name.lower()]  # a row for each head
    lists = [*of_axes(layer, 1), *of_norms]
    if lists:
        tensors(layer, _lists_of(layer.choice), lists)
        switch(
            "hand-gains-add-one",
            say("1 is added to the gains"),
            is_on=layer.choice.gains_add_one,
            take=lambda adds: layer.choose(replace(layer.choice, gains_add_one=adds)),
            help=say("As in Gemma, whose files have the gains without their 1."),
        )


def _lists_of(choice: Choice) -> list[str]:
    """The lists of numbers that may be chosen: those of rare norms, once there is the norm."""
    hidden = {
        role
        for role in GAINS
        if role not in (*USUAL_GAINS, *choice.names) and not OPTIONS[role].applies(choice.scores)
    }
    return [role for role in RARE if role not in hidden]


def _says_more(choice: Choice) -> bool:
    """Whether something was said that stands there: then it is seen."""
    scores = choice.scores
    return (
        choice.d_k > 0
        or choice.gains_add_one
        or choice.table != ""
        or any(role in choice.names for role in (*RARE, GATE))
        or any(getattr(scores, name) != OPTIONS[name].default for name in IN_MORE)
        or any(name != CAUSAL for name in _rules_of(choice))
    )


def _size(
    layer: LayerToMap, key: str, label: str, name: str, nothing: str, help: str | None = None
) -> None:
    count(
        f"hand-{key}",
        label,
        getattr(layer.choice, name),
        LIMITS.width if name == "d_k" else LIMITS.heads,
        nothing,
        lambda number: layer.choose(replace(layer.choice, **{name: number})),
        help,
    )


def _cut(layer: LayerToMap) -> None:
    choice = layer.choice
    select(
        "hand-cut",
        say("{roles} are one tensor").format(
            roles=", ".join(SYMBOLS[role] for role in choice.fused)
        ),
        [False, True],
        choice.is_cut_by_head,
        lambda by_head: layer.choose(replace(layer.choice, is_cut_by_head=bool(by_head))),
        lambda by_head: say("cut within each head of keys") if by_head else say("cut in blocks"),
        width=300,
    )


def _option(shown: RealLayers, layer: LayerToMap, option: Option) -> None:
    scores = layer.choice.scores
    if not (option.is_asked(scores) and option.has_what_it_needs(layer.choice.names)):
        return
    key, value = f"hand-{option.name}", getattr(scores, option.name)
    take = partial(layer.choose_option, option.name)
    if isinstance(option.kind, Word):
        choices = option.kind.choices
        select(
            key,
            option.title,
            list(choices),
            value,
            lambda word: take(word or option.default),
            lambda word: choices[word].title,
            width=FIELD,
            help=option.help_at_its_field,
        )
        return
    as_typed = option.kind.as_typed(value)
    typed(
        shown,
        key,
        option.title,
        as_typed,
        option.placeholder,
        take,
        option.help_at_its_field,
        has_lines=isinstance(option.kind, Rows),
    )


# The mask.


def _rules_of(choice: Choice) -> list[str]:
    return [rule.name for rule in choice.rules]


def _see_no_later(layer: LayerToMap, sees_none: bool) -> None:
    others = [name for name in _rules_of(layer.choice) if name != CAUSAL]
    layer.choose_rules([CAUSAL, *others] if sees_none else others)


def _masks(layer: LayerToMap) -> None:
    """The other rules, and a number for each of their options that counts tokens."""

    def choose(names: list[str]) -> None:
        kept = [name for name in _rules_of(layer.choice) if name not in WHATEVER_IS_READ]
        layer.choose_rules([*kept, *names])

    some(
        "hand-masks",
        say("Other masks"),
        WHATEVER_IS_READ,
        _rules_of(layer.choice),
        choose,
        lambda name: RULES[name].title,
        say("none"),
        say(
            "A key is seen if every mask lets it be seen. A config counts a token itself in its "
            "window: a window of 4 has 3 keys before."
        ),
    )
    for place, rule in enumerate(layer.choice.rules):
        for option in RULES[rule.name].options:
            if isinstance(option, Counted):
                _counted(layer, place, option)


def _counted(layer: LayerToMap, place: int, option: Counted) -> None:
    rule = layer.choice.rules[place]
    key = f"hand-{rule.name}-{option.name}"
    st.session_state[key] = options_of(rule)[option.name]

    def take() -> None:
        entered = reported(key)
        if entered is not None:
            layer.choose_in_rule(place, option.name, int(entered))

    st.number_input(
        option.label,
        option.least,
        LIMITS.tokens,
        step=1,
        key=key,
        on_change=take,
        width=FIELD,
        help=RULES[rule.name].meaning,
    )
