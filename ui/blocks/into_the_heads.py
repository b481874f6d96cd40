"""The way into the heads: X, the projections, and the queries, keys and values that they make."""

from __future__ import annotations

import streamlit as st

from mha_core import Scenario, Trace
from ui.blocks.anchor import anchor
from ui.blocks.picture import outline, picture, show
from ui.figures import pictures
from ui.state import Session, bound_fold


def into_the_heads(session: Session) -> None:
    """Folded until somebody opens it; the address says whether it is open."""
    anchor(session, "into-the-heads")
    place = st.expander("Into the heads", **bound_fold(session, "into"))
    if place.open:
        with place:
            _picture(session, session.scenario)


@st.fragment
def _picture(session: Session, of: Scenario) -> None:
    """A pick of a cell runs only this fragment."""
    if session.scenario is not of:
        st.rerun()
    st.caption(_sentence(session.trace))
    alt = "X, the projections, and the queries, keys and values"
    show(session, "into", picture(session, "into the heads", alt, pictures.into_heads_figure))
    outline(session, "into")
    session.write_address()


def _sentence(trace: Trace) -> str:
    """What is multiplied by what, and where the product stands."""
    s = trace.scenario
    x, c = (
        getattr(Trace, name).computed_by(s).symbol
        for name in ("x_positioned", "context_positioned")
    )
    if s.context is None:
        made = f"{x} times W_Q, W_K and W_V gives Q, K and V"
    else:
        made = f"{x} times W_Q gives Q; {c} times W_K and W_V gives K and V"
    plus = ", plus a bias" if any(b is not None for b in (s.b_q, s.b_k, s.b_v)) else ""
    where = "A product stands below its projection and, where there is room, beside its input."
    return f"{made}{plus}. {where}"
