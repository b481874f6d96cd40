"""Where the projections W_Q, W_K, W_V and W_O come from."""

from __future__ import annotations

import streamlit as st

from mha_core.changing.recipes import WEIGHTS
from mha_core.changing.shared_keys import shares_queries_and_keys, with_queries_as_keys
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.scenario.scenario import Scenario
from ui.controls.fields import show_refusal, whole_number
from ui.controls.sidebar.section import caption, changed_by_hand, rare_options, section
from ui.edits import entries
from ui.state import Session, bound_choice


def weights_section(session: Session) -> None:
    more = section(session, 3, "Weights", "weights")
    if more is None:
        return
    rare_options(session, more, _rare, "share", "weights-seed")
    s = session.scenario
    preset = entries.preset_of(s)
    st.selectbox(
        "Weight preset",
        list(PRESETS) if preset else ["", *PRESETS],
        format_func=lambda name: PRESETS[name].title if name else "Given numbers",
        **bound_choice(
            session,
            "weights",
            preset.name if preset else "",
            lambda s, name: entries.with_preset(s, name, s.origin.weights_seed),
        ),
    )
    show_refusal(session, "weights")
    is_shared = _is_shared(session)
    caption(
        preset.sentence if preset else "",
        _input_it_brings(s),
        f"Seed {s.origin.weights_seed}." if preset and preset.seeded and _seed(s) else "",
        "W_Q = W_K." if is_shared else "",
        changed_by_hand(session, *(n for n in WEIGHTS if not (is_shared and n == "w_k"))),
    )


def _rare(session: Session) -> None:
    s = session.scenario
    if s.w_q.shape == s.w_k.shape:
        st.checkbox(
            "Share W_Q = W_K",
            help="Queries and keys are made by the same numbers.",
            **bound_choice(session, "share", _is_shared(session), with_queries_as_keys),
        )
        show_refusal(session, "share")
    else:
        st.caption("W_Q and W_K have different shapes here, so they cannot be shared.")
    preset = entries.preset_of(s)
    if preset and preset.seeded:
        whole_number(
            session,
            "Seed of the weights",
            "weights-seed",
            _seed(s),
            lambda s, seed: entries.with_preset(s, preset.name, seed),
            called="The seed",
            help="Another seed draws other numbers.",
        )


def _is_shared(session: Session) -> bool:
    return session.make_once("share", lambda: shares_queries_and_keys(session.scenario))


def _seed(s: Scenario) -> int:
    return s.origin.weights_seed


def _input_it_brings(s: Scenario) -> str:
    preset = entries.preset_of(s)
    if not preset or not preset.needs_input:
        return ""
    title = INPUTS[preset.needs_input].title
    return f"This preset needs X from “{title}”, so it sets X too. Undo brings your X back."
