"""What goes into the layer: tokens, the width of their vectors, and the numbers of X."""

from __future__ import annotations

from textwrap import shorten

import streamlit as st

from mha_core.making.inputs import INPUTS, natural_width
from mha_core.scenario.scenario import Scenario
from ui.controls.fields import show_refusal, whole_number
from ui.controls.sidebar.section import caption, changed_by_hand, rare_options, section
from ui.edits import entries
from ui.edits.followed import width_that_followed
from ui.edits.token_text import write_tokens
from ui.state import Session, bound, bound_choice


def input_section(session: Session) -> None:
    more = section(session, 1, "Input", "input")
    if more is None:
        return
    rare_options(session, more, _rare, "context", "x-seed")
    s = session.scenario
    st.text_input(
        "Tokens",
        help='Put spaces between tokens, and quotes around a token with a space: "New York".',
        **bound(session, "tokens", write_tokens(s.tokens), entries.with_typed_tokens),
    )
    show_refusal(session, "tokens")
    whole_number(
        session,
        "Number of tokens",
        "n-tokens",
        s.n_q,
        entries.with_token_count,
        called="The number of tokens",
    )
    whole_number(
        session, "Width d_model", "d-model", s.d_model, entries.with_d_model, called="d_model"
    )
    recipe = entries.input_of(s)
    st.selectbox(
        "Fill X with",
        list(INPUTS) if recipe else ["", *INPUTS],
        format_func=lambda name: INPUTS[name].title if name else "Given numbers",
        help=recipe.sentence if recipe else "X holds one row of numbers for each token.",
        **bound_choice(
            session,
            "x",
            recipe.name if recipe else "",
            lambda s, name: entries.with_input(s, name, s.origin.x_seed),
        ),
    )
    show_refusal(session, "x")
    caption(
        width_that_followed(session.history.before.scenario, s) or _least_width(s),
        _in_use(s),
        changed_by_hand(session, "x", "context"),
    )


def _rare(session: Session) -> None:
    s = session.scenario
    st.text_input(
        "Second sequence",
        placeholder="none: keys and values come from X",
        help="Tokens for cross-attention. Queries come from X, keys and values from these tokens.",
        **bound(session, "context", write_tokens(s.context_tokens), entries.with_typed_context),
    )
    show_refusal(session, "context")
    recipe = entries.input_of(s)
    if recipe and recipe.seeded:
        whole_number(
            session,
            "Seed of X",
            "x-seed",
            s.origin.x_seed,
            lambda s, seed: entries.with_input(s, recipe.name, seed),
            called="The seed",
            help="Another seed draws other numbers.",
        )


def _least_width(s: Scenario) -> str:
    recipe = entries.input_of(s)
    if recipe and s.d_model == natural_width(recipe.name, s.tokens):
        return f"These tokens need a d_model of {s.d_model} or more."
    return ""


def _in_use(s: Scenario) -> str:
    """What "More" holds and is not as usual."""
    recipe = entries.input_of(s)
    in_use = []
    if s.context is not None:
        tokens = shorten(write_tokens(s.context_tokens), 60, placeholder=" …")
        in_use.append(f"Keys and values come from a second sequence: {tokens}.")
    if recipe and recipe.seeded and s.origin.x_seed:
        in_use.append(f"Seed {s.origin.x_seed}.")
    return " ".join(in_use)
