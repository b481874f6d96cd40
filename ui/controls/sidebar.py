"""The sidebar: every control, in the order of the work."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.changing.changes import with_scores
from mha_core.changing.recipes import WEIGHTS
from mha_core.changing.shared_keys import shares_queries_and_keys, with_queries_as_keys
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.examples import EXAMPLES, load_example
from mha_core.making.inputs import INPUTS, natural_width
from mha_core.making.presets import PRESETS
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import POSITIONS
from ui.controls.mask import mask_controls
from ui.controls.parts import refusal, section, whole_number
from ui.controls.text import plain
from ui.edits import entries
from ui.edits.token_text import write_tokens
from ui.number_format import format_number
from ui.state import (
    ROWS,
    SCORE_STEPS,
    SECTIONS,
    Session,
    bound,
    bound_choice,
    bound_to_view,
    is_edited,
)
from ui.theme import PALETTES

POSITION_TITLES = {
    "none": "None",
    "sinusoidal": "Sinusoidal",
    "rope": "RoPE",
    "alibi": "ALiBi",
}


def place_for_controls(session: Session) -> DeltaGenerator:
    """The sidebar; where a teacher has put all of it away, none is shown."""
    controls = set(SECTIONS) - {"editors"}
    return st.container() if controls <= set(session.view.hide) else st.sidebar.container()


def sidebar(session: Session) -> None:
    """Every control; below each, why its last entry was refused."""
    example_section(session)
    input_section(session)
    heads_section(session)
    weights_section(session)
    mask_controls(session)
    scores_section(session)
    view_section(session)


def example_section(session: Session) -> None:
    """The examples to begin with, each with a line on what it shows."""
    if "example" in session.view.hide:
        return

    def open_example() -> None:
        if name := st.session_state.get(session.key("enter-example")):
            session.open(load_example(name))
            st.session_state[session.key("examples")] = False

    shown = session.example_shown
    # A changed example is none of the list: picking it again leads back to it.
    picked = shown.name if shown and not session.is_changed else None
    tied = bound(session, "example", picked, lambda s, _: s)
    title = f"Example: {shown.title}" if shown else "Examples"
    place = st.popover(title, key=session.key("examples"), on_change="rerun", width="stretch")
    if not place.open:
        return
    with place:
        st.radio(
            "Examples",
            list(EXAMPLES),
            index=None,
            format_func=lambda name: plain(EXAMPLES[name].title),
            captions=[plain(example.sentence) for example in EXAMPLES.values()],
            label_visibility="collapsed",
            **{**tied, "on_change": open_example},
        )


def input_section(session: Session) -> None:
    if not section(session, 1, "Input", "input"):
        return
    s = session.scenario
    st.text_input("Tokens", **bound(session, "tokens", write_tokens(s.tokens), entries.with_text))
    refusal(session, "tokens")
    left, right = st.columns(2, gap="xsmall")
    whole_number(
        session, "Number of tokens", "n-tokens", s.n_q, entries.with_token_count, place=left
    )
    whole_number(session, "Width d_model", "d-model", s.d_model, entries.with_d_model, place=right)
    refusal(session, "n-tokens", "d-model")
    recipe = entries.input_of(s)
    st.selectbox(
        "X made from",
        list(INPUTS) if recipe else ["", *INPUTS],
        format_func=lambda name: INPUTS[name].title if name else "Numbers as given",
        help=recipe.sentence if recipe else None,
        **bound_choice(
            session,
            "x",
            recipe.name if recipe else "",
            lambda s, name: entries.with_input(s, name, s.origin.x_seed),
        ),
    )
    refusal(session, "x")
    if recipe and s.d_model == natural_width(recipe.name, s.tokens):
        st.caption(f"These tokens need a d_model of {s.d_model} or more.")
    _say_if_edited(session, "x", "context")
    if recipe and recipe.seeded:
        whole_number(
            session,
            "Seed of X",
            "x-seed",
            s.origin.x_seed,
            lambda s, seed: entries.with_input(s, recipe.name, seed),
        )
        refusal(session, "x-seed")
    with st.expander("Second sequence", expanded=s.context is not None):
        st.text_input(
            "Its tokens, for cross-attention",
            placeholder="none: the keys are X's own tokens",
            **bound(session, "context", write_tokens(s.context_tokens), entries.with_second_text),
        )
        refusal(session, "context")


def heads_section(session: Session) -> None:
    if not section(session, 2, "Heads", "heads"):
        return
    s = session.scenario
    fitting = [n for n in range(1, PAGE_LIMITS.heads + 1) if s.d_model % n == 0]
    st.segmented_control(
        "Number of heads",
        sorted({*fitting, s.n_heads}),
        required=True,
        **bound_choice(session, "heads", s.n_heads, entries.with_head_count),
    )
    refusal(session, "heads")
    st.caption(head_sentence(s))
    more = st.expander("More", key=session.key("more-heads"), on_change="rerun")
    if not more.open:
        return
    with more:
        st.caption("Any count will do: one that does not divide d_model keeps d_k and d_v.")
        left, right = st.columns(2, gap="xsmall")
        whole_number(
            session, "Any count", "any-heads", s.n_heads, entries.with_head_count, place=left
        )
        whole_number(
            session,
            "Key/value",
            "kv-heads",
            s.n_kv_heads,
            entries.with_size("n_kv_heads"),
            place=right,
            help="n_kv_heads: heads of keys and values, each shared by as many heads of queries",
        )
        whole_number(session, "Width d_k", "d-k", s.d_k, entries.with_size("d_k"), place=left)
        whole_number(session, "Width d_v", "d-v", s.d_v, entries.with_size("d_v"), place=right)
        refusal(session, "any-heads", "kv-heads", "d-k", "d-v")


def weights_section(session: Session) -> None:
    if not section(session, 3, "Weights", "weights"):
        return
    s = session.scenario
    preset = entries.preset_of(s)
    st.selectbox(
        "Weight preset",
        list(PRESETS) if preset else ["", *PRESETS],
        format_func=lambda name: PRESETS[name].title if name else "Numbers as given",
        **bound_choice(
            session,
            "weights",
            preset.name if preset else "",
            lambda s, name: entries.with_preset(s, name, s.origin.weights_seed),
        ),
    )
    refusal(session, "weights")
    st.caption(plain(preset.sentence if preset else "The projections are given as numbers."))
    _say_if_edited(session, *WEIGHTS)
    if preset and preset.needs_input:
        needs = INPUTS[preset.needs_input].title
        st.caption(f"It is made for X from “{needs}” and brings it along; Undo brings yours back.")
    if preset and preset.seeded:
        whole_number(
            session,
            "Seed of the weights",
            "weights-seed",
            s.origin.weights_seed,
            lambda s, seed: entries.with_preset(s, preset.name, seed),
        )
        refusal(session, "weights-seed")
    if s.w_q.shape == s.w_k.shape:
        shared = session.once("share", lambda: shares_queries_and_keys(s))
        st.checkbox(
            "Share W_Q = W_K", **bound_choice(session, "share", shared, with_queries_as_keys)
        )
        refusal(session, "share")


def scores_section(session: Session) -> None:
    if not section(session, 5, "Scores", "scores"):
        return
    s = session.scenario
    left, right = st.columns(2, gap="xsmall")
    scale = s.scores.scale
    left.text_input(
        "Scale",
        help="A number or an expression: 1/sqrt(d_k) or 1/8 or sqrt(2)/2; none leaves scores alone",
        **bound(
            session, "scale", scale if isinstance(scale, str) else repr(scale), entries.with_scale
        ),
    )
    cap = s.scores.softcap
    right.text_input(
        "Soft cap",
        placeholder="none",
        help="Bends scores so that none leaves -cap to cap",
        **bound(session, "softcap", "" if cap is None else repr(cap), entries.with_softcap),
    )
    refusal(session, "scale", "softcap")
    st.caption(f"Scores are multiplied by {format_number(s.scores.factor(s.d_k), 4)}.")
    st.selectbox(
        "Positions",
        list(POSITIONS),
        format_func=POSITION_TITLES.__getitem__,
        **bound_choice(
            session, "positions", s.scores.positions, lambda s, name: with_scores(s, positions=name)
        ),
    )
    refusal(session, "positions")
    st.caption(POSITIONS[s.scores.positions])
    if s.scores.positions != "none":
        whole_number(
            session,
            "Position of the first query",
            "query-start",
            s.scores.query_start,
            lambda s, start: with_scores(s, query_start=start),
        )
        refusal(session, "query-start")


def view_section(session: Session) -> None:
    if not section(session, 6, "View", "view"):
        return
    left, right = st.columns(2, gap="xsmall")
    left.selectbox("Decimals", range(7), **bound_to_view(session, "decimals"))
    right.selectbox(
        "Palette", list(PALETTES), format_func=str.title, **bound_to_view(session, "palette")
    )
    st.segmented_control(
        "Scores shown",
        SCORE_STEPS,
        required=True,
        format_func=str.title,
        **bound_to_view(session, "scores"),
    )
    st.pills(
        "Rows of the picture",
        ROWS,
        selection_mode="multi",
        format_func=str.title,
        **bound_to_view(session, "rows", partial(_rows, session), list),
    )
    st.checkbox("One colour scale for all heads", **bound_to_view(session, "shared_scale"))
    st.checkbox("Values in the cells", **bound_to_view(session, "values"))


def _say_if_edited(session: Session, *names: str) -> None:
    if is_edited(session, *names):
        st.caption("Some of these numbers were changed by hand.")


def head_sentence(s: Scenario) -> str:
    """How wide the heads are, and which counts the width does not allow.

    >>> from mha_core.examples import load_example
    >>> head_sentence(load_example("pizza"))
    '2 heads of width 4. 3, 5, 6, 7 do not divide 8.'
    """
    heads = "1 head" if s.n_heads == 1 else f"{s.n_heads} heads"
    widths = f"width {s.d_k}" if s.d_k == s.d_v else f"widths d_k = {s.d_k} and d_v = {s.d_v}"
    if s.d_model % s.n_heads:
        return f"{heads} of {widths}, as {s.n_heads} does not divide {s.d_model}."
    rest = [str(n) for n in range(2, min(s.d_model, 9)) if s.d_model % n]
    if not rest:
        return f"{heads} of {widths}."
    do_not = "do not" if len(rest) > 1 else "does not"
    return f"{heads} of {widths}. {', '.join(rest)} {do_not} divide {s.d_model}."


def _rows(session: Session, chosen: list[str]) -> tuple[str, ...]:
    """The rows in their order; those of before where none is left, as a picture needs one."""
    return tuple(row for row in ROWS if row in chosen) or session.view.rows
