"""How scores are made of Q and K: scale, soft cap, positions, temperature; and their softmax."""

from __future__ import annotations

import math
from typing import Final

import streamlit as st

from mha_core.changing.changes import with_scores
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import POSITIONS, SOFTMAXES
from ui import plot
from ui.controls.fields import show_refusal, whole_number
from ui.controls.options import option
from ui.controls.sidebar.section import caption, rare_options, section
from ui.state import Session, bound_choice

POSITION_TITLES: Final = {
    "none": "None",
    "sinusoidal": "Sinusoidal",
    "rope": "RoPE",
    "alibi": "ALiBi",
}


def scores_section(session: Session) -> None:
    more = section(session, 5, "Scores", "scores")
    if more is None:
        return
    rare_options(session, more, _rare, "softcap", "query-start", "softmax")
    s = session.scenario
    option(
        session,
        "scale",
        "Scale",
        s.scores.factor(s.d_k),
        plot.Range(0, max(1.0, 2 / math.sqrt(s.d_k))),  # the same while the slider moves
        help="Scores are multiplied by it. Write an expression such as `1/sqrt(d_k)`, `1/8` or "
        "`sqrt(2)/2`, or `none`.",
    )
    option(
        session,
        "temperature",
        "Temperature",
        s.scores.temperature,
        plot.Range(0.05, 20, by_factors=True),
        placeholder="1",
        help="Masked scores are divided by it. Below 1, the best key gets more weight; above 1, "
        "weights get more even. Write a number or an expression such as `1/2`.",
    )
    st.selectbox(
        "Positions",
        list(POSITIONS),
        format_func=POSITION_TITLES.__getitem__,
        help=POSITIONS["none"],
        **bound_choice(
            session, "positions", s.scores.positions, lambda s, name: with_scores(s, positions=name)
        ),
    )
    show_refusal(session, "positions")
    caption(
        "" if s.scores.softcap is None else f"Soft cap {s.scores.softcap:.4g}.",
        "" if s.scores.softmax == "stable" else "The softmax is naive.",
        "" if s.scores.positions == "none" else POSITIONS[s.scores.positions],
        f"The first {_first(s)} is at position {s.scores.query_start}."
        if s.scores.query_start
        else "",
    )


def _rare(session: Session) -> None:
    s = session.scenario
    st.segmented_control(
        "Softmax",
        list(SOFTMAXES),
        required=True,
        format_func=str.title,
        help=" ".join(f"{name.title()}: {words}" for name, words in SOFTMAXES.items()),
        **bound_choice(
            session, "softmax", s.scores.softmax, lambda s, kind: with_scores(s, softmax=kind)
        ),
    )
    show_refusal(session, "softmax")
    option(
        session,
        "softcap",
        "Soft cap",
        s.scores.softcap,
        plot.Range(0.1, 100, by_factors=True, may_be_none=True),
        placeholder="none",
        help="A cap of 30 bends large scores, so that all stay between -30 and 30.",
    )
    if s.scores.positions != "none":
        whole_number(
            session,
            f"Position of the first {_first(s)}",
            "query-start",
            s.scores.query_start,
            lambda s, start: with_scores(s, query_start=start),
            called="query_start",
            help="Change it for a later part of a text, which does not begin at position 0.",
        )


def _first(s: Scenario) -> str:
    """What has this position: a token (query and key at once), or with two sequences a query."""
    return "token" if s.context is None else "query"
