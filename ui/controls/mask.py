"""The mask's controls: which rules hold, and the options of each."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from mha_core.masks import MASKS, Rule
from mha_core.scenario import Scenario
from ui.controls import steps
from ui.controls.parts import refusal, section
from ui.controls.text import plain
from ui.state import bound, explorer

TITLES = {name: (mask.__doc__ or "").partition(":")[0] for name, mask in MASKS.items()}


def mask_controls() -> None:
    if not section(4, "Mask", "mask"):
        return
    s = explorer().scenario
    st.pills(
        "Rules that all hold",
        list(MASKS),
        selection_mode="multi",
        format_func=TITLES.__getitem__,
        **bound("rules", [rule.name for rule in s.mask.rules], steps.with_rules),
    )
    refusal("rules")
    for rule in s.mask.rules:
        _options(s, rule)
    hidden = int((~explorer().trace.mask).sum())
    st.caption(f"Hides {hidden} of {s.n_q * s.n_k} cells." if hidden else "Hides nothing.")


def _options(s: Scenario, rule: Rule) -> None:
    """The controls of one rule's options."""
    for option, value in rule.options.items():
        key = f"{rule.name}-{option}"
        label = f"{TITLES[rule.name]}: {option.replace('_', ' ')}"
        change = partial(_change, rule.name, option)
        if option in ("hidden", "global_tokens"):
            st.pills(
                label,
                range(s.n_k),
                selection_mode="multi",
                format_func=lambda i: plain(s.key_tokens[i]),
                **bound(key, list(value), change),
            )
        elif isinstance(value, int):
            st.number_input(label, int(option == "stride"), s.n_k, **bound(key, value, change))
        elif option in ("segments", "query_segments"):
            st.text_input(
                label,
                help="The number of each token's document",
                **bound(key, " ".join(map(str, value)), partial(_change_list, rule.name, option)),
            )
        refusal(key)
    if s.n_q != s.n_k and rule.name not in ("padding", "documents"):
        st.segmented_control(
            f"{TITLES[rule.name]}: queries stand at the keys'",
            ["end", "start"],
            required=True,
            **bound(
                f"{rule.name}-align",
                rule.options.get("align", "end"),
                partial(_change, rule.name, "align"),
            ),
        )


def _change(name: str, option: str, s: Scenario, value: Any) -> Scenario:
    return steps.with_rule_option(s, name, option, value)


def _change_list(name: str, option: str, s: Scenario, text: str) -> Scenario:
    return steps.with_rule_option(s, name, option, steps.whole_numbers(text))
