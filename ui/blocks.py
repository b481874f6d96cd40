"""What pages repeat: claims with their ticks, the heads, the heads together."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from mha_core.claims import Claim
from mha_core.trace import Trace
from ui import plot
from ui.figures.forward import heads_figure, together_figure


def claims(to_check: Iterable[Claim], trace: Trace) -> None:
    """Each claim with the sign of what this trace says of it."""
    for claim in to_check:
        sign = ":material/check_circle:" if claim.holds(trace) else ":material/cancel:"
        st.markdown(f"{sign} {claim.sentence}")


def heads(trace: Trace) -> None:
    st.subheader("Heads")
    st.caption("Scores before softmax, weights after. A row is a query, a column is a key.")
    plot.show(
        heads_figure(trace),
        "heads",
        alt=f"Scores and weights of {trace.scenario.n_heads} heads, query rows and key columns",
    )


def together(trace: Trace) -> None:
    st.subheader("Together")
    st.caption("The heads side by side, times W_O, give the output.")
    plot.show(
        together_figure(trace), "together", alt="Concatenation of the heads, W_O, and the output"
    )
